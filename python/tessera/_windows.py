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
    """The modified Bessel function of the first kind and order 0: its power series up to 20, and beyond its asymptotic
    one."""
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


def _ends(start, stop):
    """Real numbers as they are, all else as arrays; and the dtype of a space between these."""
    ends = [v if _is_number(v) else _core.as_array(v) for v in (start, stop)]
    if all(type(v) in (bool, int, float) for v in ends):
        return *ends, None
    of = result_type(*ends, 1.0)
    return *(_core.as_array(v) if type(v) is complex else v for v in ends), of


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """Numbers at one distance from start to stop, which may be arrays: a line along `axis` for each of their
    elements."""
    if device not in (None, "cpu"):
        raise TypeError(f"linspace(): device={device!r} is not there yet: tessera.device_scope says where")
    first, last, of = _ends(start, stop)
    made = _core.linspace(first, last, num, endpoint, False, of if dtype is None else dtype, axis)
    if not retstep:
        return made
    parts = index(num) - 1 if endpoint else index(num)
    width = 1.0 * _core.as_array(last) - 1.0 * _core.as_array(first)
    return made, width / parts if parts > 0 else width * float("nan")


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of the base, whose exponents are at one distance."""
    if _is_number(base) and type(base) is not complex:
        first, last, of = _ends(start, stop)
        return _core.logspace(first, last, num, endpoint, base, of if dtype is None else dtype, axis)
    base = _core.as_array(base)
    start, stop = (_core.broadcast_to(v, _spread(base.shape, v)) for v in map(_core.as_array, (start, stop)))
    made = _core.power(_core.expand_dims(base, axis) if base.ndim else base,
                       linspace(start, stop, num, endpoint, axis=axis))
    return made if dtype is None else _core.astype(made, dtype)


def _spread(shape, v):
    from ._functions import broadcast_shapes
    return broadcast_shapes(shape, v.shape)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Numbers of which each is the one before times one factor."""
    start, stop, of = _ends(start, stop)
    return _core.geomspace(start, stop, num, endpoint, of if dtype is None else dtype, axis)


BEHIND_ROWS = {"linspace": linspace, "logspace": logspace, "geomspace": geomspace}
