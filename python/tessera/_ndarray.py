"""What the array object has beside its C part: protocols of other packages, printing, pickling, keys that are no
slices."""
import sys

from . import _core, _fallback, _index, _print
from ._core import ndarray

_package = sys.modules[__package__]


def _array_namespace(self, /, *, api_version=None):
    if api_version is not None and api_version not in ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"the array API's version {api_version!r} is not known; the newest known is 2025.12")
    return _package


def _to_device(self, device, /, *, stream=None):
    if device != "cpu":
        raise ValueError(f'there is no device {device!r}: where an operation runs is the scheduler\'s choice; the only '
                         'name is "cpu"')
    return self


def _array_ufunc(self, ufunc, method, *inputs, out=None, **keywords):
    """numpy.add(x, y) with an array of Tessera's among its operands."""
    function = getattr(_package, ufunc.__name__, None)
    if function is None and _fallback.is_on():
        function = _fallback.attribute(ufunc.__name__) or (lambda *x, **k: _fallback.call(ufunc.__name__, ufunc, x, k))
    if function is None:
        raise TypeError(f"Tessera has no {ufunc.__name__} yet; numpy.asarray(x) gathers an array for NumPy, and "
                        "tessera.fallback(\"numpy\") lets it compute such functions")
    if method != "__call__":
        function = None if method == "at" and _fallback.is_on() else getattr(function, method, None)
        if function is None and _fallback.is_on():
            if out is not None:
                keywords["out"] = out if len(out) > 1 else out[0]
            return _fallback.call(f"{ufunc.__name__}.{method}", getattr(ufunc, method), inputs, keywords)
        if function is None:
            raise TypeError(f"numpy.{ufunc.__name__}.{method} of Tessera's arrays is not there yet")
    if out is not None and ufunc.nout > 1:
        keywords["out"] = out
    elif out is not None:
        if not isinstance(out[0], ndarray):
            return _into_numpy(out[0], function, inputs, **keywords)
        keywords["out"] = out[0]
    return function(*inputs, **keywords)


def _into_numpy(out, function, inputs, *, where=True, casting="same_kind", **keywords):
    """A result of Tessera's into an array of NumPy's, by NumPy's rule of casting."""
    import numpy
    numpy.copyto(out, function(*inputs, casting=casting, **keywords).__array__(), casting=casting,
                 where=numpy.asarray(where))
    return out


def _array_function(self, function, types, args, keywords):
    """numpy.sum(x) of an array of Tessera's."""
    module = function.__module__.split(".")[1:]
    space = _package
    for name in module:
        space = getattr(space, name, None)
    ours = getattr(space, function.__name__, None) if space is not None else None
    if ours is None and _fallback.is_on():
        return _fallback.call(".".join(module + [function.__name__]), function, args, keywords)
    if ours is None:
        raise TypeError(f"Tessera has no {'.'.join(module + [function.__name__])} yet; numpy.asarray(x) gathers an "
                        "array for NumPy, and tessera.fallback(\"numpy\") lets it compute such functions")
    return ours(*args, **keywords)


def _round(self, ndigits=None):
    """round(x[1], 2): as of NumPy's scalars; an array with axes is rounded by np.round."""
    if self.ndim:
        raise TypeError("round() takes a number; np.round(x, decimals) rounds the elements of an array")
    return round(self.item(), ndigits)


def _corners(x, edge=3):
    """The first and last elements of each axis that is longer than both together."""
    for axis, n in enumerate(x.shape):
        if n > 2 * edge:
            key = (slice(None),) * axis
            x = _core.concatenate([x[key + (slice(edge),)], x[key + (slice(n - edge, n),)]], axis)
    return x


def _left_out():
    """From how many elements on the middle is left out, and how many are shown at the ends: NumPy's options, where it
    is loaded."""
    numpy = sys.modules.get("numpy")
    options = numpy.get_printoptions() if numpy else {}
    return options.get("threshold", 1000), options.get("edgeitems", 3)


def _text(x, head, foot):
    """The elements in NumPy's layout. Of many elements the middle of each axis is left out, and not read."""
    most, edge = _left_out()
    whole = x.size <= most
    shown = x if whole else _corners(x, edge)
    try:
        import numpy
    except ImportError:
        return head + _print.text(shown.tolist(), x.shape, x.dtype, ", " if head else " ", len(head), not whole) + foot
    values = shown.__array__()
    if not whole:  # NumPy sees an array of the whole shape, and reads its corners only
        full = numpy.lib.stride_tricks.as_strided(numpy.zeros((), values.dtype), x.shape, (0,) * x.ndim)
        return head + _summary(numpy, values, x.shape, edge, head) + foot if full.ndim else head + str(values) + foot
    return head + numpy.array2string(values, separator=", " if head else " ", prefix=head) + foot


