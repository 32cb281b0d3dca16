"""The reductions: of what a mask selects, sum(x[mask]), and with the arguments that the table's rows do not take (where=,
initial=), as compositions that these rows go on to."""
from . import _core
from ._axes import axes_of
from ._dtypes import finfo, iinfo, result_type
from ._index import Selection


def _with_selection(name):
    function = getattr(_core, name)

    def of(a, /, *args, **keywords):
        if type(a) is Selection:
            return getattr(a, name)(*args, **keywords)
        return function(a, *args, **keywords)

    of.__name__ = of.__qualname__ = name
    of.__doc__ = function.__doc__
    of.__text_signature__ = function.__text_signature__
    return of


all, any, max, mean, min, prod, ptp, std, sum, var = map(_with_selection, (
    "all", "any", "max", "mean", "min", "prod", "ptp", "std", "sum", "var"))
_count_nonzero = _core.count_nonzero


def count_nonzero(a, axis=None, *, keepdims=False):
    """The number of elements that are not 0."""
    return (a != 0).sum(axis, keepdims=keepdims) if type(a) is Selection else _count_nonzero(a, axis, keepdims=keepdims)


amax, amin = max, min


def into(out, result):
    """The result, in the array `out` if there is one."""
    if type(out) is tuple and len(out) == 1:
        out = out[0]
    if out is None:
        return result
    if not isinstance(out, _core.ndarray):
        raise TypeError(f"out= takes an array of Tessera, not a {type(out).__name__}")
    if out.shape != result.shape:
        raise ValueError(f"out= has the shape {out.shape}, the result {result.shape}")
    if not _core.can_cast(result.dtype, out.dtype, "same_kind"):
        raise TypeError(f"a result of {result.dtype} cannot be cast to out= of {out.dtype}")
    _core.assign(out, result)
    return out


def _masked(x, where, outside):
    """x where the mask is true, over the shape of both; `outside` elsewhere."""
    x = _core.as_array(x)
    if where is True:
        return x
    return _core.where(_core.as_array(where, _core.bool), x, _core.as_array(outside, x.dtype))


def _limit(dtype, sign):
    """The largest value of a dtype, or the least."""
    if dtype.kind == "b":
        return sign > 0
    if dtype.kind in "iu":
        return iinfo(dtype).max if sign > 0 else iinfo(dtype).min
    return sign * float("inf")


def _summed(name, outside, combine):
    function = getattr(_core, name)

    def of(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        result = function(_masked(a, where, outside), axis, dtype, keepdims=keepdims)
        if initial is not None:
            result = combine(result, _core.as_array(initial, result.dtype))
        return into(out, result)

    return of


def _extreme(name, sign, combine):
    function = getattr(_core, name)
    skips = name.startswith("nan")

    def of(a, axis=None, out=None, keepdims=False, initial=None, where=True):
        x = _core.as_array(a)
        if where is not True and initial is None and not skips:
            raise ValueError(f"{name}: with where= an initial= is needed, as no element may be chosen")
        if initial is None and where is True:
            return into(out, function(x, axis, keepdims=keepdims))
        if x.dtype.kind == "c":
            raise TypeError(f"{name}: where= and initial= of complex numbers are not there yet")
        outside = float("nan") if skips and x.dtype.kind == "f" else _limit(x.dtype, sign)
        x = _masked(x, where, outside)
        if x.size == 0:  # the reduction is of no elements: what is combined with initial= is neutral
            result = _core.full(_shape_without(x, axis, keepdims), _limit(x.dtype, sign), x.dtype)
        else:
            result = function(x, axis, keepdims=keepdims)
        if initial is not None:
            result = combine(result, _core.as_array(initial, x.dtype))
        return into(out, result)

    return of


def _shape_without(x, axis, keepdims):
    axes = axes_of(axis, x.ndim)
    return tuple(1 if k in axes else n for k, n in enumerate(x.shape) if keepdims or k not in axes)


def _truth(name, outside):
    function = getattr(_core, name)

    def of(a, axis=None, out=None, keepdims=False, *, where=True):
        x = _core.not_equal(a, 0)
        return into(out, function(_masked(x, where, outside), axis, keepdims=keepdims))

    return of


def _wide(x, dtype):
    """The elements in the dtype that means are computed in, and the dtype of the result."""
    x = _core.as_array(x)
    to = _core.dtype(dtype) if dtype is not None else x.dtype if x.dtype.kind in "fc" else _core.float64
    return _core.astype(x, _core.float32 if to == _core.float16 else to), to


def _count(where, x, axis, keepdims):
    """The number of elements of each mean."""
    mask = _core.broadcast_to(True if where is True else _core.as_array(where, _core.bool), x.shape)
    return _core.sum(mask, axis, _core.int64, keepdims=keepdims)


def _mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    x, to = _wide(a, dtype)
    x = _masked(x, where, 0)
    result = _core.sum(x, axis, keepdims=keepdims) / _core.astype(_count(where, x, axis, keepdims), x.real.dtype)
    return into(out, _core.astype(result, to))


def _variance(name):
    function = getattr(_core, name)

    def of(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
        if correction is not None:
            if ddof:
                raise ValueError("ddof and correction are one: give one of them")
            ddof = correction
        if where is True and mean is None:
            return into(out, function(a, axis, dtype, ddof=ddof, keepdims=keepdims))
        x, to = _wide(a, dtype)
        chosen = _masked(x, where, 0)
        count = _core.astype(_count(where, chosen, axis, True), x.real.dtype)
        if mean is None:
            mean = _core.sum(chosen, axis, keepdims=True) / count
        size = _core.absolute(x - mean)
        total = _core.sum(_masked(size * size, where, 0), axis, keepdims=True)
        result = total / _core.maximum(count - ddof, 0)
        if not keepdims:
            result = _core.reshape(result, _shape_without(result, axis, False))
        result = _core.sqrt(result) if name == "std" else result
        return into(out, result if to.kind == "c" else _core.astype(result, to))

    return of


def _nan_moment(name):
    function = getattr(_core, name)

    def of(a, axis=None, dtype=None, out=None, *args, where=True, mean=None, **keywords):
        if mean is not None:
            raise TypeError(f"{name}(): mean= is not there yet")
        x = _core.as_array(a)
        if where is not True and x.dtype.kind not in "fc":
            x = _core.astype(x, _core.float64)
        return into(out, function(_masked(x, where, float("nan") if where is not True else 0), axis, dtype, None, *args,
                                  **keywords))

    return of


BEHIND_ROWS = {
    "sum": _summed("sum", 0, _core.add), "prod": _summed("prod", 1, _core.multiply),
    "nansum": _summed("nansum", 0, _core.add), "nanprod": _summed("nanprod", 1, _core.multiply),
    "min": _extreme("min", 1, _core.minimum), "max": _extreme("max", -1, _core.maximum),
    "nanmin": _extreme("nanmin", 1, _core.fmin), "nanmax": _extreme("nanmax", -1, _core.fmax),
    "any": _truth("any", False), "all": _truth("all", True), "mean": _mean, "var": _variance("var"), "std": _variance("std"),
    "nanmean": _nan_moment("nanmean"), "nanvar": _nan_moment("nanvar"), "nanstd": _nan_moment("nanstd"),
}
for _name, _function in BEHIND_ROWS.items():
    _function.__name__ = _function.__qualname__ = _name
