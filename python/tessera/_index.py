"""Keys that are no slices: masks and whole numbers.

x[mask] has a shape that depends on values. It is a Selection, which can be computed with point by point, reduced, and
put back with the same mask: none of that needs its shape, so nothing waits. Two masks are the same if they have the
same values, which are compared where they are not one array: that waits.
"""
import operator
from functools import wraps
from math import prod as _product

from . import _core
from ._axes import axes_of, axis_of, laid_along
from ._core import ndarray
from ._dtypes import check_cast


class _Mask:
    """What a program gave as a mask, and its values at that time."""
    __slots__ = ("key", "values", "_writes", "_bytes")

    def __init__(self, key, values):
        self.key, self.values = key, values
        self._writes = _core.n_mask_writes()
        self._bytes = (None if values is key else repr(key) if isinstance(key, (list, bool))
                       else key.__array__().tobytes())

    def is_same(self, other):
        """Did both select the same elements? One array of Tessera's did, if no array of bools was written since, and
        arrays of others are compared by their bytes; else the values are compared, which waits."""
        if self.values.shape != other.values.shape:
            return False
        if self._bytes is not None and self._bytes == other._bytes:
            return True
        if isinstance(self._bytes, bytes) and isinstance(other._bytes, bytes):
            return False
        is_one = self.key is other.key and self._writes == other._writes
        return is_one or bool(_core.all(_core.equal(self.values, other.values)))


def _behind(value, inner):
    """A value over the axes behind a mask, whose lengths are `inner`; None if it has others: the elements that a mask
    selects have no numbers to pair by."""
    if type(value) in (bool, int, float, complex):
        return value
    value = _core.as_array(value)
    if value.ndim == len(inner) + 1 and value.shape[0] == 1:
        value = _core.reshape(value, value.shape[1:])
    fits = (value.ndim <= len(inner) and all(m == n or 1 in (m, n)
                                             for m, n in zip(reversed(value.shape), reversed(inner))))
    return value if fits else None


def _from(initial):
    return {} if initial is None else {"initial": initial}


def _into(out, made):
    from ._reductions import into
    return into(out, made)


