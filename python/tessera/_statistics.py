"""Statistics made of sums and order statistics: quantiles by every method, averages with weights, covariances, edges of
bins."""
from . import _core
from ._axes import axes_of, laid_along
from ._dtypes import result_type
from ._index import Selection
from ._reductions import into


def _length(x, axis):
    n = 1
    for k in axes_of(axis, x.ndim):
        n *= x.shape[k]
    return n


def _quantiles(name):
    function = getattr(_core, name)

    def of(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
        x = _core.as_array(a)
        q = q.tolist() if hasattr(q, "tolist") else q

        def nest(q):
            if isinstance(q, (list, tuple, range)):
                if not len(q):
                    return _core.zeros((0,) + function(x, 0, axis, method=method, keepdims=keepdims,
                                                       weights=weights).shape)
                return _core.stack([nest(one) for one in q], axis=0)
            return function(x, q, axis, method=method, keepdims=keepdims, weights=weights)

        return into(out, nest(q))

    of.__name__ = of.__qualname__ = function.__name__
    return of


def _sum_to_zero(weights):
    """Do weights along one axis that the program holds itself sum to zero? Those of arrays of Tessera's are not read:
    their mean is nan."""
    if hasattr(weights, "__array__") and not isinstance(weights, _core.ndarray):
        weights = weights.__array__()  # NumPy's
        weights = weights.tolist()
    if not isinstance(weights, (list, tuple)):
        return False
    try:
        return len(weights) > 0 and sum(weights) == 0
    except TypeError:  # lists of lists
        return False


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The mean over an axis or all, where each element counts by its weight. Weights along one axis that sum to zero
    are a ZeroDivisionError if they are numbers in a list or NumPy's; arrays of Tessera's are not read for it: the mean
    is nan."""
    if type(a) is Selection:
        return a.average(axis, weights, returned, keepdims=keepdims)
    if weights is not None and _sum_to_zero(weights):
        raise ZeroDivisionError("average: the weights sum to zero")
    return (_average(a, axis, weights, returned, keepdims=keepdims) if returned
            else _core.average(a, axis, weights, keepdims=keepdims))


def _average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    x = _core.as_array(a)
    if weights is None:
        made = _core.mean(x, axis, keepdims=keepdims)
        total = _core.full(made.shape, _length(x, axis), made.dtype)
    else:
        w = _core.as_array(weights)
        made = _core.average(x, axis, w, keepdims=keepdims)
        total = _core.broadcast_to(_core.sum(_spread(w, x, axis), axis, keepdims=keepdims), made.shape)
        total = _core.copy(_core.astype(total, made.dtype))
    return (made, total) if returned else made


def _spread(w, x, axis):
    """Weights along the axes, in their order, over all of x's elements."""
    if w.shape == x.shape:
        return w
    return _core.broadcast_to(laid_along(w, axes_of(axis, x.ndim), x.ndim), x.shape)


BEHIND_ROWS = {name: _quantiles(name) for name in ("quantile", "percentile", "nanquantile", "nanpercentile")}
BEHIND_ROWS["average"] = _average


def _rows(m, rowvar, dtype):
    x = _core.as_array(m)
    if x.ndim > 2:
        raise ValueError(f"variables and observations are a matrix, not of {x.ndim} axes")
    x = _core.astype(x, dtype)
    if x.ndim == 0:
        return _core.reshape(x, (1, 1))
    if x.ndim == 1:
        return _core.reshape(x, (1, -1))
    return x.T if not rowvar else x


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """The covariances of variables, a row each."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"cov: ddof is a whole number, not {ddof}")
    if dtype is None:
        dtype = result_type(_core.as_array(m), _core.float64) if y is None else result_type(
            _core.as_array(m), _core.as_array(y), _core.float64)
    x = _rows(m, rowvar, dtype)
    if y is not None:
        x = _core.concatenate((x, _rows(y, rowvar, dtype)), axis=0)
    ddof = (0 if bias else 1) if ddof is None else int(ddof)
    w = None
    for given in (fweights, aweights):
        if given is not None:
            given = _core.astype(_core.as_array(given), _core.float64)
            if given.shape != x.shape[1:]:
                raise ValueError(f"cov: weights of shape {given.shape} for {x.shape[1]} observations")
            w = given if w is None else w * given
    if w is None:
        total = float(x.shape[1])
        mean = _core.mean(x, 1, keepdims=True)
        factor = max(total - ddof, 0.0)
    else:
        total = _core.sum(w)
        mean = _core.sum(x * w, 1, keepdims=True) / total
        if ddof == 0:
            factor = total
        elif aweights is None:
            factor = total - ddof
        else:
            factor = total - ddof * _core.sum(w * _core.as_array(aweights)) / total
        factor = _core.maximum(factor, 0)
    x = x - mean
    other = x if w is None else x * w
    other = other.T
    made = _core.matmul(x, _core.conj(other) if other.dtype.kind == "c" else other)
    made = _core.divide(made, factor)
    return _core.squeeze(made)


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlations of variables, a row each."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = _core.sqrt(_core.real(_core.diagonal(c)))
    c = c / _core.expand_dims(deviation, 1) / deviation
    if c.dtype.kind == "c":
        return _core.clip(c.real, -1, 1) + 1j * _core.clip(c.imag, -1, 1)
    return _core.clip(c, -1, 1)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of bins of one width over the range of the elements. The names of rules, bins='auto', read the
    elements' number and spread: they wait."""
    x = _core.ravel(_core.as_array(a))
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError("histogram_bin_edges: a rule for the number of bins takes no weights")
        bins = _number_of_bins(x, bins, range)
    elif getattr(bins, "ndim", 0) == 1 or isinstance(bins, (list, tuple)):
        return _core.as_array(bins)
    bins = int(bins)
    if bins < 1:
        raise ValueError(f"histogram_bin_edges: {bins} bins")
    low, high = _range(x, range)
    at = _core.arange(bins + 1) * 1.0
    edges = low + at * ((high - low) / bins)
    edges = _core.where(_core.equal(at, bins), high, edges)
    to = result_type(_core.float64, x) if x.dtype.kind != "f" else x.dtype
    return edges if edges.dtype == to else _core.astype(edges, to)


def _range(x, range):
    if range is not None:
        low, high = map(float, range)
        if low > high:
            raise ValueError("histogram_bin_edges: the range's end is below its beginning")
        return (low - 0.5, high + 0.5) if low == high else (low, high)
    if x.size == 0:
        return 0.0, 1.0
    low, high = _core.astype(_core.min(x), _core.float64), _core.astype(_core.max(x), _core.float64)
    one = _core.equal(low, high)
    return _core.where(one, low - 0.5, low), _core.where(one, high + 0.5, high)


def _number_of_bins(x, rule, range):
    rules = ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges")
    if rule not in rules:
        raise ValueError(f"histogram_bin_edges: there is no rule {rule!r}; the rules are {', '.join(rules)}")
    if range is not None or rule == "stone":
        raise TypeError(f"histogram_bin_edges: {'range=' if range else 'stone'} with the name of a rule is not there "
                        "yet")
    n = x.size
    if n == 0:
        return 1
    from math import ceil, log2, pi, sqrt
    spread = float(_core.ptp(x))

    def width(rule):
        if rule == "sqrt":
            return spread / sqrt(n)
        if rule == "rice":
            return spread / (2.0 * n ** (1 / 3))
        if rule == "sturges":
            return spread / (log2(n) + 1.0)
        if rule == "scott":
            return (24.0 * pi**0.5 / n) ** (1 / 3) * float(_core.std(x))
        if rule == "fd":
            return 2.0 * (float(_core.percentile(x, 75)) - float(_core.percentile(x, 25))) / n ** (1 / 3)
        if rule == "doane":
            sg1 = sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
            sigma = float(_core.std(x))
            if n <= 2 or sigma <= 0:
                return 0.0
            g1 = float(_core.mean(((x - _core.mean(x)) / sigma) ** 3))
            return spread / (1.0 + log2(n) + log2(1.0 + abs(g1) / sg1))
        fd, sturges = width("fd"), width("sturges")  # auto
        return min(max(fd, width("sqrt") / 2), sturges) if fd else sturges

    wide = width(rule)
    if not wide:
        return 1
    if x.dtype.kind in "iu" and wide < 1:
        wide = 1
    return int(ceil(spread / wide))
