"""Methods of elementwise functions of two operands, as NumPy's ufuncs have them: add.reduce, multiply.outer,
maximum.accumulate.

A function that may be put in any brackets (it is associative) is reduced and accumulated in about log2(n) steps of whole
arrays; another one by an element of the axis after the other.
"""
from operator import index

from . import _core
from ._axes import axes_of, axis_of
from ._reductions import into

_REDUCED = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
_RUNNING = {"add": "cumsum", "multiply": "cumprod", "maximum": "cummax", "minimum": "cummin"}
_ASSOCIATIVE = ("logical_xor bitwise_and bitwise_or bitwise_xor fmax fmin hypot logaddexp logaddexp2 gcd lcm "
                "logical_and logical_or").split()
# The first element, and what the others are put together by.
_BY_OTHERS = {"subtract": "add", "divide": "multiply"}
_NEUTRAL = {"logical_xor": False, "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0, "hypot": 0.0, "logaddexp": -float("inf"),
            "logaddexp2": -float("inf"), "gcd": 0, "lcm": 1}
_IDENTITIES = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False,
               **{name: value for name, value in _NEUTRAL.items() if name != "lcm"}}
_MAGNITUDES = ("hypot", "gcd")  # reduce puts even one element together with the neutral one; reduceat does not
_MOST_STEPS = 4096


def _at(x, axis, start, stop, step=None):
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


def _operand(self, array, dtype):
    x = _core.as_array(array)
    if dtype is not None and self.__name__ not in _core_comparisons:
        x = _core.astype(x, dtype)
    if self.__name__ == "subtract" and x.dtype.kind == "b":
        raise TypeError("subtract of bools: whether two differ is bitwise_xor or logical_xor")
    if self.__name__ == "divide" and x.dtype.kind in "biu":
        x = _core.astype(x, _core.float64)
    if not self.__name__.startswith("logical"):  # each step's result is an operand of the next: all have its dtype
        none = _core.reshape(x, -1)[:0]
        x = _core.astype(x, self(none, none).dtype)
    return _core.not_equal(x, 0) if self.__name__.startswith("logical") else x


_core_comparisons = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or",
                     "logical_xor")


def _is_of_two(self):
    if self.nin != 2 or self.nout != 1:
        raise ValueError(f"{self.__name__} takes {self.nin} operands: reduce, accumulate and outer are of functions of two")


def _cannot(self, method):
    if self.__name__ in _core_comparisons and not self.__name__.startswith("logical"):
        raise TypeError(f"{self.__name__}.{method}: a comparison gives bools, which are no operands like its own")


def _halved(self, x, axis):
    """x of one element along the axis: each step puts the first half together with the second."""
    while x.shape[axis] > 1:
        n = x.shape[axis]
        half = n // 2
        made = self(_at(x, axis, 0, half), _at(x, axis, half, 2 * half))
        x = made if n % 2 == 0 else _core.concatenate([made, _core.astype(_at(x, axis, n - 1, n), made.dtype)], axis)
    return x


def _folded(self, x, axis, keeps_all):
    n = x.shape[axis]
    if n > _MOST_STEPS:
        raise ValueError(f"{self.__name__}: an axis of {n} elements; a function that is not associative is applied to one after "
                         f"another, and to at most {_MOST_STEPS}")
    made = [_at(x, axis, 0, 1)]
    for k in range(1, n):
        made.append(_core.astype(self(made[-1], _at(x, axis, k, k + 1)), x.dtype))
    return _core.concatenate(made, axis) if keeps_all else made[-1]


def _one_axis(self, x, axis):
    name = self.__name__
    if x.shape[axis] == 1:  # no operation makes the result, whose memory is its own
        return _core.copy(x)
    if x.shape[axis] == 0:
        if name not in _NEUTRAL:
            raise ValueError(f"{name}.reduce: of no elements there is no result")
        shape = x.shape[:axis] + (1,) + x.shape[axis + 1:]
        return _core.full(shape, _NEUTRAL[name] if x.dtype.kind != "u" or _NEUTRAL[name] != -1 else
                          (1 << 8 * x.dtype.itemsize) - 1, x.dtype)
    if name in _BY_OTHERS:
        other = getattr(_core, _BY_OTHERS[name])
        return self(_at(x, axis, 0, 1), reduce(other, _at(x, axis, 1, None), axis, x.dtype, keepdims=True))
    if name in _ASSOCIATIVE:
        return _halved(self, x, axis)
    return _folded(self, x, axis, False)


def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """The function of all elements along the axes, one result for each vector."""
    _is_of_two(self)
    _cannot(self, "reduce")
    name = self.__name__
    if getattr(initial, "ndim", 0):
        raise ValueError(f"{name}.reduce(): initial= is one number, not an array of {initial.ndim} axes")
    if name in _REDUCED:
        function = getattr(_core, _REDUCED[name])
        keywords = {"keepdims": keepdims}
        if dtype is not None and name in ("add", "multiply"):
            keywords["dtype"] = dtype
        elif dtype is not None and name in ("maximum", "minimum"):
            array = _core.astype(array, dtype)
        if initial is not None and not name.startswith("logical"):
            keywords["initial"] = initial
        if where is not True:
            keywords["where"] = where
        made = function(array, axis, **keywords)
        return into(out, self(initial, made) if initial is not None and name.startswith("logical") else made)
    if where is not True:
        raise TypeError(f"{name}.reduce(): where= is not there yet")
    x = _operand(self, array, dtype)
    axes = axes_of(axis, x.ndim)
    if len(axes) > 1 and name not in _ASSOCIATIVE:
        raise ValueError(f"{name}.reduce: the order of several axes matters: one axis is needed")
    if not axes:
        x = _core.copy(x)
    elif initial is not None and name not in _ASSOCIATIVE:  # it comes first: (initial - a) - b is not initial - (a - b)
        shape = x.shape[:axes[0]] + (1,) + x.shape[axes[0] + 1:]
        x, initial = _core.concatenate([_core.full(shape, initial, x.dtype), x], axes[0]), None
    for k in axes:
        x = _one_axis(self, x, k)
    if name in _MAGNITUDES:
        x = _core.absolute(x)
    if initial is not None:
        x = self(initial, x)
    if not keepdims:
        x = _core.reshape(x, tuple(n for k, n in enumerate(x.shape) if k not in axes))
    return into(out, x)


