"""tessera.random: generators. What is drawn is a function of the seed, of how many draws there were and of the
element's index: the same on any number of ranks. The numbers are not NumPy's; their distributions are.

The functions of the module draw from a generator that the first of them makes, and seed() makes anew.
"""
import operator

from . import _core


def _shape(size, *operands):
    """The shape of a draw: `size`, or what the parameters broadcast to."""
    if size is not None:
        return size
    from ._functions import broadcast_shapes
    return broadcast_shapes(*(_core.as_array(x).shape for x in operands if not isinstance(x, (int, float))))


def _operand(x):
    return x if isinstance(x, (int, float)) else _core.as_array(x)


class Generator:
    """A generator of random numbers, as numpy.random.Generator."""

    def __init__(self, seed):
        self._seed, self._n_draws = seed, 0

    def __getattr__(self, name):
        raise AttributeError(f"a Generator has no {name!r} yet; dir(generator) lists what it draws")

    def _draw(self, kind, a, b, size, dtype=None):
        made = _core.draw(kind, self._seed, self._n_draws, a, b, size, dtype)
        self._n_draws += 1
        return made

    def random(self, size=None, dtype=None):
        """Uniform from 0 to 1, less 1."""
        return self._draw("uniform", 0.0, 1.0, size, dtype)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._draw("uniform", _operand(low), _operand(high), _shape(size, low, high))

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._draw("normal", _operand(loc), _operand(scale), _shape(size, loc, scale))

    def standard_normal(self, size=None, dtype=None):
        return self._draw("normal", 0.0, 1.0, size, dtype)

    def exponential(self, scale=1.0, size=None):
        return self._draw("exponential", _operand(scale), 0, _shape(size, scale))

    def standard_exponential(self, size=None, dtype=None):
        return self._draw("exponential", 1.0, 0, size, dtype)

    def integers(self, low, high=None, size=None, dtype=None, endpoint=False):
        low, high = (0, low) if high is None else (low, high)
        if isinstance(low, int) and isinstance(high, int):
            return self._draw("integers", low, high + bool(endpoint), size, dtype)
        from ._dtypes import result_type
        low, high = _core.as_array(low), _core.as_array(high) + int(endpoint)
        span = _core.astype(high - low, _core.float64)  # at most 2^53
        made = _core.floor(self._draw("uniform", 0.0, 1.0, _shape(size, low, high)) * span)
        return _core.astype(low + _core.astype(made, result_type(low, high)), dtype or _core.int64)

    def permutation(self, x):
        return self._draw("permutation", x, 0, None)

    def shuffle(self, x):
        if not isinstance(x, _core.ndarray):
            raise TypeError(f"shuffle moves the elements of an array, not of a {type(x).__name__}; permutation makes "
                            "an array")
        self._draw("shuffle", x, 0, None)

    def choice(self, a, size=None, replace=True, p=None):
        """Elements of an array, or whole numbers below a."""
        if p is None:
            return self._draw("choice", a, bool(replace), size)
        if not replace:
            raise TypeError("choice(): p= without replacement is not there yet")
        from ._functions import searchsorted, take
        sums = _core.cumsum(_core.as_array(p, _core.float64))
        n = sums.shape[0]
        number = searchsorted(sums / _core.view(sums, (n - 1,)), self.random(size), side="right")
        return number if isinstance(a, int) else take(_core.as_array(a), number, 0, mode="clip")

    # Transforms of the draws above.

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return _operand(loc) - _operand(scale) * _core.log(self.standard_exponential(_shape(size, loc, scale)))

    def laplace(self, loc=0.0, scale=1.0, size=None):
        size = _shape(size, loc, scale)
        return _operand(loc) + _operand(scale) * (self.standard_exponential(size) - self.standard_exponential(size))

    def logistic(self, loc=0.0, scale=1.0, size=None):
        size = _shape(size, loc, scale)
        ratio = self.standard_exponential(size) / self.standard_exponential(size)
        return _operand(loc) + _operand(scale) * _core.log(ratio)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return _core.exp(self.normal(mean, sigma, size))

    def pareto(self, a, size=None):
        return _core.expm1(self.standard_exponential(_shape(size, a)) / _operand(a))

    def power(self, a, size=None):
        return _core.exp(-self.standard_exponential(_shape(size, a)) / _operand(a))

    def rayleigh(self, scale=1.0, size=None):
        return _operand(scale) * _core.sqrt(2.0 * self.standard_exponential(_shape(size, scale)))

    def standard_cauchy(self, size=None):
        return self.standard_normal(size) / self.standard_normal(size)

    def triangular(self, left, mode, right, size=None):
        left, mode, right = map(_operand, (left, mode, right))
        u = self.random(_shape(size, left, mode, right))
        width, rise = right - left, mode - left
        return _core.where(u * width <= rise, left + _core.sqrt(u * width * rise),
                           right - _core.sqrt((1 - u) * width * (right - mode)))

    def weibull(self, a, size=None):
        return _core.power(self.standard_exponential(_shape(size, a)), 1.0 / _operand(a))

    def geometric(self, p, size=None):
        p = _core.as_array(p, _core.float64)
        made = _core.ceil(self.standard_exponential(_shape(size, p)) / -_core.log1p(-p))
        return _core.astype(_core.maximum(made, 1), _core.int64)


