"""Arrays put together, taken apart, padded and numbered."""
from . import _core
from ._axes import axis_of, order_of
from ._core import ndarray
from ._dtypes import cast, cast_operand, check_cast, result_type
from ._elementwise import numbers_in
from ._functions import asarray, broadcast_shapes, only_here
from ._reductions import into


def _wide(x, ndim):
    """The array with at least so many axes, new ones first."""
    return x if x.ndim >= ndim else _core.reshape(x, (1,) * (ndim - x.ndim) + x.shape)


def block(arrays):
    """An array of nested lists of blocks: the innermost lists are joined along the last axis, those around them along
    the axis before it."""
    def depth_of(o):
        if isinstance(o, list):
            if not o:
                raise ValueError("block: a list is empty")
            depths = {depth_of(item) for item in o}
            if len(depths) > 1:
                raise ValueError("block: the lists are of different depths")
            return 1 + depths.pop()
        if isinstance(o, tuple):
            raise TypeError("block: the blocks are in lists, not in a tuple")
        return 0

    def most_axes(o):
        return max(map(most_axes, o)) if isinstance(o, list) else _core.as_array(o).ndim

    depth = depth_of(arrays)
    ndim = max(depth, most_axes(arrays))

    def join(o, level):
        if level == depth:
            return _wide(_core.as_array(o), ndim)
        return _core.concatenate([join(item, level + 1) for item in o], axis=level - depth)

    return join(arrays, 0) if depth else _core.copy(arrays)


def row_stack(tup, *, dtype=None, casting="same_kind"):
    """Arrays above one another."""
    return joined(_core.vstack, tup, dtype, casting)


def joined(function, arrays, dtype, casting, *args):
    """concatenate and its like, of arrays that are cast before."""
    arrays = [_core.as_array(a) for a in arrays]
    if dtype is not None:
        arrays = [cast(function.__name__, a, _core.dtype(dtype), casting) for a in arrays]
    return function(arrays, *args)


def rollaxis(a, axis, start=0):
    """One axis moved before another, a view."""
    x = _core.as_array(a)
    n = x.ndim
    axis, start = axis_of(axis, n), n if start == n else axis_of(start, n)
    start -= axis < start
    return _core.moveaxis(x, axis, start)


def diagflat(v, k=0):
    """A matrix with the elements on a diagonal."""
    return _core.diag(_core.ravel(_core.as_array(v)), k)


def fill_diagonal(a, val, wrap=False):
    """The value, or values, on the main diagonal; `wrap` goes on below a tall matrix's end."""
    if not isinstance(a, ndarray):
        raise TypeError(f"fill_diagonal: an array of Tessera is written, not a {type(a).__name__}")
    if a.ndim < 2 or (a.ndim > 2 and len(set(a.shape)) > 1):
        raise ValueError(f"fill_diagonal: the array has the shape {a.shape}: two axes or more, and more than two of "
                         "one length")
    parts = [a]
    if wrap and a.ndim == 2 and a.shape[0] > a.shape[1]:
        rows, columns = a.shape
        parts = [a[k:k + columns] for k in range(0, rows, columns + 1)]
    views = []
    for part in parts:
        while part.ndim > 1:
            part = (_core.diagonal(part, 0, 0, 1) if part.ndim == 2
                    else _core.diagonal(part, 0, part.ndim - 2, part.ndim - 1))
        views.append(part)
    from ._functions import resize
    kind = a.dtype.kind
    if isinstance(val, (int, float, complex)) and kind in "iuf":  # a number that it does not hold is an error
        val = _core.as_array(float(val) if kind == "f" else int(val), a.dtype)
    values, at = _core.as_array(val), 0
    if values.ndim:
        values = resize(values, sum(v.shape[0] for v in views))
    for view in views:
        n = view.shape[0]
        _core.assign(view, _core.astype(values[at:at + n] if values.ndim else values, a.dtype))
        at += n