def accumulate(self, array, axis=0, dtype=None, out=None):
    """The function of all elements up to each one along the axis."""
    _is_of_two(self)
    _cannot(self, "accumulate")
    name = self.__name__
    x = _core.as_array(array)
    axes = axes_of(axis, x.ndim)
    if x.ndim == 0 or len(axes) != 1:
        raise (ValueError if x.ndim else TypeError)(f"{name}.accumulate is along one axis, of an array that has axes")
    axis = axes[0]
    if name in _RUNNING:
        if name in ("add", "multiply"):
            return into(out, getattr(_core, _RUNNING[name])(x, axis, dtype))
        return into(out, getattr(_core, _RUNNING[name])(x if dtype is None else _core.astype(x, dtype), axis))
    x = _operand(self, array, dtype)
    n = x.shape[axis]
    if n <= 1:  # no operation makes the result, whose memory is its own
        return into(out, _core.copy(x))
    if name in _BY_OTHERS:
        first = _at(x, axis, 0, 1)
        rest = accumulate(getattr(_core, _BY_OTHERS[name]), _at(x, axis, 1, None), axis, x.dtype)
        made = self(first, rest)
        return into(out, _core.concatenate([_core.astype(first, made.dtype), made], axis))
    if name not in _ASSOCIATIVE:
        return into(out, _folded(self, x, axis, True))
    reach = 1
    while reach < n:
        made = self(_at(x, axis, 0, n - reach), _at(x, axis, reach, None))
        x = _core.concatenate([_core.astype(_at(x, axis, 0, reach), made.dtype), made], axis)
        reach *= 2
    return into(out, x)


def outer(self, a, b, /, **keywords):
    """The function of each element of a with each of b."""
    _is_of_two(self)
    x, y = _core.as_array(a), _core.as_array(b)
    return self(_core.reshape(x, x.shape + (1,) * y.ndim), y, **keywords)


def reduceat(self, array, indices, axis=0, dtype=None, out=None):
    """The function of the elements from each index up to the next, or of the one element where the next is not behind it. The
    indices are read: waits, where they are an array."""
    _is_of_two(self)
    _cannot(self, "reduceat")
    name = self.__name__
    x = _core.as_array(array)
    if x.ndim == 0:
        raise TypeError(f"{name}.reduceat is along an axis, of an array that has axes")
    axis = axis_of(axis, x.ndim)
    starts = [index(k) for k in (indices.tolist() if hasattr(indices, "tolist") else indices)]
    n = x.shape[axis]
    for k in starts:
        if not 0 <= k < n:
            raise IndexError(f"{name}.reduceat: the index {k} is out of range for an axis of length {n}")
    ends = [stop if start < stop else start + 1 for start, stop in zip(starts, starts[1:] + [n])]
    parts = [_operand(self, _at(x, axis, start, stop), dtype) if name in _MAGNITUDES and stop == start + 1 else
             reduce(self, _at(x, axis, start, stop), axis, dtype, keepdims=True) for start, stop in zip(starts, ends)]
    return into(out, _core.concatenate(parts, axis) if parts else reduce(self, _at(x, axis, 0, 0), axis, dtype, keepdims=True, initial=0)[
        (slice(None),) * axis + (slice(0, 0),)])


def at(self, a, indices, b=None, /):
    """Not there yet."""
    raise TypeError(f"{self.__name__}.at is not there yet: it writes where an array of indices says. Of a gathered array NumPy does it: "
                    f"y = numpy.array(x); numpy.{self.__name__}.at(y, indices, values); x[...] = y")


at.is_missing = True


def _identity(self):
    return _IDENTITIES.get(self.__name__)


def _signature(self):
    import inspect
    return inspect._signature_fromstr(inspect.Signature, self, self.__text_signature__)


METHODS = {"reduce": reduce, "accumulate": accumulate, "outer": outer, "at": at, "reduceat": reduceat, "identity": property(_identity),
           "__signature__": property(_signature), "__reduce__": lambda self: self.__name__}


class ufunc:
    """An elementwise function that is a composition, with the methods of those of the table."""

    def __init__(self, function, nin=2, nout=1):
        self._function, self.nin, self.nout = function, nin, nout
        self.__name__ = self.__qualname__ = function.__name__
        self.__doc__, self.__module__, self.__wrapped__ = function.__doc__, "tessera", function

    def __call__(self, *args, **keywords):
        return self._function(*args, **keywords)

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"


for _name in ("reduce", "accumulate", "outer", "at", "reduceat", "identity"):
    setattr(ufunc, _name, METHODS[_name])
