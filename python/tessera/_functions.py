"""Functions that the table lacks, made of those that it has, and those whose parameters differ from the table's."""
from math import prod as _product

from . import _core
from ._axes import axes_of, axis_of, order_of
from ._core import ndarray
from ._dtypes import _DEFAULTS, cast, cast_operand, check_cast, result_type
from ._index import Selection, in_range, of_elements, pick, take as _take

_SCALARS = tuple(_DEFAULTS)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """An array of what an object holds: an array, a number, lists, a buffer, an array of another package."""
    only_here(device)
    order = order_of(order)
    x = _core.as_array(a, dtype)
    turns = order in ("C", "F") and not x._lies_in_order(order == "F")
    if copy is False and (x is not a or turns):
        raise ValueError("asarray: copy=False, but the elements have to be copied")
    if turns or copy and x is a:
        return _core.copy(x, order="F" if order == "F" else "C")
    return x


def array(object, dtype=None, *, copy=True, order=None, subok=False, ndmin=0, ndmax=0, like=None):
    """A new array of what an object holds."""
    x = asarray(object, dtype, order, copy=copy)
    if 0 < ndmax < x.ndim and isinstance(object, (list, tuple)):
        raise ValueError(f"array: {x.ndim} axes, more than ndmax={ndmax}: lists are no elements here")
    return x if x.ndim >= ndmin else _core.reshape(x, (1,) * (ndmin - x.ndim) + x.shape)


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    return asarray(a, dtype, order, device=device, copy=copy)


def ascontiguousarray(a, dtype=None, *, like=None):
    """The array, or a copy of what would not lie row by row in NumPy's memory."""
    x = asarray(a, dtype, "C")
    return x if x.ndim else _core.reshape(x, (1,))


def from_dlpack(x, /, *, device=None, copy=None):
    """An array of an object that lends its elements by DLPack; they are copied. What lies on a device is asked for in
    the host's memory. With several ranks each gives an object of the same shape and dtype, and rank 0's elements
    count."""
    only_here(device)
    if isinstance(x, ndarray):
        return x.copy() if copy else x
    if copy is False:
        raise BufferError("from_dlpack: copy=False, but the elements have to be copied")
    asked = {} if x.__dlpack_device__()[0] == 1 else {"dl_device": (1, 0)}
    try:
        capsule = x.__dlpack__(max_version=(1, 0), **asked)
    except TypeError:  # of the time before versions
        capsule = x.__dlpack__()
    return _core.from_capsule(capsule)


def from_tiles(tiles, shape, dtype=float):
    """A new array of what the ranks of an MPI program have: `tiles` are this rank's, pairs of an origin (the tile's
    first index in the array) and a buffer. All ranks' tiles together hold every element once; they are copied.
    Collective; waits."""
    return _core.from_tiles(tiles, shape, _core.dtype(dtype))


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    """A new array of the bytes of a buffer."""
    of = _core.dtype(dtype)
    data = memoryview(buffer).cast("B")[offset:]
    if count < 0 and len(data) % of.itemsize:
        raise ValueError(f"frombuffer: {len(data)} bytes are no whole number of elements of {of.itemsize} bytes")
    n = len(data) // of.itemsize if count < 0 else count
    if n * of.itemsize > len(data):
        raise ValueError(f"frombuffer: {n} elements of {of.itemsize} bytes, and the buffer has {len(data)} bytes")
    bits = data[: n * of.itemsize]
    from ._ndarray import _unpickle
    return _unpickle(bytes(bits), of.name, (n,))


def only_here(device):
    if device is not None and device != "cpu":
        raise ValueError(f'there is no device {device!r}; the only name is "cpu"')


def shape(a):
    """The lengths of the axes."""
    return _core.as_array(a).shape


def ndim(a):
    """The number of axes."""
    return _core.as_array(a).ndim


def size(a, axis=None):
    """The number of elements, or the length of an axis."""
    x = _core.as_array(a)
    return x.size if axis is None else x.shape[axis_of(axis, x.ndim)]


