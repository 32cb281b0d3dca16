"""Functions of each element that the table lacks, and choices between arrays."""
from . import _core
from ._axes import axes_of, axis_of
from ._core import ndarray
from ._dtypes import check_cast, finfo, result_type
from ._functions import broadcast_shapes
from ._index import Selection, in_range
from ._reductions import into


def spacing(x, /, out=None):
    """The distance to the next number away from 0."""
    x = _core.as_array(float(x) if type(x) in (bool, int) else x)
    if x.dtype.kind == "c":
        raise TypeError("spacing takes real numbers")
    if x.dtype.kind != "f":
        x = _core.astype(x, result_type(x, _core.float16))
    size = _core.absolute(x)
    made = _core.where(_core.isinf(x), float("nan"), _core.nextafter(size, float("inf")) - size)
    return into(out, _core.where(x < 0, -made, made))


def real_if_close(a, tol=100):
    """The real parts, where all imaginary parts are almost 0, which is looked at: waits."""
    x = _core.as_array(a)
    if x.dtype.kind != "c":
        return x
    if tol > 1:
        tol = finfo(x.dtype).eps * tol
    return x.real if bool(_core.all(_core.absolute(x.imag) < tol)) else x


def select(condlist, choicelist, default=0):
    """Of each element the choice of the first condition that is true."""
    if len(condlist) != len(choicelist):
        raise ValueError(f"select: {len(condlist)} conditions and {len(choicelist)} choices")
    if not len(condlist):
        raise ValueError("select: there are no conditions")
    conditions = [_core.as_array(c) for c in condlist]
    for c in conditions:
        if c.dtype.kind != "b":
            raise TypeError(f"select: a condition is an array of bools, not of {c.dtype}")
    choices = [c if type(c) in (bool, int, float, complex) else _core.as_array(c) for c in choicelist]
    dtype = result_type(*choices, default if type(default) in (bool, int, float, complex) else _core.as_array(default))
    made = _core.as_array(default, dtype)
    for c, choice in zip(reversed(conditions), reversed(choices)):
        made = _core.where(c, _core.as_array(choice, dtype), made)
    return made


def choose(a, choices, out=None, mode="raise"):
    """Of each element the choice with its number; a number that is out of range is an error, for which the program
    waits, unless the mode is "wrap" or "clip"."""
    x = _core.as_array(a)
    choices = [_core.as_array(c) for c in choices]
    n = len(choices)
    if x.dtype.kind not in "iub":
        raise TypeError(f"choose: the number of a choice is a whole number, not {x.dtype}")
    dtype = result_type(*choices)
    x = numbers_in(x, n, mode, "choose", negative=False)
    made = _core.astype(choices[0], dtype)
    shape = broadcast_shapes(x.shape, *(c.shape for c in choices))
    made = _core.broadcast_to(made, shape)
    for k in range(1, n):
        made = _core.where(_core.equal(x, k), _core.astype(choices[k], dtype), made)
    return into(out, made)


def numbers_in(x, n, mode, name, negative=True):
    """Whole numbers within 0 … n-1 by a mode: those out of range wrap, are clipped, or are an error (waits)."""
    if x.dtype.kind == "b":
        x = _core.astype(x, _core.int64)
    if mode == "wrap":
        return _core.remainder(x, n)
    if mode == "clip":
        return _core.clip(x, 0, n - 1)
    if mode != "raise":
        raise ValueError(f'{name}: mode is "raise", "wrap" or "clip", not {mode!r}')
    if not negative and x.size and x.dtype.kind == "i" and bool(_core.any(x < 0)):
        raise ValueError(f"{name}: a number is out of range: it is not from 0 to {n - 1}")
    try:
        return in_range(x, n)
    except IndexError:
        raise (IndexError if negative else ValueError)(f"{name}: a number is out of range: it is not from 0 to "
                                                       f"{n - 1}") from None


