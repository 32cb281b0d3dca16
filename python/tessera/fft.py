"""tessera.fft: frequencies and shifts. Each transform says that it is not there yet."""
from operator import index

from . import _axes, _fallback

_MISSING = ("fft ifft rfft irfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn hfft ihfft").split()


def __getattr__(name):
    found = _fallback.attribute(name, "fft")
    if found is not None:
        return found
    if name in _MISSING:
        raise AttributeError(f"tessera.fft.{name} is not there yet; numpy.asarray(x) gathers an array for NumPy, and "
                             "tessera.fallback(\"numpy\") lets it compute such functions")
    raise AttributeError(f"module 'tessera.fft' has no attribute {name!r}")


def fftfreq(n, d=1.0, device=None, *, dtype=None):
    """The frequencies of a transform of n samples."""
    from . import _core
    n = _whole(n)
    k = _core.arange(n)
    half = (n - 1) // 2 + 1
    return _core.astype(_core.where(k < half, k, k - n), dtype or _core.float64) * (1.0 / (n * d))


def rfftfreq(n, d=1.0, device=None, *, dtype=None):
    """The frequencies of a transform of n real samples."""
    from . import _core
    n = _whole(n)
    return _core.astype(_core.arange(n // 2 + 1), dtype or _core.float64) * (1.0 / (n * d))


def _whole(n):
    try:
        return index(n)
    except TypeError:
        raise ValueError(f"n is a whole number, not {n!r}") from None


def fftshift(x, axes=None):
    """The zero frequency in the middle."""
    from . import _core
    x = _core.as_array(x)
    axes = _axes.axes_of(axes, x.ndim)
    return _core.roll(x, tuple(x.shape[k] // 2 for k in axes), axes)


def ifftshift(x, axes=None):
    """The zero frequency first."""
    from . import _core
    x = _core.as_array(x)
    axes = _axes.axes_of(axes, x.ndim)
    return _core.roll(x, tuple(-(x.shape[k] // 2) for k in axes), axes)