_64_BITS = (1 << 64) - 1


def _seed_of(seed):
    """64 bits of a whole number that is not negative, or of a sequence of such: below 2^64 the number itself."""
    try:
        words = [operator.index(seed)]
    except TypeError:
        if isinstance(seed, (str, bytes, float, complex)) or not hasattr(seed, "__iter__"):
            raise TypeError(f"a seed is a whole number or a sequence of such, not {seed!r}") from None
        words = [operator.index(word) for word in (seed.tolist() if hasattr(seed, "tolist") else seed)]
    if any(word < 0 for word in words):
        raise ValueError("expected non-negative integer: a seed is not negative")
    entropy, at = 0, 0  # each number takes as many words of 32 bits as it needs
    for word in words:
        entropy |= word << at
        at += max(32, (word.bit_length() + 31) // 32 * 32)
    mixed = 0
    while entropy > _64_BITS:  # the finisher of SplitMix64 (Steele, Lea, Flood 2014) over all but the last 64 bits
        mixed = (mixed ^ (entropy & _64_BITS)) + 0x9E3779B97F4A7C15 & _64_BITS
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _64_BITS
        mixed ^= mixed >> 31
        entropy >>= 64
    return mixed ^ entropy


def default_rng(seed=None):
    """A generator at its beginning; without a seed, of one that rank 0's clock gives."""
    if isinstance(seed, Generator):
        return seed
    return Generator(int(_core.time() * 1e9) & _64_BITS if seed is None else _seed_of(seed))


_generator = None


def _module():
    global _generator
    if _generator is None:
        _generator = default_rng()
    return _generator


def seed(seed=None):
    """Makes the module's generator anew."""
    global _generator
    if isinstance(seed, float):
        raise TypeError(f"a seed is a whole number or a sequence of such, not {seed!r}")
    for word in () if seed is None else seed if hasattr(seed, "__iter__") and not isinstance(seed, str) else (seed,):
        if not 0 <= operator.index(word) < 1 << 32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
    _generator = default_rng(seed)


def _functions():
    for name in ("choice exponential geometric gumbel laplace logistic lognormal normal pareto permutation power "
                 "rayleigh shuffle standard_cauchy standard_exponential standard_normal triangular uniform weibull "
                 "random").split():
        def of(*args, _name=name, **keywords):
            return getattr(_module(), _name)(*args, **keywords)

        method = getattr(Generator, name)
        of.__name__ = of.__qualname__ = name
        of.__doc__ = (method.__doc__ or f"As Generator.{name}") + ", of the module's generator."
        yield name, of


globals().update(_functions())
random_sample = ranf = sample = random  # noqa: F821 (made above)


def rand(*shape):
    """Uniform from 0 to 1, less 1."""
    return _module().random(shape)


def randn(*shape):
    """Normal, of mean 0 and deviation 1."""
    return _module().standard_normal(shape)


def randint(low, high=None, size=None, dtype=None):
    """Whole numbers from low to high, less high; from 0 to low where there is no high."""
    return _module().integers(low, high, size, dtype)


def random_integers(low, high=None, size=None):
    """Whole numbers from low to high; from 1 to low where there is no high."""
    return _module().integers(1 if high is None else low, low if high is None else high, size, endpoint=True)


def __getattr__(name):
    raise AttributeError(f"tessera.random has no {name!r} yet; docs/numpy.md lists what is there")