def _keys(obj, n, name):
    """The whole numbers of an index as a list, and whether it is one number."""
    if isinstance(obj, slice):
        return list(range(*obj.indices(n))), False
    if hasattr(obj, "tolist"):
        obj = obj.tolist()
    if isinstance(obj, int) and not isinstance(obj, bool):
        return [obj], True
    obj = list(obj)
    if obj and all(isinstance(k, bool) for k in obj):
        if name == "delete" and len(obj) != n:
            raise ValueError(f"delete: a mask of {len(obj)} for an axis of length {n}")
        obj = [k for k, chosen in enumerate(obj) if chosen]
    if any(not isinstance(k, int) for k in obj):
        raise IndexError(f"{name}: an index is a whole number")
    return obj, False


def delete(arr, obj, axis=None):
    """Without the parts at indices along an axis."""
    x = _core.as_array(arr)
    if axis is None:
        x, axis = _core.ravel(x), 0
    axis = axis_of(axis, x.ndim)
    n = x.shape[axis]
    keys, _ = _keys(obj, n, "delete")
    for k in keys:
        if not -n <= k < n:
            raise IndexError(f"delete: index {k} is out of range for an axis of length {n}")
    gone = sorted({k % n for k in keys})
    if not gone:
        return _core.copy(x)
    rest, parts, at = (slice(None),) * axis, [], 0
    for k in gone + [n]:
        if k > at:
            parts.append(x[rest + (slice(at, k),)])
        at = k + 1
    if not parts:
        return _core.copy(x[rest + (slice(0, 0),)])
    return _core.copy(parts[0]) if len(parts) == 1 else _core.concatenate(parts, axis)


def insert(arr, obj, values, axis=None):
    """With values put before indices along an axis."""
    x = _core.as_array(arr)
    if axis is None:
        x, axis = _core.ravel(x), 0
    axis = axis_of(axis, x.ndim)
    n = x.shape[axis]
    keys, is_one = _keys(obj, n, "insert")
    for k in keys:
        if not -n <= k <= n:
            raise IndexError(f"insert: index {k} is out of range for an axis of length {n}")
    keys = [k + n if k < 0 else k for k in keys]
    values = _wide(_core.astype(_core.as_array(values), x.dtype), x.ndim)
    rest = (slice(None),) * axis
    if len(keys) == 1:
        if is_one:  # as x[:, k, :] = values
            values = _core.moveaxis(values, 0, axis)
        shape = x.shape[:axis] + (values.shape[axis],) + x.shape[axis + 1:]
        values = _core.broadcast_to(values, shape)
        return _core.concatenate([x[rest + (slice(0, keys[0]),)], values, x[rest + (slice(keys[0], n),)]], axis)
    values = _core.broadcast_to(values, x.shape[:axis] + (len(keys),) + x.shape[axis + 1:])
    parts, at = [], 0
    for number, k in sorted(enumerate(keys), key=lambda pair: pair[1]):
        if k > at:
            parts.append(x[rest + (slice(at, k),)])
        at = k
        parts.append(values[rest + (slice(number, number + 1),)])
    return _core.concatenate(parts + [x[rest + (slice(at, n),)]], axis)


