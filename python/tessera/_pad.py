"""Padding by every mode of NumPy's: some are the table's, the others are made of pieces along one axis after another."""
from operator import index

from . import _core

_IN_TABLE = ("constant", "edge", "wrap", "reflect")
_TAKES = {
    "constant": {"constant_values"}, "linear_ramp": {"end_values"}, "maximum": {"stat_length"}, "mean": {"stat_length"},
    "median": {"stat_length"}, "minimum": {"stat_length"}, "reflect": {"reflect_type"}, "symmetric": {"reflect_type"},
    "edge": set(), "wrap": set(), "empty": set(),
}


def _pairs(value, ndim, name):
    """A pair for each axis, of one value, a pair, or pairs."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple, range)):
        return [(value, value)] * ndim
    rows = [tuple(r) if isinstance(r, (list, tuple)) else r for r in (v.tolist() if hasattr(v, "tolist") else v for v in value)]
    if all(not isinstance(r, tuple) for r in rows):
        if len(rows) == 1:
            return [(rows[0], rows[0])] * ndim
        if len(rows) == 2:
            return [tuple(rows)] * ndim
    elif all(isinstance(r, tuple) and len(r) in (1, 2) for r in rows) and len(rows) in (1, ndim):
        rows = [r * 2 if len(r) == 1 else r for r in rows]
        return rows * ndim if len(rows) == 1 else rows
    raise ValueError(f"pad: {name} is one value, a pair (before, after), or a pair for each of the {ndim} axes")


def pad(array, pad_width, mode="constant", **kwargs):
    """The array with elements around it, made by the mode."""
    x = _core.as_array(array)
    if callable(mode):
        raise TypeError("pad: a function as mode is not there yet")
    if mode not in _TAKES:
        raise ValueError(f"pad: there is no mode {mode!r}; the modes are {', '.join(sorted(_TAKES))}")
    for name in kwargs:
        if name not in _TAKES[mode]:
            raise ValueError(f"pad: the mode {mode!r} takes no {name}")
    if isinstance(pad_width, dict):
        widths = [(0, 0)] * x.ndim
        for axis, width in pad_width.items():
            widths[axis] = (width, width) if isinstance(width, int) else tuple(width)
    else:
        widths = _pairs(pad_width, x.ndim, "pad_width")
    try:
        widths = [(index(before), index(after)) for before, after in widths]
    except TypeError:
        raise TypeError(f"pad: the widths are whole numbers, not {pad_width!r}") from None
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError("pad: a width is negative")
    if not x.ndim:
        return _core.copy(x)
    value = kwargs.get("constant_values", 0)
    if mode in _IN_TABLE and kwargs.get("reflect_type", "even") == "even" and not isinstance(value, (list, tuple)) and (
            getattr(value, "ndim", 0) == 0):
        return _core.pad(x, widths, mode, constant_values=value)
    if mode == "empty":
        return _core.pad(x, widths)
    maker = {"constant": _constant, "linear_ramp": _ramp, "reflect": _odd, "symmetric": _symmetric}.get(mode, _statistic)
    option = {"constant": "constant_values", "linear_ramp": "end_values"}.get(mode)
    if option:
        options = _pairs(kwargs.get(option, 0), x.ndim, option)
    elif maker is _statistic:
        options = [(mode, pair) for pair in _pairs(kwargs.get("stat_length"), x.ndim, "stat_length")]
    else:
        kind = kwargs.get("reflect_type", "even")
        if kind not in ("even", "odd"):
            raise ValueError(f'pad: reflect_type is "even" or "odd", not {kind!r}')
        options = [kind] * x.ndim
    for axis, (before, after) in enumerate(widths):
        if before or after:
            if x.shape[axis] == 0 and mode != "constant":
                raise ValueError(f"pad: axis {axis} is empty: the mode {mode!r} has nothing to take from")
            x = maker(x, axis, before, after, options[axis])
    return x


def _part(x, axis, start, stop, step=None):
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


def _join(x, axis, front, back):
    return _core.concatenate([p for p in (front, x, back) if p is not None and p.shape[axis]], axis)


def _like(x, axis, n, value):
    shape = x.shape[:axis] + (n,) + x.shape[axis + 1:]
    return _core.broadcast_to(value, shape)


def _constant(x, axis, before, after, values):
    front, back = (_like(x, axis, n, _core.as_array(v, x.dtype)) for n, v in zip((before, after), values))
    return _join(x, axis, front, back)


def _ramp(x, axis, before, after, ends):
    def ramp(n, end, edge):
        at = _core.reshape(_core.arange(n) * 1.0, (-1,) + (1,) * (x.ndim - 1 - axis))
        made = end + at * ((edge - end) / max(n, 1))
        return _core.astype(_core.floor(made) if x.dtype.kind in "iu" else made, x.dtype)

    front = ramp(before, ends[0], _part(x, axis, 0, 1))
    back = ramp(after, ends[1], _part(x, axis, -1, None))
    return _join(x, axis, front, _part(back, axis, None, None, -1))


def _statistic(x, axis, before, after, option):
    mode, lengths = option
    n = x.shape[axis]

    def made(width, length, is_front):
        length = n if length is None else min(int(length), n)
        if length < 1 and mode in ("maximum", "minimum"):
            raise ValueError("stat_length of 0 yields no value for padding")
        part = _part(x, axis, 0, length) if is_front else _part(x, axis, n - length, n)
        function = {"maximum": _core.max, "minimum": _core.min, "mean": _core.mean, "median": _core.median}[mode]
        value = function(part, axis, keepdims=True)
        if x.dtype.kind in "iu" and value.dtype.kind == "f":
            value = _core.rint(value)
        return _like(x, axis, width, _core.astype(value, x.dtype))

    return _join(x, axis, made(before, lengths[0], True), made(after, lengths[1], False))


def _symmetric(x, axis, before, after, kind):
    if kind == "odd":
        return _reflected(x, axis, before, after, 0)
    n = x.shape[axis]
    period = _core.concatenate([x, _part(x, axis, None, None, -1)], axis)
    widths = [(0, 0)] * x.ndim
    widths[axis] = (before, max(after - n, 0))
    return _part(_core.pad(period, widths, "wrap"), axis, 0, before + n + after)


def _odd(x, axis, before, after, kind):
    if x.shape[axis] == 1:
        widths = [(0, 0)] * x.ndim
        widths[axis] = (before, after)
        return _core.pad(x, widths, "edge")
    return _reflected(x, axis, before, after, 1)


def _reflected(x, axis, before, after, skip):
    """Twice the edge less what lies behind it; `skip` 1: the edge itself is not repeated."""
    most = x.shape[axis] - skip
    while before or after:
        front, back = min(before, most), min(after, most)
        first, last = _part(x, axis, 0, 1), _part(x, axis, -1, None)
        n = x.shape[axis]
        left = 2 * first - _part(_part(x, axis, skip, skip + front), axis, None, None, -1)
        right = 2 * last - _part(_part(x, axis, n - skip - back, n - skip), axis, None, None, -1)
        x = _join(x, axis, _core.astype(left, x.dtype), _core.astype(right, x.dtype))
        before, after = before - front, after - back
    return x
