"""tessera.random: generators. What is drawn is a function of the seed, of how many draws there were and of the element's index:
the same on any number of ranks. The numbers are not NumPy's."""
from . import _core


class Generator:
    """A generator of random numbers, as numpy.random.Generator."""

    def __init__(self, seed):
        self._seed, self._n_draws = seed, 0

    def _draw(self, kind, a, b, size, dtype=None):
        made = _core.draw(kind, self._seed, self._n_draws, a, b, size, dtype)
        self._n_draws += 1
        return made

    @staticmethod
    def _size(size, *operands):
        if size is not None:
            return size
        from ._functions import broadcast_shapes
        return broadcast_shapes(*(x.shape for x in operands if isinstance(x, _core.ndarray)))

    def random(self, size=None, dtype=None):
        return self._draw("uniform", 0.0, 1.0, size, dtype)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._draw("uniform", low, high, self._size(size, low, high))

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._draw("normal", loc, scale, self._size(size, loc, scale))

    def standard_normal(self, size=None, dtype=None):
        return self._draw("normal", 0.0, 1.0, size, dtype)

    def exponential(self, scale=1.0, size=None):
        return self._draw("exponential", scale, 0, self._size(size, scale))

    def standard_exponential(self, size=None, dtype=None):
        return self._draw("exponential", 1.0, 0, size, dtype)

    def integers(self, low, high=None, size=None, dtype=None, endpoint=False):
        low, high = (0, low) if high is None else (low, high)
        return self._draw("integers", int(low), int(high) + bool(endpoint), size, dtype)

    def permutation(self, x):
        return self._draw("permutation", x, 0, None)

    def shuffle(self, x):
        if not isinstance(x, _core.ndarray):
            raise TypeError(f"shuffle moves the elements of an array, not of a {type(x).__name__}; permutation makes an array")
        self._draw("shuffle", x, 0, None)

    def choice(self, a, size=None, replace=True):
        return self._draw("choice", a, bool(replace), size)


def default_rng(seed=None):
    """A generator at its beginning; without a seed, of one that rank 0's clock gives."""
    if seed is None:
        seed = int(_core.time() * 1e9)
    return Generator(int(seed) & 0xFFFFFFFFFFFFFFFF)