class Selection:
    """The elements of an array where a mask is true: x[mask]. Operators and functions apply to the elements; sum, mean,
    min, max, prod, any and all reduce them; x[mask] = … puts them back."""
    __slots__ = ("_values", "_mask", "_whole_mask")
    __array_priority__ = 200.0
    __array_ufunc__ = None  # an array that meets one leaves the operation to it
    __hash__ = None

    def __init__(self, values, mask):
        self._values = values
        self._mask = mask
        self._whole_mask = _spread(mask.values, values)

    @property
    def dtype(self):
        return self._values.dtype

    @property
    def size(self):
        """The number of elements; waits."""
        return _product(self.shape)

    @property
    def shape(self):
        """Waits: one count."""
        return (int(_core.sum(self._mask.values)),) + self._inner()

    def _inner(self):
        return self._values.shape[self._mask.values.ndim:]

    def __len__(self):
        return self.shape[0]

    def __array__(self, dtype=None, copy=None):
        """The elements as an array of NumPy's. Collective; waits."""
        chosen = self._values.__array__()[self._mask.values.__array__()]
        return chosen if dtype is None else chosen.astype(dtype)

    def __getattr__(self, name):
        raise AttributeError(f"x[mask].{name} is not there yet: what a mask selects can be computed with point by "
                             "point, reduced by sum, mean, std, var, min, max, ptp, prod, any, all, and put back by "
                             "x[mask] = …")

    def _check_mask(self, other):
        if not self._mask.is_same(other._mask):
            raise TypeError("selections by two masks, which select other elements, are combined: use one mask, "
                            "unchanged, m = …; x[m] + y[m]")

    def _of(self, other):
        """The other operand, over all points."""
        if isinstance(other, Selection):
            self._check_mask(other)
            if len(self._inner()) != len(other._inner()):
                raise ValueError(f"x[mask] and y[mask] have {len(self._inner())} and {len(other._inner())} axes behind "
                                "the mask's: give the array with fewer of them axes of one element before it is "
                                "selected from, y[:, None][mask]")
            return other._values
        operand = _behind(other, self._inner())
        if operand is None:
            raise TypeError(f"x[mask] and an array of shape {_core.as_array(other).shape}: the elements that a mask "
                            "selects are not numbered; select the operand with the same mask, x[m] + y[m], or gather "
                            "them, numpy.asarray(x[m])")
        return operand

    def _exponent(self, other):
        """The other operand as an exponent: 0 where the mask is false, since a negative one may be an error."""
        x = self._of(other)
        return self._like(_core.where(self._whole_mask, x, 0)) if isinstance(x, ndarray) else x

    def _like(self, values):
        return Selection(values, self._mask)

    def tolist(self):
        """The elements. Collective; waits."""
        return self._gathered().tolist()

    def __getitem__(self, key):
        """Of the elements by their number. Collective; waits, as iteration does."""
        return self._gathered()[key]

    def __iter__(self):
        return iter(self._gathered())

    def __repr__(self):
        """The elements, as an array's. Collective; waits."""
        return repr(self._gathered())

    def __str__(self):
        return str(self._gathered())

    def __format__(self, spec):
        return format(str(self), spec)

    def _gathered(self):
        """An array of the elements that are there now: the k-th is where the running count of the mask first is k +
        1."""
        from ._functions import searchsorted
        n, mask = len(self), _core.ravel(self._mask.values)
        numbers = searchsorted(_core.cumsum(mask), _core.arange(1, n + 1))
        return take(_core.reshape(self._values, (mask.size,) + self._inner()), numbers, 0, checks=False)

    def _axes(self, axis):
        """The axes of the values that are reduced, and whether that of the mask, the first one, is among them."""
        if axis is None:
            return tuple(range(self._values.ndim)), True
        n_masked = self._mask.values.ndim
        axes = axes_of(axis, 1 + len(self._inner()))
        at = tuple(k - 1 + n_masked for k in axes if k > 0)
        return (tuple(range(n_masked)) + at, True) if 0 in axes else (at, False)

    def _chosen(self, where):
        """where= of a reduction, over all points; None: all elements count."""
        if where is True:
            return None
        chosen = self._of(where)
        if not isinstance(chosen, bool) and chosen.dtype != _core.bool:
            raise TypeError("where= of a reduction of x[mask] takes bools, such as those of x[mask] > 0")
        return _core.broadcast_to(_core.as_array(chosen), self._values.shape)

    def _reduced(self, function, outside, axis=None, keepdims=False, out=None, values=None, where=True, **keywords):
        """A reduction, with what is neutral to it where the mask is false. Where the mask's axis stays, the results are
        those of the selected rows: a selection."""
        values = self._values if values is None else values
        axes, is_whole = self._axes(axis)
        mask = self._chosen(where)
        if not is_whole:
            if out is not None:
                raise TypeError("out= of a reduction of x[mask] that leaves the selected rows: their number is not "
                                "known")
            if mask is not None:
                keywords["where"] = mask
            return self._like(function(values, axes, keepdims=keepdims, **keywords))
        mask = self._whole_mask if mask is None else _core.logical_and(self._whole_mask, mask)
        chosen = _core.where(mask, values, _core.as_array(outside, values.dtype))
        made = function(chosen, axes, **keywords)
        if keepdims:
            n_masked = self._mask.values.ndim
            made = _core.reshape(made, (1,) + tuple(1 if k + n_masked in axes else n
                                                    for k, n in enumerate(self._inner())))
        return _into(out, made)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return self._reduced(_core.sum, 0, axis, keepdims, out, dtype=dtype, where=where, **_from(initial))

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return self._reduced(_core.prod, 1, axis, keepdims, out, dtype=dtype, where=where, **_from(initial))

    def _count(self, axis, where):
        """How many elements each result of a reduction is of: a number, or a lazy one."""
        axes, is_whole = self._axes(axis)
        if where is not True:
            return self._reduced(_core.sum, False, axis, values=_core.ones(self._values.shape, bool), where=where)
        n_masked = self._mask.values.ndim
        n = _product(self._values.shape[k] for k in axes if k >= n_masked)
        return _core.sum(self._mask.values) * n if is_whole else n

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
        to = _core.dtype(dtype) if dtype is not None else self.dtype if self.dtype.kind in "fc" else _core.float64
        values = _core.astype(self._values, _core.float32 if to == _core.float16 else to)
        result = self._reduced(_core.sum, 0, axis, keepdims, None, values, where) / self._count(axis, where)
        return _into(out, result.astype(to))

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True):
        axes, is_whole = self._axes(axis)
        mask = self._chosen(where)
        if not is_whole:
            some = {} if mask is None else {"where": mask}
            return self._like(_core.var(self._values, axes, ddof=ddof, keepdims=keepdims, **some))
        to = _core.dtype(dtype) if dtype is not None else self.dtype if self.dtype.kind in "fc" else _core.float64
        values = _core.astype(self._values, _core.float32 if to == _core.float16 else to)
        mask = self._whole_mask if mask is None else _core.logical_and(self._whole_mask, mask)
        count = self._count(axis, where)
        kept = _core.sum(_core.where(mask, values, 0), axes, keepdims=True)
        mean = kept / (count if where is True else _core.sum(mask, axes, keepdims=True))
        size = _core.absolute(values - mean)
        result = self._reduced(_core.sum, 0, axis, keepdims, None, size * size, where) / _core.maximum(count - ddof, 0)
        real = {_core.complex64: _core.float32, _core.complex128: _core.float64}.get(to, to)
        return _into(out, result.astype(real))

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True):
        made = self.var(axis, dtype, None, ddof, keepdims, where=where)
        return self._like(_core.sqrt(made._values)) if isinstance(made, Selection) else _into(out, _core.sqrt(made))

    def any(self, axis=None, out=None, keepdims=False, *, where=True):
        return self._reduced(_core.any, False, axis, keepdims, out, _core.not_equal(self._values, 0), where)

    def all(self, axis=None, out=None, keepdims=False, *, where=True):
        return self._reduced(_core.all, True, axis, keepdims, out, _core.not_equal(self._values, 0), where)

    def min(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        """Waits where there is no initial=: a count, as an extreme of no elements is an error."""
        return self._extreme(_core.min, 1, axis, keepdims, out, initial, where)

    def max(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        """Waits, as min."""
        return self._extreme(_core.max, -1, axis, keepdims, out, initial, where)

    def _extreme(self, function, sign, axis, keepdims, out, initial, where):
        from ._dtypes import finfo, iinfo
        kind = self.dtype.kind
        if kind == "f":
            outside = sign * float("inf")
        elif kind in "iu":
            outside = iinfo(self.dtype).max if sign > 0 else iinfo(self.dtype).min
        elif kind == "b":
            outside = sign > 0
        else:
            raise TypeError(f"the extremes of a selection of {self.dtype} are not there yet")
        if where is not True and initial is None:
            raise ValueError("where= of an extreme of x[mask] needs initial=: there may be no element")
        if initial is None and self._axes(axis)[1] and self.size == 0:
            raise ValueError("an extreme of x[mask], which has no elements")
        return self._reduced(function, outside, axis, keepdims, out, where=where, **_from(initial))

    def ptp(self, axis=None, out=None, keepdims=False):
        made = self.max(axis, None, keepdims) - self.min(axis, None, keepdims)
        return made if isinstance(made, Selection) else _into(out, made)

    def _past_nan(self, name, *args, **keywords):
        """A function that passes over NaN, where the mask leaves out; median and its like give the NaN of an
        element."""
        n_first = 0 if name in _NAN_METHODS or name.endswith("median") else 1  # q
        args, places = args[:n_first], args[n_first:]
        names = (("axis", "dtype", "out", "ddof") if name in _NAN_METHODS and name[3:6] not in ("min", "max")
                 else ("axis", "out"))
        if len(places) > len(names):
            raise TypeError(f"{name} of x[mask] takes {', '.join(names)} by place, others by name")
        return self._past_nan_of(name, args, **dict(zip(names, places)), **keywords)

    def _past_nan_of(self, name, args, axis=None, out=None, **keywords):
        if name in _NAN_METHODS and self.dtype.kind not in "fc":
            return getattr(self, name[3:])(axis=axis, out=out, **keywords)
        axes, is_whole = self._axes(axis)
        if not is_whole or keywords.get("keepdims"):
            raise TypeError(f"{name} of x[mask] along an axis behind the mask's, or with keepdims=, is not there yet; "
                            "numpy.asarray(x[mask]) gathers it")
        values = _core.where(self._whole_mask, self._values, float("nan"))
        made = getattr(_core, name if name in _PAST_NAN else "nan" + name)(values, *args, axis=axes, **keywords)
        if name not in _PAST_NAN:
            made = _core.where((self != self).any(axis), float("nan"), made)
        if keywords.get("method") in ("inverted_cdf", "closest_observation", "lower", "higher", "nearest"):
            if self.dtype.kind not in "fc" and self.size == 0:
                raise ValueError(f"{name} of x[mask], which has no elements")
            made = made.astype(self.dtype)  # one of the elements
        return _into(out, made)

    def _weights(self, weights, axis):
        """Weights as large as the selection, or along the axes, in their order: over all points."""
        inner, is_chosen = self._inner(), isinstance(weights, Selection)
        if is_chosen:
            self._check_mask(weights)
        values = weights._values if is_chosen else _core.as_array(weights)
        n_masked = self._mask.values.ndim if is_chosen else 0
        own = values.shape[n_masked:]
        if is_chosen and own == inner:
            return weights
        if axis is None:
            raise TypeError("average of x[mask]: weights of another shape need axis=")
        along = axes_of(axis, 1 + len(inner))
        fits = not is_chosen or along[:1] == (0,)
        along = along[1:] if is_chosen else along
        if not fits or 0 in along or own != tuple(inner[k - 1] for k in along):
            raise ValueError(f"average of x[mask]: weights of shape {weights.shape if is_chosen else own} do not lie "
                             f"along axis {axis}: select those of the mask's axis with it, w[mask]")
        laid = laid_along(values, tuple(k - 1 for k in along), len(inner), n_masked)
        if not is_chosen:
            laid = _core.reshape(laid, (1,) * self._mask.values.ndim + laid.shape)
        return self._like(_core.broadcast_to(laid, self._values.shape))

    def average(self, axis=None, weights=None, returned=False, *, keepdims=False):
        if weights is None:
            made = self.mean(axis, keepdims=keepdims)
            total = self._count(axis, True)
        else:
            from ._dtypes import result_type
            weights = self._weights(weights, axis)
            to = result_type(self.dtype, weights.dtype)
            if self.dtype.kind in "iub":
                to = result_type(to, _core.float64)
            weights = weights.astype(to)
            total = weights.sum(axis, keepdims=keepdims)
            made = (self.astype(to) * weights).sum(axis, keepdims=keepdims) / total
        if not returned:
            return made
        if isinstance(made, Selection):
            return made, made * 0 + total
        return made, _core.copy(_core.broadcast_to(_core.as_array(total), made.shape)).astype(made.dtype)

    def dot(self, other):
        """Of two vectors that the same mask selects."""
        if not isinstance(other, Selection) or self._inner() or other._inner():
            raise TypeError("a product of x[mask] is one of two vectors that one mask selects, x[m] @ y[m]; "
                            "numpy.asarray(x[mask]) gathers them")
        made = self * other
        return made.any() if made.dtype.kind == "b" else made.sum(dtype=made.dtype)

    __matmul__ = dot

    def __rmatmul__(self, other):
        return self.dot(other)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        return self._like(_core.astype(self._values, dtype, order=order, casting=casting))

    def round(self, decimals=0):
        return self._like(_core.round(self._values, decimals))

    def clip(self, min=None, max=None):
        return _of_elements(_core.clip, (self, min, max), {})

    def conj(self):
        return self._like(_core.conj(self._values))

    conjugate = conj
    real = property(lambda self: self._like(_core.real(self._values)))
    imag = property(lambda self: self._like(_core.imag(self._values)))

    def copy(self):
        return self._like(_core.copy(self._values))

    def __array_namespace__(self, api_version=None):
        raise TypeError("x[mask] is no array: its shape depends on values")


# The functions of the table that are of each element, beside those that texts of kernels know.
_OF_ELEMENTS = {"angle", "around", "clip", "isclose", "round"}


_NAN_METHODS = {"nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax"}
_PAST_NAN = _NAN_METHODS | {"nanmedian", "nanquantile", "nanpercentile"}


_PRODUCTS = {"dot", "vdot", "inner", "vecdot", "matmul"}


def of_selections(name, args, keywords):
    """A function of the table, of the elements that a mask selects."""
    function = getattr(_core, name)
    keywords = dict(keywords)
    for place, parameter in enumerate(("a", "b")):
        if len(args) == place and type(keywords.get(parameter)) is Selection:
            args = (*args, keywords.pop(parameter))
    first = args[0] if args else None
    if type(first) is Selection and (name in _PAST_NAN or name in ("median", "quantile", "percentile")):
        return first._past_nan(name, *args[1:], **keywords)
    if name in _PRODUCTS and len(args) == 2 and not keywords:
        if type(first) is not Selection:
            return args[1].dot(first)
        return (first.conj() if name[0] == "v" else first).dot(args[1])
    if name not in _core.point_functions and name not in _OF_ELEMENTS and type(function) is not _core.ufunc:
        raise TypeError(f"{name} takes no x[mask] yet: what a mask selects can be computed with point by point and "
                        "reduced; numpy.asarray(x[mask]) gathers it")
    return _of_elements(function, args, keywords)


def _of_elements(function, args, keywords):
    first = next(a for a in (*args, *keywords.values()) if type(a) is Selection)
    if function is _core.power and len(args) > 1:
        args = (args[0], first._exponent(args[1]), *args[2:])
    if keywords.get("out") is not None:
        raise TypeError("out= of a function of x[mask]: the number of its elements is not known; x[mask] = … puts them "
                        "back")
    made = function(*(a if a is None else first._of(a) for a in args),
                    **{name: first._of(a) if isinstance(a, (Selection, ndarray, list, tuple)) else a
                       for name, a in keywords.items()})
    return tuple(map(first._like, made)) if isinstance(made, tuple) else first._like(made)


def of_elements(function):
    """A function of Python that is of each element, for selections, too."""
    @wraps(function)
    def of(*args, **keywords):
        if any(type(a) is Selection for a in (*args, *keywords.values())):
            return _of_elements(function, args, keywords)
        return function(*args, **keywords)

    return of


def _operators():
    def forward(f):
        return lambda self, other: self._like(f(self._values, self._of(other)))

    def backward(f):
        return lambda self, other: self._like(f(self._of(other), self._values))

    for name in "add sub mul truediv floordiv mod and or xor lshift rshift".split():
        f = getattr(operator, f"__{name}__")
        setattr(Selection, f"__{name}__", forward(f))
        setattr(Selection, f"__r{name}__", backward(f))
    Selection.__pow__ = lambda self, other: _of_elements(_core.power, (self, other), {})
    Selection.__rpow__ = lambda self, other: _of_elements(_core.power, (other, self), {})
    Selection.__divmod__ = lambda self, other: _of_elements(_core.divmod, (self, other), {})
    Selection.__rdivmod__ = lambda self, other: _of_elements(_core.divmod, (other, self), {})
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
    values = key
    if not isinstance(key, ndarray):
        if not isinstance(key, (list, bool)) and not hasattr(key, "__array__"):
            return None
        values = _core.as_array(key)
    if values.dtype.kind != "b":
        return None
    if values.shape != x.shape[:values.ndim]:
        raise IndexError(f"a mask of shape {values.shape} for an array of shape {x.shape}")
    return _Mask(key, values)


def _is_indices(item):
    return (isinstance(item, ndarray) and item.dtype.kind in "iu") or isinstance(item, (list, range)) or (
        not isinstance(item, ndarray) and hasattr(item, "__array__"))


def _indices(item):
    x = _core.as_array(item)
    return _core.astype(x, _core.int64) if x.size == 0 and isinstance(item, (list, range)) else x


def in_range(indices, n):
    """The indices from the start, as int64; one that is out of range is an IndexError, for which the program waits."""
    dtype = indices.dtype
    if dtype.kind not in "iu":
        raise IndexError(f"an index is a whole number, not {dtype}")
    if dtype != _core.uint64:  # whose largest are no int64
        indices = _core.astype(indices, _core.int64)
    outside = indices >= n
    if dtype.kind == "i":
        outside = _core.logical_or(outside, indices < -n)
    if indices.size and bool(_core.any(outside)):
        raise IndexError(f"an index is out of range for an axis of length {n}")
    indices = _core.astype(indices, _core.int64)
    return _core.where(indices < 0, indices + n, indices)


def pick(x, indices):
    """The elements of x at numbers in flat order, which are in range."""
    number = _core.astype(indices, _core.int64)
    flat = _core.ravel(x)
    return _core.kernel("take", "raw T x, int64 k", "T y", "y = x[k]", (flat, number))


def take(x, indices, axis, checks=True):
    """x's parts along an axis, in the order of the indices, which may have any shape; they are in range where not
    `checks`."""
    axis = axis_of(axis, x.ndim)
    n = x.shape[axis]
    indices = in_range(indices, n) if checks else indices
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
    indices = [in_range(_indices(item), n) for item, n in zip(key, x.shape)]
    flat = indices[0]
    for index, n in zip(indices[1:], x.shape[1:]):
        flat = flat * n + index
    return pick(x, flat) if flat.size else _core.zeros(flat.shape, x.dtype)


def _refuse(key):
    kinds = ", ".join(type(item).__name__ for item in (key if isinstance(key, tuple) else (key,)))
    raise IndexError(f"a key of ({kinds}) is not there yet: slices, `...`, None and whole numbers are views; one mask "
                     "selects; one array of whole numbers takes along an axis, one for each axis takes elements")


def _refuse_to_write(key):
    kinds = ", ".join(type(item).__name__ for item in (key if isinstance(key, tuple) else (key,)))
    raise IndexError(f"x[key] = values with a key of ({kinds}) is not there yet: written are slices, `...`, None, "
                     "whole numbers, and what one mask selects, which takes one value if slices are beside it; for "
                     "rows by number, x[...] = where(mask, values, x)")


def select(x, key):
    """x[key] where the key is no slice."""
    mask = _as_mask(key, x)
    if mask is not None:  # a selection is a copy, as NumPy's
        if mask.values is key:
            mask.values = _core.copy(key)
        return Selection(_core.copy(x), mask)
    if _is_indices(key):
        return take(x, _indices(key), 0)
    if not isinstance(key, tuple):
        _refuse(key)
    if len(key) == 1:
        return select(x, key[0])
    if len(key) == x.ndim and all(_is_indices(item) or isinstance(item, int) for item in key):
        return _by_numbers(x, key)
    arrays = [k for k, item in enumerate(key) if _is_indices(item) and not _is_number(item)]
    if len(arrays) != 1 or not all(_is_plain(item) for k, item in enumerate(key) if k != arrays[0]):
        _refuse(key)
    at = arrays[0]
    view = _core.view(x, key[:at] + (slice(None),) + key[at + 1:])
    if any(item is Ellipsis for item in key[:at]):
        axis = view.ndim - 1 - sum(not _is_number(item) for item in key[at + 1:])
    else:
        axis = sum(not _is_number(item) for item in key[:at])
    indices = _indices(key[at])
    made = take(view, indices, axis)
    numbers = [k for k, item in enumerate(key) if k == at or _is_number(item)]
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return made
    return _core.moveaxis(made, tuple(range(axis, axis + indices.ndim)), tuple(range(indices.ndim)))  # as NumPy has it


def _is_number(item):
    """A whole number, whose axis a key takes away."""
    dtype = getattr(item, "dtype", _core.int64)
    return (not isinstance(item, bool) and hasattr(item, "__index__") and not getattr(item, "ndim", 0)
            and dtype.kind in "iu")


def _is_plain(item):
    return isinstance(item, slice) or item is Ellipsis or item is None or _is_number(item)


def _masked_part(x, key):
    """The part of x that a key of slices, numbers and one mask is of, and the mask with axes for all of the part's; or
    None."""
    masks = [k for k, item in enumerate(key) if isinstance(item, list) or getattr(item, "ndim", 0)]
    if len(masks) != 1 or not all(_is_plain(item) for k, item in enumerate(key) if k != masks[0]):
        return None
    at = masks[0]
    mask = _core.as_array(key[at])
    if mask.dtype.kind != "b" or mask.ndim == 0:
        return None
    part = _core.view(x, key[:at] + (slice(None),) * mask.ndim + key[at + 1:])
    behind = sum(not _is_number(item) and item is not Ellipsis for item in key[at + 1:])
    before = sum(not _is_number(item) for item in key[:at])
    axis = part.ndim - mask.ndim - behind if any(item is Ellipsis for item in key[:at]) else before
    if mask.shape != part.shape[axis:axis + mask.ndim]:
        raise IndexError(f"a mask of shape {mask.shape} for axes of lengths {part.shape[axis:axis + mask.ndim]}")
    return part, _core.reshape(mask, mask.shape + (1,) * (part.ndim - axis - mask.ndim))


def store(x, key, value):
    """x[key] = value where the key is no slice."""
    if type(value) in _NUMBERS and isinstance(key, ndarray) and key.dtype.kind == "b" and key.shape == x.shape:
        _put(x, key, value)
        return
    mask = _as_mask(key, x)
    if mask is None and isinstance(key, tuple) and len(key) == 1:
        mask = _as_mask(key[0], x)
    if mask is None:
        found = _masked_part(x, key) if isinstance(key, tuple) else None
        if found is None or isinstance(value, Selection) or not (type(value) in _NUMBERS
                                                                 or _core.as_array(value).ndim == 0):
            _refuse_to_write(key)
        _put(*found, value)
        return
    if isinstance(value, Selection):
        if not value._mask.is_same(mask):
            raise TypeError("x[m] = y[k] with two masks, which select other elements: use one mask, unchanged, m = …; "
                            "x[m] = y[m]")
        value = value._values
        if value.shape != x.shape:
            raise ValueError(f"a selection of shape {value.shape} for an array of shape {x.shape}")
    else:
        given, value = value, _behind(value, x.shape[mask.values.ndim:])
        if value is None:
            raise ValueError(f"x[mask] = values of shape {_core.as_array(given).shape} is not there yet: one value, or "
                             "x[mask] = f(x[mask])")
    _put(x, _spread(mask.values, x), value)


_NUMBERS = (bool, int, float, complex)


def _put(x, mask, value):
    """x = value where the mask is true. A number that x's dtype does not hold is an OverflowError; a fraction is cut
    off."""
    if isinstance(value, (int, float)) and x.dtype.kind in "iu":
        value = _core.as_array(value, x.dtype)
    result = _core.where(mask, value, x)
    if result.dtype is not x.dtype:
        check_cast("x[mask] = …", result.dtype, x.dtype)
    _core.assign(x, result)