def piecewise(x, condlist, funclist, *args, **kw):
    """Of each element the function of the last condition that is true. The functions are called with all elements."""
    x = _core.as_array(x)
    if isinstance(condlist, bool) or (x.ndim and (condlist.ndim == 1 if isinstance(condlist, ndarray) else
                                                  not hasattr(condlist[0], "__len__"))):
        condlist = [condlist]  # one condition, not in a list
    conditions = [_core.as_array(c, _core.bool) for c in condlist]
    n = len(conditions)
    if len(funclist) not in (n, n + 1):
        raise ValueError(f"piecewise: {n} conditions and {len(funclist)} functions")
    functions = list(funclist)
    made = _core.zeros_like(x)
    if len(functions) == n + 1:
        made = _made(functions.pop(), x, args, kw)
    for c, function in zip(conditions, functions):
        made = _core.where(c, _made(function, x, args, kw), made)
    return made


def _made(function, x, args, kw):
    value = function(x, *args, **kw) if callable(function) else function
    return _core.broadcast_to(_core.astype(_core.as_array(value), x.dtype), x.shape)


def copyto(dst, src, casting="same_kind", where=True):
    """dst[…] = src where the mask is true."""
    if not isinstance(dst, ndarray):
        raise TypeError(f"copyto: an array of Tessera is written, not a {type(dst).__name__}")
    value = src if type(src) in (bool, int, float, complex) else _core.as_array(src)
    own = result_type(dst, value) if type(value) in (bool, int, float, complex) else value.dtype
    check_cast("copyto", own, dst.dtype, casting)
    if type(value) is not ndarray:  # a whole number that the dtype does not hold is an error
        value = _core.as_array(value, dst.dtype if type(value) is int else None)
    value = _core.broadcast_to(_core.astype(value, dst.dtype), dst.shape)
    if where is not True:
        value = _core.where(_core.as_array(where, _core.bool), value, dst)
    _core.assign(dst, value)


def putmask(a, mask, values):
    """Where the mask is true, the values, which are repeated to the array's size."""
    from ._functions import resize
    if not isinstance(a, ndarray):
        raise TypeError(f"putmask: an array of Tessera is written, not a {type(a).__name__}")
    fits = type(values) is int and a.dtype.kind in "iu"  # or is an OverflowError
    mask, values = _core.as_array(mask, _core.bool), _core.as_array(values, a.dtype) if fits else _core.as_array(values)
    if mask.shape != a.shape:
        raise ValueError(f"putmask: a mask of shape {mask.shape} for an array of shape {a.shape}")
    if values.size == 0:
        return
    check_cast("putmask", values.dtype, a.dtype)
    if values.size > 1 and values.shape != a.shape:
        values = resize(values, a.shape)
    elif values.size == 1:
        values = _core.reshape(values, ())
    _core.assign(a, _core.where(mask, _core.astype(values, a.dtype), a))


def bitwise_count(x, /, out=None):
    """The number of bits that are 1, of the absolute value: added in pairs, then in fours, and so on."""
    x = _core.as_array(x)
    if x.dtype.kind == "b":
        return into(out, _core.astype(x, _core.uint8))
    if x.dtype.kind not in "iu":
        raise TypeError(f"bitwise_count takes whole numbers, not {x.dtype}")
    bits, size = 8 * x.dtype.itemsize, 1
    unsigned = _core.dtype(f"uint{bits}")
    count = _core.astype(_core.absolute(x) if x.dtype.kind == "i" else x, unsigned)
    while size < bits:
        mask = _core.as_array(sum(((1 << size) - 1) << at for at in range(0, bits, 2 * size)), unsigned)
        count = (count & mask) + (count >> size & mask)
        size *= 2
    return into(out, _core.astype(count, _core.uint8))


def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    """The values without jumps of more than half a period along the axis."""
    x = _core.as_array(p)
    if x.ndim == 0:
        raise ValueError("unwrap: diff requires input that is at least one dimensional")
    rest = (slice(None),) * axis_of(axis, x.ndim)
    step = _core.diff(x, 1, axis)
    if discont is None:
        discont = period / 2
    dtype = result_type(step, period)
    if dtype.kind in "iu":
        high, odd = divmod(period, 2)
        is_between = odd == 0
    else:
        high, is_between = period / 2, True
    low = -high
    moved = _core.remainder(step - low, period) + low
    if is_between:
        moved = _core.where(_core.logical_and(_core.equal(moved, low), step > 0), high, moved)
    correct = _core.where(_core.absolute(step) < discont, 0, moved - step)
    made = _core.astype(x, dtype)
    front, back = made[rest + (slice(None, 1),)], made[rest + (slice(1, None),)]
    return _core.concatenate([front, back + _core.cumsum(correct, axis)], axis)


