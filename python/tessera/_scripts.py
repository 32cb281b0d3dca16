"""What scripts for NumPy have around their computations: grids and joined arrays by subscripts, how arrays are printed,
the answers to floating-point errors."""
from . import _core
from ._dtypes import result_type


class _Grid:
    """np.mgrid and np.ogrid: the numbers of slices along the axes of a grid; an imaginary step is a number of
    points."""
    __slots__ = ("_is_open",)

    def __init__(self, is_open):
        self._is_open = is_open

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return _numbers(key)
        axes = [_numbers(one) for one in key]
        to = result_type(*axes) if axes else _core.float64
        n = len(axes)
        open_axes = [_core.reshape(_core.astype(x, to), (1,) * k + (-1,) + (1,) * (n - 1 - k))
                     for k, x in enumerate(axes)]
        if self._is_open:
            return tuple(open_axes)
        shape = tuple(x.size for x in axes)
        return _core.stack([_core.broadcast_to(x, shape) for x in open_axes]) if axes else _core.empty((0,), to)


def _numbers(key):
    if not isinstance(key, slice):
        raise TypeError(f"a grid takes slices, mgrid[0:3, 0:4], not {key!r}")
    if key.stop is None:
        raise TypeError("a slice of a grid needs its end: mgrid[0:3]")
    start, step = key.start or 0, 1 if key.step is None else key.step
    if isinstance(step, complex):
        return _linspace(start, key.stop, int(abs(step)))
    return _core.arange(start, key.stop, step)


def _linspace(start, stop, n):
    from ._windows import linspace
    return linspace(start, stop, n)


mgrid, ogrid = _Grid(False), _Grid(True)


class _Joined:
    """np.r_ and np.c_: slices, numbers and arrays one behind the other, along the first axis or as columns."""
    __slots__ = ("_has_columns",)

    def __init__(self, has_columns):
        self._has_columns = has_columns

    def __getitem__(self, key):
        items = key if isinstance(key, tuple) else (key,)
        if any(isinstance(one, str) for one in items):
            raise TypeError("r_ and c_ with a text of axes are not there yet; concatenate and stack take an axis")
        items = [_numbers(one) if isinstance(one, slice) else one for one in items]
        items = [one if type(one) in (bool, int, float, complex) else _core.as_array(one) for one in items]
        to = result_type(*items)
        parts = [self._part(_core.as_array(one, to) if type(one) in (bool, int, float, complex)
                            else _core.astype(one, to))
                 for one in items]
        return _core.concatenate(parts, -1 if self._has_columns else 0)

    def _part(self, x):
        if self._has_columns:
            return _core.reshape(x, (-1, 1)) if x.ndim < 2 else x
        return _core.reshape(x, 1) if x.ndim == 0 else x

    def __len__(self):
        return 0


r_, c_ = _Joined(False), _Joined(True)


def _printing(name):
    """A function of NumPy's about how arrays are printed, which are printed by it."""
    def of(*args, **keywords):
        try:
            import numpy
        except ImportError as error:
            raise ImportError(f"{name} is NumPy's, which this Python lacks; without it arrays are printed with 8 "
                              "digits") from error
        return getattr(numpy, name)(*args, **keywords)

    of.__name__ = of.__qualname__ = name
    of.__doc__ = f"NumPy's {name}: how arrays are printed, of both. The same on all ranks."
    return of


get_printoptions, set_printoptions, printoptions = map(_printing,
                                                       ("get_printoptions", "set_printoptions", "printoptions"))

_ERRORS = ("divide", "over", "under", "invalid")


def geterr():
    """What floating-point errors do: nothing, on all ranks and devices; results are infinities and NaN."""
    return dict.fromkeys(_ERRORS, "ignore")


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Floating-point errors are not told: "warn" and "ignore" are the same, and others are errors. Returns geterr()."""
    for name, value in zip(("all",) + _ERRORS, (all, divide, over, under, invalid)):
        if value not in (None, "ignore", "warn"):
            raise ValueError(f"{name}={value!r}: floating-point errors are not told, neither by exceptions nor by "
                             "calls; isfinite(x).all() asks")
    return geterr()


class errstate:
    """with errstate(divide="ignore"): as seterr in the block. A decorator, too."""

    def __init__(self, *, call=None, **errors):
        self._errors = errors

    def __enter__(self):
        seterr(**self._errors)

    def __exit__(self, *exception):
        pass

    def __call__(self, function):
        from functools import wraps

        @wraps(function)
        def of(*args, **keywords):
            with self:
                return function(*args, **keywords)
        return of


class _Key:
    """s_[1:, ::2]: the subscript itself, to be kept and used: x[s_[1:, ::2]]."""

    def __getitem__(self, key):
        return key


s_ = _Key()


def iterable(y):
    """Can the object be iterated over?"""
    try:
        iter(y)
    except TypeError:
        return False
    return True
