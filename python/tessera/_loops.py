"""What NumPy does by a loop of Python's: numbers of an iterator, a function of each vector, of each element, and their
indices."""
from itertools import islice
from operator import index

from . import _core, _ufuncs
from ._axes import axis_of


def fromiter(iter, dtype, count=-1, *, like=None):
    """An array of the first `count` numbers of an iterator, or of all. The iterators of all ranks give the same."""
    if like is not None:
        raise TypeError("fromiter(): like= is not there yet")
    numbers = list(iter if count < 0 else islice(iter, count))
    if count >= 0 and len(numbers) < count:
        raise ValueError(f"fromiter: the iterator has {len(numbers)} numbers, not {count}")
    return _core.as_array(numbers, dtype) if numbers else _core.zeros(0, dtype)


def _indices(shape):
    """In row-major order; no list of them is made."""
    if not shape:
        yield ()
        return
    for first in _indices(shape[:-1]):
        for k in range(shape[-1]):
            yield (*first, k)


class ndindex:
    """All indices of a shape in row-major order: ndindex(2, 3), ndindex((2, 3))."""

    def __init__(self, *shape):
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        if any(n < 0 for n in shape):
            raise ValueError("ndindex: a length is below 0")
        shape = tuple(map(index, shape))
        self._indices = iter(()) if 0 in shape else _indices(shape)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._indices)


class ndenumerate:
    """Pairs of an index and the element there, a number of Python's; reads all elements: waits."""

    def __init__(self, arr):
        x = _core.as_array(arr)
        self._pairs = zip(ndindex(x.shape), _core.ravel(x).tolist())

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._pairs)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """A function of each vector along the axis, whose results take the axis's place. It is called with views, once for
    each vector, and what it computes is recorded: nothing waits but what it reads."""
    x = _core.as_array(arr)
    axis = axis_of(axis, x.ndim)
    others = x.shape[:axis] + x.shape[axis + 1:]
    if 0 in others:
        raise ValueError("apply_along_axis: there is no vector along the axis, as another axis has no elements")
    made = []
    for at in ndindex(others):
        made.append(_core.as_array(func1d(_core.view(x, at[:axis] + (slice(None),) + at[axis:]), *args, **kwargs)))
        if made[-1].shape != made[0].shape:
            raise ValueError(f"apply_along_axis: the function gives shapes {made[0].shape} and {made[-1].shape}")
    own = made[0].ndim
    result = _core.reshape(_core.stack(made), others + made[0].shape)
    for k in range(own):
        result = _core.moveaxis(result, len(others) + k, axis + k)
    return result


class vectorize:
    """A function of numbers as one of arrays, which broadcast: vectorize(f)(x, y). It becomes a kernel
    (tessera.kernel), so it is one that assigns expressions to names, chooses and returns; Python does not call it for
    each element."""

    def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        if excluded or signature is not None:
            raise TypeError(f"vectorize(): {'excluded' if excluded else 'signature'}= is not there yet")
        self.otypes, self._doc, self._kernel = otypes, doc, None
        if pyfunc is not None:
            self._take(pyfunc)

    def _take(self, pyfunc):
        self.pyfunc, self.__name__ = pyfunc, getattr(pyfunc, "__name__", "vectorize")
        self.__doc__ = self._doc if self._doc is not None else pyfunc.__doc__
        if isinstance(pyfunc, (_core.ufunc, _ufuncs.ufunc)):
            self._kernel = pyfunc
            return
        from ._kernels import kernel
        try:
            self._kernel = kernel(pyfunc)
        except (TypeError, SyntaxError) as error:
            raise TypeError(f"vectorize makes a kernel of the function, and cannot: {error}. "
                            "numpy.vectorize(f)(numpy.asarray(x)) calls it for each element, of a gathered "
                            "array") from None

    def __call__(self, *args, **keywords):
        if self._kernel is None:  # as a decorator with arguments
            if len(args) != 1 or keywords or not callable(args[0]):
                raise TypeError("vectorize() needs the argument 'pyfunc'")
            self._take(args[0])
            return self
        made = self._kernel(*args, **keywords)
        if self.otypes is None:
            return made
        results = made if isinstance(made, tuple) else (made,)
        if len(self.otypes) != len(results):
            raise ValueError(f"vectorize: {len(self.otypes)} dtypes for {len(results)} results")
        results = tuple(_core.astype(x, of) for x, of in zip(results, self.otypes))
        return results if isinstance(made, tuple) else results[0]
