"""Keys that are no slices: masks and whole numbers.

x[mask] has a shape that depends on values. It is a Selection, which can be computed with point by point, reduced, and put back
with the same mask: none of that needs its shape, so nothing waits.
"""
import operator

from . import _core
from ._core import ndarray


class Selection:
    """The elements of an array where a mask is true: x[mask]. Operators and functions apply to the elements; sum, mean, min,
    max, prod, any and all reduce them; x[mask] = … puts them back."""
    __slots__ = ("_values", "_mask", "_whole_mask")
    __array_priority__ = 200.0
    __hash__ = None

    def __init__(self, values, mask):
        self._values = values
        self._mask = mask
        self._whole_mask = _spread(_core.copy(mask), values)

    @property
    def dtype(self):
        return self._values.dtype

    @property
    def size(self):
        """The number of elements; waits."""
        return int(_core.sum(_core.broadcast_to(self._whole_mask, self._values.shape)))

    @property
    def shape(self):
        """Waits: one count."""
        return (int(_core.sum(self._mask)),) + self._values.shape[self._mask.ndim:]

    def __len__(self):
        return self.shape[0]

    def __getattr__(self, name):
        raise AttributeError(f"x[mask].{name} is not there yet: what a mask selects can be computed with point by point, reduced "
                             "by sum, mean, min, max, prod, any, all, and put back by x[mask] = …")

    def _of(self, other):
        """The other operand, over all points."""
        if not isinstance(other, Selection):
            return other
        if other._mask is not self._mask:
            raise TypeError("selections by two masks are combined: use one mask, m = …; x[m] + y[m]")
        return other._values

    def _like(self, values):
        made = object.__new__(Selection)
        made._values, made._mask, made._whole_mask = values, self._mask, self._whole_mask
        return made

    def _reduced(self, function, outside, **keywords):
        return function(_core.where(self._whole_mask, self._values, _core.as_array(outside, self.dtype)), **keywords)

    def sum(self):
        return self._reduced(_core.sum, 0)

    def prod(self):
        return self._reduced(_core.prod, 1)

    def mean(self):
        count = _core.sum(_core.broadcast_to(self._whole_mask, self._values.shape))
        result = self.sum() / count
        return _core.astype(result, self.dtype) if self.dtype.kind in "fc" else result

    def any(self):
        return _core.any(_core.logical_and(self._whole_mask, self._values))

    def all(self):
        return _core.all(_core.logical_or(_core.logical_not(self._whole_mask), self._values))

    def min(self):
        return self._extreme(_core.min, 1)

    def max(self):
        return self._extreme(_core.max, -1)

    def _extreme(self, function, sign):
        from ._dtypes import finfo, iinfo
        kind = self.dtype.kind
        if kind == "f":
            outside = sign * float("inf")
        elif kind in "iu":
            outside = iinfo(self.dtype).max if sign > 0 else iinfo(self.dtype).min
        else:
            raise TypeError(f"the extremes of a selection of {self.dtype} are not there yet")
        return self._reduced(function, outside)

    def astype(self, dtype):
        return self._like(_core.astype(self._values, dtype))

    def copy(self):
        return self._like(_core.copy(self._values))

    def __array_namespace__(self, api_version=None):
        raise TypeError("x[mask] is no array: its shape depends on values")


def _operators():
    def forward(f):
        return lambda self, other: self._like(f(self._values, self._of(other)))

    def backward(f):
        return lambda self, other: self._like(f(self._of(other), self._values))

    for name in "add sub mul truediv floordiv mod pow and or xor lshift rshift".split():
        f = getattr(operator, f"__{name}__")
        setattr(Selection, f"__{name}__", forward(f))
        setattr(Selection, f"__r{name}__", backward(f))
    for name in "lt le eq ne gt ge".split():
        setattr(Selection, f"__{name}__", forward(getattr(operator, name)))
    for name in "neg pos abs invert".split():
        f = getattr(operator, name)
        setattr(Selection, f"__{name}__", lambda self, f=f: self._like(f(self._values)))


_operators()


def _spread(mask, x):
    """The mask with axes for all of x's."""
    for _ in range(x.ndim - mask.ndim):
        mask = _core.expand_dims(mask, -1)
    return mask


def _as_mask(key, x):
    """The key as a mask over x's first axes, or None."""
    if not isinstance(key, ndarray):
        if not isinstance(key, (list, bool)) and not hasattr(key, "__array__"):
            return None
        key = _core.as_array(key)
    if key.dtype.kind != "b":
        return None
    if key.shape != x.shape[:key.ndim]:
        raise IndexError(f"a mask of shape {key.shape} for an array of shape {x.shape}")
    return key