def broadcast_shapes(*shapes):
    """The shape to which the shapes broadcast."""
    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    result = []
    for k in range(1, max(map(len, shapes), default=0) + 1):
        lengths = {s[-k] for s in shapes if len(s) >= k} - {1}
        if len(lengths) > 1:
            raise ValueError(f"the shapes {', '.join(map(str, shapes))} do not broadcast")
        result.append(lengths.pop() if lengths else 1)
    return tuple(reversed(result))


def var(a, /, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    """The variance; `correction` is the array API's name for ddof."""
    return _core.var(a, axis, dtype, out, ddof if correction is None else correction, keepdims, where=where, mean=mean)


def std(a, /, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    """The standard deviation; `correction` is the array API's name for ddof."""
    return _core.std(a, axis, dtype, out, ddof if correction is None else correction, keepdims, where=where, mean=mean)


@of_elements
def clip(a, min=None, max=None, out=None, *, a_min=None, a_max=None, dtype=None, casting="same_kind"):
    """Each element, but at least min and at most max; with dtype= of operands that the rule casts to it."""
    if min is not None and a_min is not None or max is not None and a_max is not None:
        raise ValueError("clip: min and max are a_min and a_max: give one of each")
    low, high = min if a_min is None else a_min, max if a_max is None else a_max
    if dtype is not None:
        to = _core.dtype(dtype)
        a = cast_operand("clip", a, to, casting)
        low, high = (x if x is None or type(x) in (int, float) else cast_operand("clip", x, to, casting)
                     for x in (low, high))
    result = _core.clip(a, low, high)
    if dtype is not None:
        result = cast("clip", result, to, casting)
    for x in (a, low, high):
        if x is not None and type(x) not in (bool, int, float, complex):
            check_cast("clip", _core.as_array(x).dtype, result.dtype, casting)
    return _into(out, result, casting)


def _into(out, result, casting="same_kind"):
    from ._reductions import into
    return result if out is None else into(out, result, casting)


def fabs(x, /, out=None):
    """The absolute value of real numbers, which is floating."""
    if type(x) in (bool, int):
        x = float(x)
    x = _core.as_array(x)
    dtype = x.dtype
    if dtype.kind == "c":
        raise TypeError("fabs takes real numbers; absolute takes complex ones")
    to = dtype if dtype.kind == "f" else _core.float64 if dtype.itemsize > 2 else (
        _core.float16 if dtype.itemsize == 1 else _core.float32)
    return _into(out, _core.absolute(_core.astype(x, to)))


def fix(x, /, out=None):
    """The nearest whole number towards 0."""
    return _into(out, _core.trunc(x))


def _of_numbers(name):
    function = getattr(_core, name)

    def of(a, axis=None, out=None, *, keepdims=False):
        x = _core.as_array(a)
        if x.dtype.kind in "fc" and x.size and bool(_core.any(_core.all(_core.isnan(x), axis))):
            raise ValueError(f"{name}: All-NaN slice encountered: no element along the axis is a number")
        return function(x, axis, out, keepdims=keepdims)

    of.__name__ = of.__qualname__ = name
    of.__doc__ = function.__doc__ + " Waits: where there is no number, that is an error."
    return of


nanargmax, nanargmin = _of_numbers("nanargmax"), _of_numbers("nanargmin")


def _path(file, call):
    import os
    try:
        return os.fspath(file)
    except TypeError:
        raise TypeError(f"{call} takes the file's path first, not {type(file).__name__}: the ranks open it") from None


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000):
    """The array in a .npy file; each rank reads what is its own."""
    if mmap_mode is not None:
        raise TypeError("load: no file stays mapped; load(file) reads it, each rank what is its own")
    return _core.load(_path(file, "load(file)"))


def save(file, arr, allow_pickle=True):
    """Writes an array as a .npy file, whose name gets that end if it has another."""
    path = _path(file, "save(file, arr)")
    end = b".npy" if isinstance(path, bytes) else ".npy"
    _core.save(path if path.endswith(end) else path + end, arr)


@of_elements
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Numbers in place of NaN and the infinities."""
    from ._dtypes import finfo
    if not copy and isinstance(x, _core.ndarray):
        if x.dtype.kind in "fc":
            _core.assign(x, nan_to_num(x, True, nan, posinf, neginf))
        return x
    x = _core.as_array(x)
    if x.dtype.kind not in "fc":
        return _core.copy(x)
    if x.dtype.kind == "c":
        return nan_to_num(x.real, nan=nan, posinf=posinf,
                          neginf=neginf) + 1j * nan_to_num(x.imag, nan=nan, posinf=posinf,
                                                           neginf=neginf)
    limits = finfo(x.dtype)
    result = _core.where(_core.isnan(x), nan, x)
    result = _core.where(_core.equal(result, float("inf")), limits.max if posinf is None else posinf, result)
    return _core.where(_core.equal(result, float("-inf")), limits.min if neginf is None else neginf, result)


def isposinf(x, /, out=None):
    return _into(out, _core.equal(x, float("inf")))


def isneginf(x, /, out=None):
    return _into(out, _core.equal(x, float("-inf")))


@of_elements
def isreal(x):
    return _core.equal(_core.imag(x), 0)


@of_elements
def iscomplex(x):
    return _core.not_equal(_core.imag(x), 0)


def iscomplexobj(x):
    return _core.as_array(x).dtype.kind == "c"


def isrealobj(x):
    return not iscomplexobj(x)


def isscalar(element):
    return isinstance(element, (*_SCALARS, str, bytes))


def array_equiv(a1, a2):
    """Are the elements equal, broadcast?"""
    x, y = _core.as_array(a1), _core.as_array(a2)
    try:
        broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return bool(_core.all(_core.equal(x, y)))


# Shapes.

def matrix_transpose(x, /):
    """The last two axes swapped, a view."""
    return _core.as_array(x).mT


def unstack(x, /, *, axis=0):
    """The parts along an axis."""
    x = _core.moveaxis(x, axis, 0)
    return tuple(_core.view(x, (i, ...)) for i in range(x.shape[0]))


def append(arr, values, axis=None):
    """The values behind the array."""
    return _core.concatenate([arr, values], axis=axis)


def hsplit(ary, indices_or_sections):
    return _core.split(ary, indices_or_sections, 1 if _core.as_array(ary).ndim > 1 else 0)


def vsplit(ary, indices_or_sections):
    return _core.split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    return _core.split(ary, indices_or_sections, 2)


def resize(a, new_shape):
    """The elements over and over, in another shape."""
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    x = _core.ravel(a)
    n = _product(shape)
    if n == 0 or x.size == 0:
        return _core.zeros(shape, x.dtype)
    return _core.reshape(_core.tile(x, -(-n // x.size))[:n], shape)


def vander(x, N=None, increasing=False):
    """Powers of x, a column each."""
    x = _core.as_array(x)
    n = x.shape[0] if N is None else N
    if n < 0:
        raise ValueError(f"vander: {n} columns; there are 0 or more")
    powers = _core.arange(n) if increasing else _core.arange(n - 1, -1, -1)
    return _core.power(_core.expand_dims(x, 1), powers)


def fromfunction(function, shape, *, dtype=float, **keywords):
    """A function of the indices."""
    return function(*_core.indices(shape, dtype), **keywords)


def take(a, indices, axis=None, out=None, mode="raise"):
    """The elements at indices along an axis; one out of range is an error, for which the program waits, unless the mode
    is "wrap" or "clip"."""
    x = _core.as_array(a)
    if axis is None:
        if x.ndim == 1:
            axis = 0
        else:
            x, axis = _core.ravel(x), 0
    numbers = _core.as_array(indices)
    if isinstance(indices, (list, tuple)) and not numbers.size:  # a list of nothing holds no floats
        numbers = _core.astype(numbers, _core.int64)
    if mode != "raise":
        from ._elementwise import numbers_in
        numbers = numbers_in(numbers, x.shape[axis_of(axis, x.ndim)], mode, "take")
    return _into(out, _take(x, numbers, axis, mode == "raise"))


def take_along_axis(arr, indices, axis=-1):
    """The elements at indices along an axis, one list of indices for each vector."""
    x, indices = _core.as_array(arr), _core.as_array(indices)
    if axis is None:
        x, axis = _core.ravel(x), 0
    axis = axis_of(axis, x.ndim)
    if indices.ndim != x.ndim:
        raise ValueError(f"take_along_axis: indices have {indices.ndim} axes, the array has {x.ndim}")
    shape = broadcast_shapes(x.shape[:axis] + (1,) + x.shape[axis + 1:],
                             indices.shape[:axis] + (1,) + indices.shape[axis + 1:])
    shape = shape[:axis] + (indices.shape[axis],) + shape[axis + 1:]
    whole = shape[:axis] + (x.shape[axis],) + shape[axis + 1:]
    if 0 in shape:
        return _core.zeros(shape, x.dtype)
    flat = _core.broadcast_to(_core.astype(in_range(indices, x.shape[axis]), _core.int64), shape)
    stride = _product(whole[axis + 1:])
    flat = flat * stride
    for k, n in enumerate(whole):
        if k != axis:
            step = _product(whole[k + 1:])
            flat = flat + _core.reshape(_core.arange(n) * step, (-1,) + (1,) * (len(whole) - 1 - k))
    return pick(_core.broadcast_to(x, whole), flat)


def repeat(a, repeats, axis=None):
    """Each element several times; a number of times for each, where `repeats` is an array, is read."""
    if isinstance(repeats, int):
        if repeats < 0:
            raise ValueError(f"repeat: {repeats} times")
        return _core.repeat(a, repeats, axis)
    x, counts = _core.as_array(a), _core.as_array(repeats)
    if counts.dtype.kind not in "iub" or counts.ndim > 1:
        raise TypeError("repeat: the number of times is a whole number, or one for each element")
    if counts.size == 1:
        return repeat(x, int(counts.item()), axis)
    if axis is None:
        x, axis = _core.ravel(x), 0
    axis = axis_of(axis, x.ndim)
    if counts.size != x.shape[axis]:
        raise ValueError(f"repeat: {counts.size} numbers of times for an axis of length {x.shape[axis]}")
    times = counts.tolist()
    if times and min(times) < 0:
        raise ValueError(f"repeat: {min(times)} times")
    numbers = [i for i, n in enumerate(times) for _ in range(n)]
    return _take(x, _core.as_array(numbers, _core.int64), axis)


def searchsorted(a, v, side="left", sorter=None):
    """Where the values belong in a sorted vector: a binary search for each, of as many steps as the vector's length has
    bits."""
    x = _core.as_array(a)
    if side not in ("left", "right"):
        raise ValueError(f'searchsorted: side is "left" or "right", not {side!r}')
    if sorter is not None:
        x = _take(x, _core.as_array(sorter), 0)
    v = _core.as_array(v)
    dtype = result_type(x, v)
    n = x.shape[0]
    is_before = "x[{0}] < v" if side == "left" else "x[{0}] <= v"
    if dtype.kind == "f":  # NaN is behind all numbers
        is_before = "(x[{0}] < v or v != v and x[{0}] == x[{0}])" if side == "left" else "(x[{0}] <= v or v != v)"
    if n == 0:
        return _core.zeros(v.shape, _core.int64)
    lines, step = ["p = 0*i"], 1 << n.bit_length() - 1
    while step:
        lines += [f"p = p + {step} if p + {step} <= {n} and {is_before.format(f'p + {step - 1}')} else p"]
        step >>= 1
    return _core.kernel("searchsorted", "raw T x, T v", "int64 y", "\n".join(lines + ["y = p"]),
                        (_core.astype(x, dtype), _core.astype(v, dtype)))


def digitize(x, bins, right=False):
    """The number of the bin of each value; the bins ascend or descend, which is looked at: waits."""
    bins, side = _core.as_array(bins), "left" if right else "right"
    if bins.ndim != 1:
        raise ValueError(f"digitize: bins are a vector, not of {bins.ndim} axes")
    front, back = _ends(bins, 0)
    if not bool(_core.any(_core.less(back, front))):
        return searchsorted(bins, x, side)
    if bool(_core.any(_core.greater(back, front))):
        raise ValueError("digitize: the bins neither ascend nor descend")
    return bins.shape[0] - searchsorted(bins[::-1], x, side)


# Sums and scans.

def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running sums along an axis."""
    return _into(out, _cumulative(_core.cumsum, 0, x, axis, dtype, include_initial))


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running products along an axis."""
    return _into(out, _cumulative(_core.cumprod, 1, x, axis, dtype, include_initial))


def _cumulative(function, first, x, axis, dtype, include_initial):
    x = _core.as_array(x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError("an axis is needed for an array that is no vector")
        axis = 0
    result = function(x, axis, dtype)
    if not include_initial:
        return result
    axis = axis_of(axis, x.ndim)
    shape = x.shape[:axis] + (1,) + x.shape[axis + 1:]
    return _core.concatenate([_core.full(shape, first, result.dtype), result], axis=axis)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """The n-th differences along an axis."""
    x = _core.as_array(a)
    ends = [None if p is None else _core.as_array(p) for p in (prepend, append)]
    if n == 0:
        return x
    return _core.diff(x, n, axis, *ends)


def _ends(x, axis):
    rest = (slice(None),) * axis_of(axis, x.ndim)
    return x[rest + (slice(None, -1),)], x[rest + (slice(1, None),)]


def ediff1d(ary, to_end=None, to_begin=None):
    """The differences of neighbours in flat order."""
    x = _core.diff(_core.ravel(_core.as_array(ary)))
    parts = [_core.ravel(_core.as_array(p)) for p in (to_begin, to_end) if p is not None]
    if not parts:
        return x
    return _core.concatenate(([_core.ravel(_core.as_array(to_begin))] if to_begin is not None else []) + [x] + (
        [_core.ravel(_core.as_array(to_end))] if to_end is not None else []))


def gradient(f, *varargs, axis=None, edge_order=1):
    """Central differences, one-sided at the ends; the spacing is a number for all axes, or for each a number or
    coordinates."""
    f = _core.as_array(f)
    if f.dtype.kind in "biu":
        f = _core.astype(f, _core.float64)
    axes = axes_of(axis, f.ndim)
    steps = varargs or (1.0,)
    if len(steps) == 1 and _core.as_array(steps[0]).ndim == 0:
        steps = steps * len(axes)
    if len(steps) != len(axes):
        raise TypeError(f"gradient: {len(steps)} spacings for {len(axes)} axes")
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: edge_order is 1 or 2, not {edge_order}")
    results = [_slopes(f, k, h, edge_order) for k, h in zip(axes, steps)]
    return results[0] if len(results) == 1 else tuple(results)


def _slopes(f, axis, h, edge_order):
    n = f.shape[axis]
    if n < edge_order + 1:
        raise ValueError(f"gradient: an axis of length {n}; at least {edge_order + 1} elements are needed")
    head = (slice(None),) * axis

    def at(k):
        return f[head + (slice(k, k + 1) if k != -1 else slice(-1, None),)]

    if isinstance(h, (list, tuple)) or getattr(h, "ndim", 0):
        x = _core.as_array(h)
        if x.shape != (n,):
            raise ValueError(f"gradient: coordinates of shape {x.shape} for an axis of length {n}")
        d = _core.diff(_core.astype(x, _core.float64) if x.dtype.kind not in "f" else x)
        wide = _core.reshape(d, (-1,) + (1,) * (f.ndim - axis - 1))
        d1, d2 = wide[:-1], wide[1:]
        a, b, c = -d2 / (d1 * (d1 + d2)), (d2 - d1) / (d1 * d2), d1 / (d2 * (d1 + d2))
        inner = a * f[head + (slice(None, -2),)] + b * f[head + (slice(1, -1),)] + c * f[head + (slice(2, None),)]
        first, second, last, before = (_core.view(d, (k,)) for k in (0, min(1, n - 2), n - 2, max(n - 3, 0)))
    else:
        inner = (f[head + (slice(2, None),)] - f[head + (slice(None, -2),)]) / (2.0 * h)
        first = second = last = before = h
    if edge_order == 1:
        front, back = (at(1) - at(0)) / first, (at(-1) - at(n - 2)) / last
    else:
        front = (-(2.0 * first + second) / (first * (first + second)) * at(0) + (first + second) / (first * second)
                 * at(1) -
                 first / (second * (first + second)) * at(2))
        back = (last / (before * (before + last)) * at(n - 3) - (last + before) / (before * last) * at(n - 2) +
                (2.0 * last + before) / (last * (before + last)) * at(-1))
    return _core.concatenate([front, inner, back], axis)


def nancumsum(a, axis=None, dtype=None, out=None):
    x = _core.as_array(a)
    return _core.cumsum(_core.where(_core.isnan(x), 0, x) if x.dtype.kind in "fc" else x, axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    x = _core.as_array(a)
    return _core.cumprod(_core.where(_core.isnan(x), 1, x) if x.dtype.kind in "fc" else x, axis, dtype, out)


# Products.

def matvec(x1, x2, /):
    return _core.squeeze(_core.matmul(x1, _core.expand_dims(x2, -1)), -1)


def vecmat(x1, x2, /):
    x = _core.conj(x1)
    return _core.squeeze(_core.matmul(_core.expand_dims(x, -2), x2), -2)


def tensordot(a, b, axes=2):
    """The product over several axes of each: a product of matrices."""
    x, y = _core.as_array(a), _core.as_array(b)
    if isinstance(axes, int):
        if axes < 0 or axes > min(x.ndim, y.ndim):
            raise ValueError(f"tensordot: {axes} axes of arrays with {x.ndim} and {y.ndim}")
        of_x, of_y = list(range(x.ndim - axes, x.ndim)), list(range(axes))
    else:
        of_x, of_y = (list(axes_of(of, z.ndim)) for of, z in zip(axes, (x, y)))
    if [x.shape[k] for k in of_x] != [y.shape[k] for k in of_y]:
        raise ValueError("tensordot: the lengths of the axes differ")
    rest_x = [k for k in range(x.ndim) if k not in of_x]
    rest_y = [k for k in range(y.ndim) if k not in of_y]
    inner = _product(x.shape[k] for k in of_x)
    shape = tuple(x.shape[k] for k in rest_x) + tuple(y.shape[k] for k in rest_y)
    rows, columns = _product(x.shape[k] for k in rest_x), _product(y.shape[k] for k in rest_y)
    left = _core.reshape(_core.transpose(x, rest_x + of_x), (rows, inner))
    right = _core.reshape(_core.transpose(y, of_y + rest_y), (inner, columns))
    return _core.reshape(_core.matmul(left, right), shape)


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Is each element one of the others? Compares each with all."""
    x, others = _core.as_array(element), _core.ravel(_core.as_array(test_elements))
    if type(test_elements) in _SCALARS and x.dtype.kind != "b":
        others = _core.astype(others, result_type(x, test_elements))
    found = (_core.any(_core.equal(_core.expand_dims(x, -1), others), -1) if others.size
             else _core.zeros(x.shape, _core.bool))
    return _core.logical_not(found) if invert else found
