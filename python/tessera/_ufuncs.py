"""Methods of elementwise functions of two operands, as NumPy's ufuncs have them, that are made of reduce, accumulate
and outer, which are rows of the table; and elementwise functions that are compositions of Python.
"""
from operator import index

from . import _core
from ._axes import axis_of, order_of
from ._dtypes import cast, check_cast
from ._index import Selection, of_elements
from ._reductions import into

_IDENTITIES = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "logical_xor": False,
               "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0, "hypot": 0.0, "logaddexp": -float("inf"),
               "logaddexp2": -float("inf"), "gcd": 0}
_SIZES = ("hypot", "gcd")  # reduce puts even one element together with the neutral one; reduceat does not


def outer(self, a, b, /, **keywords):
    """The function of each element of a with each of b, with the keywords of a call."""
    if self.nin != 2:
        raise ValueError(f"{self.__name__}.outer: the function takes {self.nin} operand; outer is of functions of two")
    x, y = _core.as_array(a), _core.as_array(b)
    return self(_core.reshape(x, x.shape + (1,) * y.ndim), y, **keywords)


def reduceat(self, array, indices, axis=0, dtype=None, out=None):
    """The function of the elements from each index up to the next, or of the one element where the next is not behind
    it. The indices are read: waits, where they are an array."""
    name = self.__name__
    x = _core.as_array(array)
    if x.ndim == 0:
        raise TypeError(f"{name}.reduceat is along an axis, of an array that has axes")
    axis = axis_of(axis, x.ndim)
    starts = indices.tolist() if hasattr(indices, "tolist") else indices
    if not hasattr(starts, "__iter__"):
        raise ValueError(f"{name}.reduceat: the indices are a list, not {indices!r}")
    starts = [index(k) for k in starts]
    n, whole = x.shape[axis], (slice(None),) * axis
    for k in starts:
        if not 0 <= k < n:
            raise IndexError(f"{name}.reduceat: the index {k} is out of range for an axis of length {n}")
    ends = [stop if start < stop else start + 1 for start, stop in zip(starts, starts[1:] + [n])]
    parts = [(x[whole + (slice(start, stop),)], stop == start + 1) for start, stop in zip(starts, ends)]
    made = [self.accumulate(part, axis, dtype) if name in _SIZES and is_one
            else self.reduce(part, axis, dtype, keepdims=True)
            for part, is_one in parts]
    none = self.accumulate(x[whole + (slice(0, 0),)], axis, dtype)
    return into(out, _core.concatenate(made, axis) if made else none)


def at(self, a, indices, b=None, /):
    """a[indices] op= b, unbuffered. Slices, numbers and masks name no element twice; arrays of numbers are not there
    yet."""
    parts = indices if isinstance(indices, tuple) else (indices,)
    for part in parts:
        is_list = isinstance(part, (list, range)) or getattr(part, "ndim", 0)
        if is_list and not (len(parts) == 1 and _core.as_array(part).dtype.kind == "b"):
            name, values = self.__name__, ", values" if self.nin == 2 else ""
            raise TypeError(f"{name}.at is not there yet with an array of indices: NumPy does it, of a gathered array: "
                            f"y = numpy.array(x); numpy.{name}.at(y, indices{values}); x[...] = y")
    if not isinstance(a, _core.ndarray):
        raise TypeError(f"{self.__name__}.at writes into an array of Tessera's, not {type(a).__name__}")
    if (b is None) != (self.nin == 1):
        raise TypeError(f"{self.__name__}.at takes an array, indices" + (" and values" if self.nin == 2 else ""))
    part = a[indices]
    chosen = isinstance(part, Selection)
    values = () if b is None else (part._of(b) if chosen else b,)
    made = self(part._values if chosen else part, *values)
    if isinstance(made, tuple):
        raise TypeError(f"{self.__name__}.at: a function of two results has no at")
    a[indices] = part._like(made) if chosen else made


def _signature(self):
    import inspect
    return inspect._signature_fromstr(inspect.Signature, self, self.__text_signature__)


METHODS = {"at": at, "reduceat": reduceat, "identity": property(lambda self: _IDENTITIES.get(self.__name__)),
           "__signature__": property(_signature), "__reduce__": lambda self: self.__name__}
BEHIND_ROWS = {"ufunc.outer": outer}


def _refused(name):
    def method(self, *args, **keywords):
        raise ValueError(f"{self.__name__} takes {self.nin} operands: reduce, accumulate and outer are of functions of "
                         "two elements")

    method.__name__ = method.__qualname__ = name
    return method


class ufunc:
    """An elementwise function that is a composition of Python."""
    identity, __signature__ = None, property(_signature)

    def __init__(self, function, nin=2, signature=None):
        self._function, self.nin, self.nout, self.nargs, self.signature = function, nin, 1, nin + 1, signature
        if signature is None:
            self._function = of_elements(function)
        self.__name__ = self.__qualname__ = function.__name__
        self.__doc__, self.__module__ = function.__doc__, "tessera"
        operands = ", ".join(function.__code__.co_varnames[:nin])
        self.__text_signature__ = (f"({operands}, /, out=None, *, where=True, dtype=None, casting='same_kind', "
                                   "order='K', subok=True, signature=None)")

    def __call__(self, *args, out=None, where=True, dtype=None, casting="same_kind", order="K", subok=True,
                 signature=None):
        if len(args) == self.nargs and out is None:
            args, out = args[:-1], args[-1]
        if signature is not None:
            raise TypeError(f"{self.__name__}(): signature= is not there yet; dtype= is")
        if where is not True and out is None:
            raise TypeError(f"{self.__name__}(): where= needs out=, whose elements stay where it is false")
        check_cast(self.__name__, _core.bool, _core.bool, casting)  # a rule that is none is an error
        if order_of(order) == "F":
            raise TypeError(f"{self.__name__}(): order={order!r} is not there yet")
        if dtype is not None:
            args = [cast(self.__name__, x if type(x) is Selection else _core.as_array(x), _core.dtype(dtype), casting)
                    for x in args]
        made = self._function(*args)
        if dtype is not None and made.dtype != _core.dtype(dtype):
            raise TypeError(f"{self.__name__}(): of {_core.dtype(dtype)} it makes {made.dtype}")
        if out is None:
            return made
        target = out[0] if type(out) is tuple and len(out) == 1 else out
        if isinstance(target, _core.ndarray):
            made = cast(self.__name__, made, target.dtype, casting)
            mask = _core.as_array(where)
            if mask.dtype != _core.bool:
                raise TypeError(f"{self.__name__}(): where= takes bools, such as those of x != 0")
            if self.signature is None:
                made = _core.broadcast_to(made, target.shape)
            if where is not True:
                made = _core.where(mask, made, target)
        return into(target, made)

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"


for _name in ("reduce", "accumulate", "outer", "at", "reduceat"):
    setattr(ufunc, _name, _refused(_name))
