"""The reductions: of what a mask selects, sum(x[mask]), and with the arguments that the table's rows do not take (out=,
a mean that is given), which these rows go on to."""
from . import _core
from ._axes import axes_of
from ._dtypes import cast
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


def into(out, result, casting="same_kind"):
    """The result, in the array `out` if there is one, to whose dtype the rule casts it."""
    if type(out) is tuple and len(out) == 1:
        out = out[0]
    if out is None:
        return result
    if not isinstance(out, _core.ndarray):
        raise TypeError(f"out= takes an array of Tessera, not a {type(out).__name__}")
    if out.shape != result.shape:
        raise ValueError(f"out= has the shape {out.shape}, the result {result.shape}")
    _core.assign(out, cast("out=", result, out.dtype, casting))
    return out


def _check(name, more, n_others):
    """More arguments by place than there are would come back here from the row, for ever."""
    most = {"any": 1, "all": 1, "mean": 1, "nanmean": 1, "nanvar": 2, "nanstd": 2}.get(name, 3)
    if len(more) > most:
        raise TypeError(f"{name}() takes at most {n_others + most} positional arguments, not {n_others + len(more)}")


def _summed(name):
    function = getattr(_core, name)

    def of(a, axis=None, dtype=None, out=None, *more, **keywords):
        _check(name, more, 4)
        return into(out, function(a, axis, dtype, None, *more, **keywords))

    return of


def _of_values(name):
    function = getattr(_core, name)

    def of(a, axis=None, out=None, *more, **keywords):
        _check(name, more, 3)
        return into(out, function(a, axis, None, *more, **keywords))

    return of


def _from_mean(x, axis, mean, ddof, where):
    """The variance about a mean that is given, with the axes kept."""
    size = _core.absolute(x - mean)
    mask = _core.broadcast_to(_core.as_array(where, _core.bool), x.shape)
    count = _core.astype(_core.sum(mask, axis, keepdims=True), x.real.dtype)
    return _core.sum(size * size, axis, keepdims=True, where=mask) / _core.maximum(count - ddof, 0)


def _number(name, x):
    if isinstance(x, str) or not hasattr(x, "__float__"):
        raise TypeError(f"{name} is a number, not {x!r}")
    return float(x)


def _variance(name):
    function = getattr(_core, name)

    def of(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
        if correction is not None:
            if ddof:
                raise ValueError("ddof and correction are one: give one of them")
            ddof = correction
        ddof = _number("ddof", ddof)
        if mean is None:
            return into(out, function(a, axis, dtype, None, ddof, keepdims, where=where))
        x = _core.as_array(a)
        to = _core.dtype(dtype) if dtype is not None else x.dtype if x.dtype.kind in "fc" else _core.float64
        result = _from_mean(_core.astype(x, _core.float32 if to == _core.float16 else to), axis, mean, ddof, where)
        if not keepdims:
            axes = axes_of(axis, x.ndim)
            result = _core.reshape(result, tuple(n for k, n in enumerate(result.shape) if k not in axes))
        result = _core.sqrt(result) if name == "std" else result
        return into(out, result if to.kind == "c" else _core.astype(result, to))

    return of


def _nan_moment(name):
    function = getattr(_core, name)

    def of(a, axis=None, dtype=None, out=None, *more, mean=None, **keywords):
        if mean is not None:
            raise TypeError(f"{name}(): mean= is not there yet")
        _check(name, more, 4)
        if name != "nanmean" and more:
            more = (_number("ddof", more[0]), *more[1:])
        elif "ddof" in keywords:
            keywords["ddof"] = _number("ddof", keywords["ddof"])
        return into(out, function(a, axis, dtype, None, *more, **keywords))

    return of


BEHIND_ROWS = {
    **{name: _summed(name) for name in ("sum", "prod", "nansum", "nanprod", "mean")},
    **{name: _of_values(name) for name in ("min", "max", "nanmin", "nanmax", "any", "all")},
    "var": _variance("var"), "std": _variance("std"),
    **{name: _nan_moment(name) for name in ("nanmean", "nanvar", "nanstd")},
}
for _name, _function in BEHIND_ROWS.items():
    _function.__name__ = _function.__qualname__ = _name