def _summary(numpy, values, shape, edge, head):
    """As array2string of an array whose corners are `values`."""
    if values.ndim == 0:
        return str(values)
    wide = tuple(n if n == whole else 2 * edge + 1 for n, whole in zip(values.shape, shape))
    padded = numpy.zeros(wide, values.dtype)
    take = [list(range(n)) if n == whole else list(range(edge)) + list(range(edge + 1, 2 * edge + 1))
            for n, whole in zip(values.shape, shape)]
    padded[numpy.ix_(*take)] = values
    return numpy.array2string(padded, threshold=0, edgeitems=edge, separator=", " if head else " ", prefix=head)


def _repr(self):
    text = _text(self, "array(", "")
    name = self.dtype.name
    more = [f"shape={self.shape}"] if self.size > _left_out()[0] or not self.size and self.shape != (0,) else []
    if name not in ("bool", "int64", "float64", "complex128") or not self.size:
        more.append(f"dtype={name}")
    if not more:
        return text + ")"
    end = ", ".join(more) + ")"
    is_narrow = len(text) - text.rfind("\n") + len(end) + 1 <= _print.WIDTH
    return text + ("," + (" " if is_narrow else "\n" + " " * len("array(")) + end)


def _str(self):
    if self.ndim > 0:
        return _text(self, "", "")
    if self.dtype.name not in ("float16", "float32", "complex64"):
        return str(self.item())
    try:
        import numpy  # noqa: F401 (its numbers of few bytes have few digits)
    except ImportError:
        return _text(self, "", "")
    return str(self.__array__()[()])


def _format(self, spec):
    if spec and self.ndim:
        raise TypeError(f"the format {spec!r} is for one number: an array of {self.ndim} axes is written by f'{{x}}', "
                        "an element of it by f'{x[0]:.2f}'")
    return format(self.item(), spec) if spec else str(self)


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *args,
                 **keywords):
    """The elements as text, as NumPy writes them; reads all of them."""
    import numpy
    return numpy.array2string(_core.as_array(a).__array__(), max_line_width, precision, suppress_small, separator,
                              prefix, *args, **keywords)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """The text of an array that tells its dtype, as NumPy writes it."""
    x = _core.as_array(arr)
    if max_line_width is precision is suppress_small is None:
        return _repr(x)
    import numpy
    return numpy.array_repr(x.__array__(), max_line_width, precision, suppress_small)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """The text of an array's elements, as NumPy writes it."""
    x = _core.as_array(a)
    if max_line_width is precision is suppress_small is None:
        return _str(x)
    import numpy
    return numpy.array_str(x.__array__(), max_line_width, precision, suppress_small)


def _tofile(self, fid, sep="", format="%s"):
    """The elements into a file, as bytes or as text; rank 0 writes. Collective; waits."""
    data = self.tobytes() if not sep else sep.join(
        (format % v if format != "%s" else repr(v)) for v in self.ravel().tolist()).encode()
    if _core.rank() == 0:
        if hasattr(fid, "write"):
            fid.write(data)
        else:
            with open(fid, "wb") as file:
                file.write(data)
    _core.barrier()  # the other ranks may read it now


def _view(self, dtype=None):
    """A view; with a dtype only of the array's own."""
    if dtype is not None and _core.dtype(dtype) != self.dtype:
        raise TypeError(f"view: the bytes of {self.dtype} as {_core.dtype(dtype)} are not there yet; astype converts "
                        "values")
    return _core.view(self, ...)


def _unpickle(data, dtype, shape):
    return _core.reshape(_core.as_array(memoryview(data).cast("B").cast(_CODES[dtype]) if dtype in _CODES else
                                        _complex(data, dtype)), shape)


_CODES = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H",
          "uint32": "I", "uint64": "Q", "float32": "f", "float64": "d"}


def _complex(data, dtype):
    import numpy
    return numpy.frombuffer(data, dtype)


def _reduce(self):
    if _core.n_ranks() > 1:
        raise TypeError("an array of several ranks is not pickled; tessera.save writes it to a file")
    return _unpickle, (self.tobytes(), self.dtype.name, self.shape)


def _iterate(self):
    """The parts along the first axis, each made when it is asked for."""
    return (self[i] for i in range(len(self)))


def _reversed(self):
    return (self[i] for i in range(len(self) - 1, -1, -1))


def _contains(self, value):
    """Is an element equal to the value? Waits."""
    found = self == value
    return bool(_core.any(found)) if isinstance(found, ndarray) else bool(found)


_conj = ndarray.conj


def _conjugated(self, *args, **keywords):
    """The complex conjugate; of real numbers the array itself, as NumPy's method gives it."""
    return _conj(self, *args, **keywords) if args or keywords or self.dtype.kind == "c" else self