def _is_indices(item):
    return (isinstance(item, ndarray) and item.dtype.kind in "iu") or isinstance(item, (list, range)) or (
        not isinstance(item, ndarray) and hasattr(item, "__array__"))


def in_range(indices, n):
    """The indices from the start; one that is out of range is an IndexError, for which the program waits."""
    if indices.dtype.kind == "u":
        indices = _core.astype(indices, _core.int64)
    if indices.size and bool(_core.any(_core.logical_or(indices < -n, indices >= n))):
        raise IndexError(f"an index is out of range for an axis of length {n}")
    return _core.where(indices < 0, indices + n, indices)


def pick(x, indices):
    """The elements of x at numbers in flat order, which are in range."""
    number = _core.astype(indices, _core.int64)
    flat = _core.ravel(x)
    return _core.kernel("take", "raw T x, int64 k", "T y", "y = x[k]", (flat, number))


def take(x, indices, axis):
    """x's parts along an axis, in the order of the indices, which may have any shape."""
    n = x.shape[axis]
    axis %= x.ndim
    indices = in_range(indices, n)
    before, after = x.shape[:axis], x.shape[axis + 1:]
    shape = before + indices.shape + after
    inner = 1
    for length in after:
        inner *= length
    outer = 1
    for length in before:
        outer *= length
    numbers = _core.reshape(_core.astype(indices, _core.int64), (1, -1, 1)) if indices.size else None
    if numbers is None or outer * inner == 0:
        return _core.zeros(shape, x.dtype)
    flat = (_core.reshape(_core.arange(outer), (-1, 1, 1)) * n + numbers) * inner + _core.arange(inner)
    return _core.reshape(pick(x, flat), shape)


def _by_numbers(x, key):
    """x[i, j, …], one array of whole numbers or number for every axis."""
    indices = [in_range(_core.as_array(item), n) for item, n in zip(key, x.shape)]
    flat = indices[0]
    for index, n in zip(indices[1:], x.shape[1:]):
        flat = flat * n + index
    return pick(x, flat) if flat.size else _core.zeros(flat.shape, x.dtype)


def _refuse(key):
    kinds = ", ".join(type(item).__name__ for item in (key if isinstance(key, tuple) else (key,)))
    raise IndexError(f"a key of ({kinds}) is not there yet: slices, `...`, None and whole numbers are views; one mask selects; "
                     "one array of whole numbers takes along an axis, one for each axis takes elements")


def select(x, key):
    """x[key] where the key is no slice."""
    mask = _as_mask(key, x)
    if mask is not None:
        return Selection(_core.copy(x), mask)  # a selection is a copy, as NumPy's
    if _is_indices(key):
        return take(x, _core.as_array(key), 0)
    if not isinstance(key, tuple):
        _refuse(key)
    if len(key) == 1:
        return select(x, key[0])
    if len(key) == x.ndim and all(_is_indices(item) or isinstance(item, int) for item in key):
        return _by_numbers(x, key)
    arrays = [k for k, item in enumerate(key) if _is_indices(item)]
    if len(arrays) != 1 or any(not isinstance(item, slice) and item is not Ellipsis and item is not None
                               for k, item in enumerate(key) if k != arrays[0]):
        _refuse(key)
    at = arrays[0]
    view = x[key[:at] + (slice(None),) + key[at + 1:]]
    behind = [item for item in key[at + 1:] if item is not Ellipsis]
    if Ellipsis in [item for item in key[:at] if item is Ellipsis]:
        axis = view.ndim - 1 - len(behind)
    else:
        axis = at
    return take(view, _core.as_array(key[at]), axis)


def store(x, key, value):
    """x[key] = value where the key is no slice."""
    mask = _as_mask(key, x)
    if mask is None and isinstance(key, tuple) and len(key) == 1:
        mask = _as_mask(key[0], x)
    if mask is None:
        _refuse(key)
    if isinstance(value, Selection):
        if value._mask is not mask:
            raise TypeError("x[m] = y[k] with two masks: use one mask, m = …; x[m] = y[m]")
        value = value._values
        if value.shape != x.shape:
            raise ValueError(f"a selection of shape {value.shape} for an array of shape {x.shape}")
    else:
        value = value if type(value) in (bool, int, float, complex) else _core.as_array(value)
        inner = x.shape[mask.ndim:]
        if isinstance(value, ndarray) and value.shape != () and value.shape != (1,) and (
                value.ndim > len(inner) or value.shape != inner[len(inner) - value.ndim:]):
            raise ValueError(f"x[mask] = values of shape {value.shape} is not there yet: one value, or x[mask] = f(x[mask])")
    result = _core.where(_spread(mask, x), value, x)
    if not _core.can_cast(result.dtype, x.dtype, "same_kind"):
        raise TypeError(f"{result.dtype} cannot be put into {x.dtype}")
    _core.assign(x, result)
