"""Functions of the index alone, and series: windows, i0, and numbers between arrays."""
from math import pi
from operator import index

from . import _core
from ._dtypes import _DEFAULTS, result_type


def _window(M, of):
    n = int(M)
    if n < 1:
        return _core.zeros(0)
    return _core.ones(1) if n == 1 else of(_core.arange(1.0 - n, float(n), 2.0), n)


def bartlett(M):
    """A triangle of M points, 0 at the ends."""
    return _window(M, lambda k, n: _core.where(k <= 0, 1 + k / (n - 1), 1 - k / (n - 1)))


def blackman(M):
    """A window of M points, of two cosines."""
    return _window(M, lambda k, n: 0.42 + 0.5 * _core.cos(pi * k / (n - 1)) + 0.08 * _core.cos(2.0 * pi * k / (n - 1)))


def hamming(M):
    """A raised cosine of M points."""
    return _window(M, lambda k, n: 0.54 + 0.46 * _core.cos(pi * k / (n - 1)))


def hanning(M):
    """A raised cosine of M points, 0 at the ends."""
    return _window(M, lambda k, n: 0.5 + 0.5 * _core.cos(pi * k / (n - 1)))


def kaiser(M, beta):
    """A window of M points, of i0: beta weighs the width of its main lobe against the height of the others."""
    def of(k, n):
        return i0(beta * _core.sqrt(1 - (k / (n - 1)) ** 2)) / i0(float(beta))

    return _window(M, of)


def i0(x):
    """The modified Bessel function of the first kind and order 0: its power series up to 20, and beyond its asymptotic one."""
    x = _core.as_array(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 takes real numbers")
    to = x.dtype if x.dtype.kind == "f" else _core.float64
    size = _core.absolute(_core.astype(x, _core.float64))
    near = _core.minimum(size, 20.0)
    y, series = near * near / 4, 1.0
    for k in range(40, 0, -1):
        series = 1.0 + y * (series / (k * k))
    far = _core.maximum(size, 20.0)
    y, tail = 0.125 / far, 1.0
    for k in range(22, 0, -1):
        tail = 1.0 + y * ((2 * k - 1) ** 2 / k) * tail
    half = _core.exp(far / 2)  # whose square is beyond float64 later than exp(far)
    return _core.astype(_core.where(size <= 20, series, half * (half * tail / _core.sqrt(2 * pi * far))), to)


def _is_number(x):
    return type(x) in _DEFAULTS


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """Numbers at one distance from start to stop, which may be arrays: a line along `axis` for each of their elements."""
    if _is_number(start) and _is_number(stop) and not retstep and device in (None, "cpu"):
        return _core.linspace(start, stop, num, endpoint, False, dtype)
    num = index(num)
    if num < 0:
        raise ValueError(f"linspace: {num} numbers")
    start, stop = (_core.as_array(v) for v in (start, stop))
    of = result_type(start, stop, float(num))
    start, stop = (_core.astype(v, of) for v in (start, stop))
    parts = num - 1 if endpoint else num
    width = stop - start
    at = _core.reshape(_core.astype(_core.arange(num), result_type(of, _core.float32) if of.kind == "c" else of),
                       (-1,) + (1,) * width.ndim)
    step = width / parts if parts > 0 else width * float("nan")
    made = start + at * (step if parts > 0 else width)
    if endpoint and num > 1:
        made = _core.where(_core.equal(_core.real(at), num - 1), stop, made)
    if dtype is not None and _core.dtype(dtype) != made.dtype:
        made = _core.astype(_core.floor(made) if _core.dtype(dtype).kind in "iu" else made, dtype)
    made = _core.moveaxis(made, 0, axis) if axis != 0 else made
    return (made, step) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of the base, whose exponents are at one distance."""
    if _is_number(start) and _is_number(stop) and _is_number(base):
        return _core.logspace(start, stop, num, endpoint, base, dtype)
    if not _is_number(base):
        base = _core.as_array(base)
        start, stop = (_core.broadcast_to(v, _spread(base.shape, v)) for v in map(_core.as_array, (start, stop)))
        at = linspace(start, stop, num, endpoint, axis=axis)
        made = _core.power(_core.expand_dims(base, axis) if base.ndim else base, at)
    else:
        made = _core.power(float(base), linspace(start, stop, num, endpoint, axis=axis))
    return made if dtype is None else _core.astype(made, dtype)


def _spread(shape, v):
    from ._functions import broadcast_shapes
    return broadcast_shapes(shape, v.shape)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Numbers of which each is the one before times one factor."""
    if _is_number(start) and _is_number(stop):
        return _core.geomspace(start, stop, num, endpoint, dtype)
    start, stop = (_core.as_array(v) for v in (start, stop))
    of = result_type(start, stop, float(num))
    if of.kind == "c":
        raise TypeError("geomspace of complex arrays is not there yet")
    start, stop = (_core.astype(v, of) for v in (start, stop))
    sign = _core.sign(start)
    logs = linspace(_core.log10(start * sign), _core.log10(stop * sign), num, endpoint)
    at = _core.reshape(_core.arange(logs.shape[0]), (-1,) + (1,) * (logs.ndim - 1))
    made = _core.power(10.0, logs) * sign
    made = _core.where(_core.equal(at, 0), start, made)
    if endpoint and logs.shape[0] > 1:
        made = _core.where(_core.equal(at, logs.shape[0] - 1), stop, made)
    made = _core.moveaxis(made, 0, axis) if axis != 0 else made
    return made if dtype is None else _core.astype(made, dtype)


BEHIND_ROWS = {"linspace": linspace, "logspace": logspace, "geomspace": geomspace}
