"""What dtypes hold, and how they promote."""
import sys

from . import _core
from ._core import dtype

_ORDER = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64", "complex128")
_CHARS = dict(zip(_ORDER, "?bhilBHILefdFD"))
_KINDS = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
    "complex floating": "c", "numeric": "iufc",
}
_DEFAULTS = {bool: _core.bool, int: _core.int64, float: _core.float64, complex: _core.complex128}


class finfo:
    """The limits of a floating dtype; of a complex one, those of its parts."""
    _FLOATS = {2: (16, 2.0**-10, 65504.0, 2.0**-14, 2.0**-24, 3), 4: (32, 2.0**-23, 3.4028234663852886e38, 2.0**-126,
                                                                     2.0**-149, 6),
               8: (64, 2.0**-52, sys.float_info.max, sys.float_info.min, 5e-324, 15)}

    def __init__(self, dtype):
        of = dtype.dtype if isinstance(dtype, _core.ndarray) else _core.dtype(dtype)
        if of.kind not in "fc":
            raise ValueError(f"finfo: {of} is no floating dtype")
        size = of.itemsize // (2 if of.kind == "c" else 1)
        (self.bits, self.eps, self.max, self.smallest_normal, self.smallest_subnormal,
         self.precision) = self._FLOATS[size]
        self.min = -self.max
        self.tiny = self.smallest_normal
        self.resolution = 10.0**-self.precision
        self.dtype = _core.dtype(f"float{8 * size}")
        self.nmant, self.iexp = {2: (10, 5), 4: (23, 8), 8: (52, 11)}[size]
        self.nexp, self.machep, self.negep = self.iexp, -self.nmant, -self.nmant - 1
        self.epsneg, self.maxexp = self.eps / 2, 1 << self.iexp - 1
        self.minexp = 2 - self.maxexp

    def __repr__(self):
        return f"finfo(min={self.min}, max={self.max}, eps={self.eps}, dtype={self.dtype})"


class iinfo:
    """The limits of an integer dtype."""

    def __init__(self, int_type):
        self.dtype = int_type.dtype if isinstance(int_type, _core.ndarray) else dtype(int_type)
        if self.dtype.kind not in "iu":
            raise ValueError(f"iinfo: {self.dtype} is no integer dtype")
        self.bits, self.kind = 8 * self.dtype.itemsize, self.dtype.kind
        signed = self.kind == "i"
        self.min = -(1 << self.bits - 1) if signed else 0
        self.max = (1 << self.bits - signed) - 1

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def isdtype(dtype, kind):
    """Is the dtype of a kind: a dtype, a name of a kind such as "real floating", or a tuple of these?"""
    of = _core.dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(of, one) for one in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return of.kind in _KINDS[kind]
    if isinstance(kind, str) and kind not in _ORDER:
        raise ValueError(f"isdtype: there is no kind {kind!r}; the kinds are {', '.join(_KINDS)}")
    return of == kind


def _dtype_of(x):
    return x.dtype if isinstance(x, _core.ndarray) else dtype(getattr(x, "dtype", x))


def result_type(*arrays_and_dtypes):
    """The dtype that an operation on these promotes to; Python's scalars take part by their kind only."""
    if not arrays_and_dtypes:
        raise ValueError("result_type: at least one array or dtype is needed")
    strong, weak = None, []
    for x in arrays_and_dtypes:
        if type(x) in _DEFAULTS:
            weak.append(type(x))
        else:
            strong = _dtype_of(x) if strong is None else _core.promote_types(strong, _dtype_of(x))
    if strong is None:
        return _DEFAULTS[max(weak, key=list(_DEFAULTS).index)]
    for kind in weak:
        if kind is int and strong.kind == "b":
            strong = _core.int64
        elif kind is float and strong.kind in "biu":
            strong = _core.float64
        elif kind is complex and strong.kind != "c":
            strong = _core.complex64 if strong in (_core.float32, _core.float16) else _core.complex128
    return strong


def can_cast(from_, to, casting="safe"):
    """May values of a dtype, or of an array's, be cast to another under the rule?"""
    return _core.can_cast(_dtype_of(from_), to, casting)