def trim_zeros(filt, trim="fb", axis=None):
    """Without zeros at the front and the back, for whose number the program waits."""
    x = _core.as_array(filt)
    axes = axes_of(axis, x.ndim)
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f'trim_zeros: trim is of "f" and "b", not {trim!r}')
    is_one, key = _core.not_equal(x, 0), [slice(None)] * x.ndim
    for k in axes:
        line = _core.any(is_one, tuple(j for j in range(x.ndim) if j != k)) if x.ndim > 1 else is_one
        n = line.shape[0]
        if n == 0 or not bool(_core.any(line)):
            key = [slice(0, 0) if j in axes else s for j, s in enumerate(key)]
            break
        first = int(_core.argmax(line)) if "f" in trim else 0
        last = n - int(_core.argmax(line[::-1])) if "b" in trim else n
        key[k] = slice(first, last)
    return x[tuple(key)]


def _isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """With arrays as rtol or atol, which are broadcast."""
    x, y, rtol, atol = (_core.as_array(v) for v in (a, b, rtol, atol))
    if y.dtype.kind not in "fc":
        y = _core.astype(y, _core.float64)
    is_near = _core.logical_and(_core.isfinite(y),
                                _core.less_equal(_core.absolute(x - y), atol + rtol * _core.absolute(y)))
    made = _core.logical_or(is_near, _core.equal(x, y))
    return _core.logical_or(made, _core.logical_and(_core.isnan(x), _core.isnan(y))) if equal_nan else made


BEHIND_ROWS = {"isclose": _isclose, "allclose": lambda *args, **keywords: bool(_core.all(_isclose(*args, **keywords)))}


def interp(x, xp, fp, left=None, right=None, period=None):
    """Linear interpolation between the points (xp, fp), of which xp ascends; with a period, in any order, for which xp
    is read: waits."""
    from ._functions import searchsorted, take
    x, xp, fp = _core.as_array(x), _core.as_array(xp), _core.as_array(fp)
    if xp.ndim != 1 or xp.shape != fp.shape or xp.shape[0] == 0:
        raise ValueError(f"interp: points of shapes {xp.shape} and {fp.shape}")
    if period is not None:
        if period == 0:
            raise ValueError("interp: a period of 0")
        left, right, period = None, None, abs(period)
        x, places = _core.remainder(x, float(period)), [v % period for v in xp.tolist()]
        order = sorted(range(len(places)), key=places.__getitem__)
        places = [places[k] for k in order]
        xp = _core.as_array([places[-1] - period, *places, places[0] + period], _core.float64)
        fp = take(fp, [order[-1], *order, order[0]])
    x, xp = _core.astype(x, _core.float64), _core.astype(xp, _core.float64)
    fp = _core.astype(fp, _core.complex128 if fp.dtype.kind == "c" else _core.float64)
    n = xp.shape[0]
    number = _core.clip(searchsorted(xp, x, side="right") - 1, 0, max(n - 2, 0))
    after = _core.minimum(number + 1, n - 1)
    x0, y0, y1 = (take(v, k, mode="clip") for v, k in ((xp, number), (fp, number), (fp, after)))
    x1 = take(xp, after, mode="clip")
    slope = (y1 - y0) / _core.where(_core.equal(x1, x0), 1.0, x1 - x0)
    made = slope * (x - x0) + y0
    made = _core.where(_core.equal(x, x1), y1, made)
    first, last = _core.view(xp, (0,)), _core.view(xp, (n - 1,))
    made = _core.where(x > last, _core.view(fp, (n - 1,)) if right is None else right, made)
    made = _core.where(x < first, _core.view(fp, (0,)) if left is None else left, made)
    return _core.where(_core.isnan(x), x, made)