def packbits(a, /, axis=None, bitorder="big"):
    """Eight elements in the bits of each uint8: whether they differ from 0."""
    x = _core.as_array(a)
    if x.dtype.kind not in "biu":
        raise TypeError(f"packbits takes bools or whole numbers, not {x.dtype}")
    order = _bits(bitorder)
    if axis is None:
        x, axis = _core.ravel(x), 0
    x = _core.moveaxis(_core.astype(_core.not_equal(x, 0), _core.uint8), axis, -1)
    n = x.shape[-1]
    if n % 8:
        x = _core.concatenate([x, _core.zeros(x.shape[:-1] + (8 - n % 8,), _core.uint8)], -1)
    x = _core.reshape(x, x.shape[:-1] + (x.shape[-1] // 8, 8))
    return _core.moveaxis(_core.sum(_core.left_shift(x, order), -1, _core.uint8), -1, axis)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of each uint8, an element each."""
    x = _core.as_array(a)
    if x.dtype != _core.uint8:
        raise TypeError(f"unpackbits takes uint8, not {x.dtype}")
    order = _bits(bitorder)
    if axis is None:
        x, axis = _core.ravel(x), 0
    x = _core.moveaxis(x, axis, -1)
    x = _core.right_shift(_core.expand_dims(x, -1), order) & 1
    x = _core.reshape(x, x.shape[:-2] + (x.shape[-2] * 8,))
    n = x.shape[-1]
    if count is not None:
        count = n + count if count < 0 else count
        x = x[..., :count] if count <= n else _core.concatenate(
            [x, _core.zeros(x.shape[:-1] + (count - n,), _core.uint8)], -1)
    return _core.moveaxis(_core.copy(x), -1, axis)


def _bits(bitorder):
    if bitorder not in ("big", "little"):
        raise ValueError(f'bitorder is "big" or "little", not {bitorder!r}')
    return _core.arange(7, -1, -1, _core.uint8) if bitorder == "big" else _core.arange(0, 8, 1, _core.uint8)


def _steps(shape, order):
    if order not in ("C", "F"):
        raise ValueError(f'order is "C" or "F", not {order!r}')
    steps, step = [], 1
    for n in (reversed(shape) if order == "C" else shape):
        steps.append(step)
        step *= n
    return steps[::-1] if order == "C" else steps


def unravel_index(indices, shape, order="C"):
    """The indices along each axis of elements by their numbers in flat order; a number out of range is an error, for
    which the program waits."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = 1
    for n in shape:
        size *= n
    x = _core.as_array(indices)
    if x.dtype.kind not in "iu":
        raise TypeError(f"unravel_index: a number is a whole number, not {x.dtype}")
    x = numbers_in(x, size, "raise", "unravel_index", negative=False)
    return tuple(_core.remainder(_core.floor_divide(x, step), n) for step, n in zip(_steps(shape, order), shape))


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """The numbers in flat order of elements by their indices along each axis; one out of range is an error, for which
    the program waits, unless the mode is "wrap" or "clip"."""
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    modes = (mode,) * len(dims) if isinstance(mode, str) else tuple(mode)
    made = 0
    for index, n, mode, step in zip(multi_index, dims, modes, _steps(dims, order)):
        index = numbers_in(_core.as_array(index), n, mode, "ravel_multi_index", negative=False)
        made = made + _core.astype(index, _core.int64) * step
    return made


def apply_over_axes(func, a, axes):
    """A function over several axes, one after another, all of which are kept."""
    x = _core.as_array(a)
    for axis in ((axes,) if isinstance(axes, int) else axes):
        axis = axis_of(axis, x.ndim)
        made = _core.as_array(func(x, axis))
        if made.ndim != x.ndim:
            made = _core.expand_dims(made, axis)
            if made.ndim != x.ndim:
                raise ValueError("apply_over_axes: the function takes away other axes than one")
        x = made
    return x


def asarray_chkfinite(a, dtype=None, order=None):
    """An array without NaN or infinities, which is looked at: waits."""
    x = asarray(a, dtype)
    if x.dtype.kind in "fc" and not bool(_core.all(_core.isfinite(x))):
        raise ValueError("array must not contain infs or NaNs")
    return x


# Numbers in another order of axes.

def _is_by_columns(x, order):
    """Are the elements taken column by column?"""
    letter = order_of(order)
    return letter == "F" or letter in ("A", "K") and x._lies_in_order(True) and not x._lies_in_order(False)


def _reshape(a, /, *shape, order="C", copy=None, **keywords):
    x = _core.as_array(a)
    if len(shape) == 2 and isinstance(shape[1], str):  # np.reshape(a, shape, "F")
        shape, order = shape[:1], shape[1]
    shape = keywords.pop("shape") if not shape and "shape" in keywords else shape[0] if len(shape) == 1 else shape
    if keywords:
        raise TypeError(f"reshape() got an unexpected keyword argument {next(iter(keywords))!r}")
    if order_of(order) == "K":
        raise ValueError("reshape: the order 'K' is for copies")
    if not _is_by_columns(x, order):
        made = _core.reshape(x, shape)
        if copy is False and x.size and not _core.may_share_memory(x, made):
            raise ValueError("reshape(copy=False): no view of the array has this shape")
        return _core.copy(made) if copy else made
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return _core.reshape(x.T, shape[::-1]).T


def _raveled(function):
    def of(a, order="C"):
        x = _core.as_array(a)
        return function(x.T if _is_by_columns(x, order) else x)

    return of


def _like(name):
    function = getattr(_core, name[:-5])

    def of(a, *args, dtype=None, order="K", subok=True, shape=None, device=None):
        x = _core.as_array(a)
        if name == "full_like":
            args, more = args[:1], args[1:]
        else:
            args, more = (), args
        dtype = more[0] if more else dtype
        return function(x.shape if shape is None else shape, *args, dtype=x.dtype if dtype is None else dtype)

    of.__name__ = of.__qualname__ = name
    return of


def _into_several(name):
    function = getattr(_core, name)

    n = 2 if name == "divmod" else 1

    def of(*args, out=None, dtype=None, casting="same_kind", **keywords):
        if len(args) > n:
            if out is not None or len(args) > n + 2:
                raise TypeError(f"{name}() takes {n} operands and 2 arrays for its results")
            args, out = args[:n], args[n:] + (None,) * (n + 2 - len(args))
        if out is None:
            out = (None, None)
        if not isinstance(out, tuple):
            raise TypeError(f"{name}(): 'out' must be a tuple of arrays: there are two results")
        if len(out) != 2:
            raise ValueError(f"{name}(): The 'out' tuple must have exactly one entry per result: two, not {len(out)}")
        for keyword, value in keywords.items():
            if not (value is True or value is None or keyword == "order" and value == "K"):
                raise TypeError(f"{name}(): {keyword}= is not there yet")
        if n == 2:
            to = result_type(*args) if dtype is None else _core.dtype(dtype)
            args = [x if dtype is None and type(x) in (int, float) else cast_operand(name, x, to, casting)
                    for x in args]
        elif dtype is not None or casting != "same_kind":
            raise TypeError(f"{name}(): dtype= and casting= are not there yet: cast the operand, x.astype(dtype)")
        return tuple(into(o, made, casting) for o, made in zip(out, function(*args)))

    return of


def _concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    return into(out, joined(_core.concatenate, arrays, dtype, casting, axis))


def _stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    return into(out, joined(_core.stack, arrays, dtype, casting, axis))


def _where(condition, *others, **keywords):
    if others:
        raise ValueError("where(condition, x, y) takes both x and y")
    raise TypeError("where: of one operand, the positions of what is true have a shape that depends on values, and are "
                    "not there yet; where(condition, x, y) chooses")


def _astype(x, /, dtype, order="K", casting="unsafe", subok=True, copy=True, device=None):
    x, to = _core.as_array(x), _core.dtype(dtype)
    check_cast("astype", x.dtype, to, casting)
    only_here(device)
    return x if not copy and x.dtype == to else _core.astype(x, to, order=order)


def _meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """copy=False: views; sparse=True: each has its own axis alone, and broadcasts over the grid."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"an indexing is 'xy' or 'ij', not {indexing!r}")
    order = list(range(len(xi)))
    if indexing == "xy":
        order[:2] = order[1::-1]
    made = tuple(_core.reshape(_core.as_array(x), [-1 if j == k else 1 for j in order]) for k, x in enumerate(xi))
    if made and not sparse:
        made = _core.broadcast_arrays(*made)
    return tuple(map(_core.copy, made)) if copy else made


def _indices(dimensions, dtype=int, sparse=False):
    """sparse=True: a tuple, each has its own axis alone."""
    n = len(dimensions)
    made = [_core.reshape(_core.arange(length, dtype=dtype), [-1 if j == k else 1 for j in range(n)])
            for k, length in enumerate(dimensions)]
    return tuple(made) if sparse else _core.indices(dimensions, dtype)


def _each(name):
    """The function of several arrays: a tuple."""
    function = getattr(_core, name)
    return lambda *arys: tuple(map(function, arys))


BEHIND_ROWS = {
    "meshgrid": _meshgrid, "indices": _indices,
    **{name: _each(name) for name in ("atleast_1d", "atleast_2d", "atleast_3d")},
    "astype": _astype,
    "where": _where,
    "reshape": _reshape, "ravel": _raveled(_core.ravel), "flatten": _raveled(_core.flatten),
    "concatenate": _concatenate, "stack": _stack, "vstack": row_stack,
    "hstack": lambda tup, *, dtype=None, casting="same_kind": joined(_core.hstack, tup, dtype, casting),
    **{name: _like(name) for name in ("empty_like", "zeros_like", "ones_like", "full_like")},
    **{name: _into_several(name) for name in ("divmod", "frexp", "modf")},
}