def check_cast(name, from_, to, casting="same_kind"):
    """An error of the function `name` unless the rule casts one dtype to the other."""
    if not _core.can_cast(from_, to, casting):
        raise TypeError(f"{name}: {from_} cannot be cast to {to} by the rule {casting!r}")


def cast(name, x, to, casting="same_kind"):
    """An array, or what a mask selects of one, in a dtype to which the rule casts it."""
    check_cast(name, x.dtype, to, casting)
    return x.astype(to)


def cast_operand(name, x, to, casting="same_kind"):
    """The same of any operand. Numbers of Python's have a kind and no width."""
    if type(x) is int and to.kind != "b" or type(x) is float and to.kind in "fc":
        return _core.as_array(x, to)
    return cast(name, _core.as_array(x), to, casting)


def by_kind(kind=None):
    """The dtypes of a kind, by name, as the array API's info gives them."""
    return {name: getattr(_core, name) for name in _ORDER if name != "float16" and
            (kind is None or isdtype(getattr(_core, name), kind))}


# The kinds of NumPy's scalar types, for issubdtype.

class generic:
    """Any dtype."""
    _kinds = "biufc"


class number(generic):
    """A dtype of numbers."""
    _kinds = "iufc"


class integer(number):
    """A dtype of whole numbers."""
    _kinds = "iu"


class signedinteger(integer):
    """A dtype of whole numbers with a sign."""
    _kinds = "i"


class unsignedinteger(integer):
    """A dtype of whole numbers without a sign."""
    _kinds = "u"


class inexact(number):
    """A dtype of floating or complex numbers."""
    _kinds = "fc"


class floating(inexact):
    """A dtype of floating numbers."""
    _kinds = "f"


class complexfloating(inexact):
    """A dtype of complex numbers."""
    _kinds = "c"


def _kind_of(type_):
    """The kind of NumPy's scalar types that a class of these, or of NumPy's own, stands for; None: it is a dtype."""
    if not isinstance(type_, type):
        return None
    if issubclass(type_, generic):
        return type_
    own = globals().get(type_.__name__)
    return own if isinstance(own, type) and issubclass(own, generic) and type_.__module__ == "numpy" else None


def issubdtype(arg1, arg2):
    """Is the dtype, or the kind, the other one or of it?"""
    first, second = _kind_of(arg1), _kind_of(arg2)
    if second is None:
        return first is None and dtype(arg1) == dtype(arg2)
    return issubclass(first, second) if first is not None else dtype(arg1).kind in second._kinds


def _of_numpy(self):
    """NumPy's dtype of the same name, which NumPy asks for: numpy.zeros(3, x.dtype)."""
    import numpy
    return numpy.dtype(self.name)


dtype.char = property(lambda self: _CHARS[self.name], doc="NumPy's letter.")
dtype.dtype = dtype.__numpy_dtype__ = property(_of_numpy)


def common_type(*arrays):
    """The floating dtype that the arrays have in common; of whole numbers it is float64."""
    dtypes = [_core.as_array(a).dtype for a in arrays]
    for of in dtypes:
        if of.kind == "b":
            raise TypeError("can't get common type for non-numeric array")
    real = result_type(*(_core.float64 if of.kind in "iu" else of for of in dtypes)) if dtypes else _core.float16
    return real


def min_scalar_type(a, /):
    """The smallest dtype that holds a number; of an array with axes its own."""
    if isinstance(a, _core.ndarray):
        if a.ndim:
            return a.dtype
        a = a.item()
    if isinstance(a, bool):
        return _core.bool
    if isinstance(a, int):
        for bits in (8, 16, 32, 64):
            if 0 <= a < 1 << bits or -(1 << bits - 1) <= a < 0:
                return dtype(f"{'u' if a >= 0 else ''}int{bits}")
        raise OverflowError(f"no dtype holds {a}")
    parts = (a.real, a.imag) if isinstance(a, complex) else (a,)
    inf = float("inf")
    most = max((abs(p) for p in parts if p == p and abs(p) != inf), default=0.0)
    if isinstance(a, complex):
        return _core.complex64 if most < 3.4e38 else _core.complex128
    return _core.float16 if most < 65000 else _core.float32 if most < 3.4e38 else _core.float64