def _divmod(self, other):
    return _core.divmod(self, other)


def _gather(self, rank=None):
    """All elements on every rank, or on one of them, and None on the others: an array of NumPy's, or a memoryview where
    NumPy is not installed. Collective; waits."""
    data = None if rank is None else self._bytes_on(rank)
    if rank is not None and data is None:
        return None
    try:
        if rank is None:
            return self.__array__()
        import numpy
        return numpy.frombuffer(data, self.dtype.name).reshape(self.shape)
    except ImportError:
        if self.dtype.name not in _CODES:
            raise
        data = memoryview(self.tobytes() if rank is None else data)
        return data.cast("B").cast(_CODES[self.dtype.name], self.shape) if self.size else data


class _NoElements(BufferError, AttributeError):
    """What asks by hasattr or getattr, as NumPy does, goes on to another protocol."""


def _array_interface(self):
    """NumPy's array interface, version 3: a copy of the elements. On one rank."""
    try:
        data = memoryview(self)
    except BufferError as error:
        raise _NoElements(str(error)) from None
    kind, size = self.dtype.kind, self.dtype.itemsize
    return {"version": 3, "shape": self.shape, "typestr": f"{'|' if size == 1 else '<'}{kind}{size}",
            "data": bytearray(data)}


class _Flat:
    """x.flat: the elements in row-major order, as they are or to be written."""

    def __init__(self, x):
        self._x, self._items = x, None

    def __iter__(self):
        return self

    def __next__(self):
        if self._items is None:
            self._items = iter(self._x.ravel())
        return next(self._items)

    def __len__(self):
        return self._x.size

    def __getitem__(self, key):
        return self._x.ravel()[key]

    def __setitem__(self, key, value):
        flat = self._x.ravel().copy()
        flat[key] = value
        self._x[...] = flat.reshape(self._x.shape)


def _set_flat(self, value):
    _Flat(self)[:] = value


def _missing(name, help):
    def get(self):
        raise AttributeError(f"'tessera.ndarray' object has no {name!r}: {help}", name=name, obj=None)

    return property(get, doc=f"Not there: {help}.")


# What NumPy's arrays have, and ours have not. Descriptors say why: a __getattr__ would cost each attribute that is
# there.
MISSING = {"strides": "with x.local() as tile: memoryview(tile).strides are those of this rank's tile",
           "flags": "tiles of it lie on ranks and devices as the scheduler has it; it is written by x[...] = values",
           "data": "with x.local() as tile: lends this rank's elements; x.gather() copies all",
           "ctypes": "with x.local() as tile: lends this rank's elements; x.gather().ctypes is of a copy of all",
           "base": "np.shares_memory(x, y) tells whether two arrays have elements in common",
           **dict.fromkeys("argpartition argsort byteswap compress dump partition put resize setflags sort".split(),
                           'it is not there yet; with tessera.fallback("numpy"): NumPy computes what it returns, from '
                           'a gathered array')}
for _name, _help in MISSING.items():
    setattr(ndarray, _name, _missing(_name, _help))
ndarray.__dir__ = lambda self: sorted(set(object.__dir__(self)) - set(MISSING))
ndarray.__iter__ = _iterate
ndarray.__reversed__ = _reversed
ndarray.__contains__ = _contains
ndarray.__round__ = _round
ndarray.conj = ndarray.conjugate = _conjugated
ndarray.gather = _gather
ndarray.__array_namespace__ = _array_namespace
ndarray.__array_ufunc__ = _array_ufunc
ndarray.__array_function__ = _array_function
ndarray.__array_interface__ = property(_array_interface)
ndarray.__array_priority__ = 100.0
ndarray.__repr__ = _repr
ndarray.__str__ = _str
ndarray.__format__ = _format
ndarray.__reduce__ = _reduce
ndarray.__copy__ = lambda self: self.copy()
ndarray.__deepcopy__ = lambda self, memo: self.copy()
ndarray.device = property(lambda self: "cpu")
ndarray.to_device = _to_device
ndarray.repeat = lambda self, repeats, axis=None: _package.repeat(self, repeats, axis)
ndarray.flat = property(_Flat, _set_flat)
ndarray.fill = lambda self, value: self.__setitem__(..., value)
ndarray.view = _view
ndarray.tofile = _tofile
ndarray.take = lambda self, indices, axis=None, out=None, mode="raise": _package.take(self, indices, axis, out, mode)
ndarray.choose = lambda self, choices, out=None, mode="raise": _package.choose(self, choices, out, mode)
ndarray.searchsorted = lambda self, v, side="left", sorter=None: _package.searchsorted(self, v, side, sorter)
ndarray.nonzero = lambda self: _package.nonzero(self)
