"""Padding by widths that NumPy takes beside those of the table's row: a dictionary by axis, arrays."""
from . import _core


def _numbers(widths):
    """Without arrays, whose numbers are read on all ranks."""
    if hasattr(widths, "tolist"):
        return widths.tolist()
    return [_numbers(w) for w in widths] if isinstance(widths, (list, tuple)) else widths


def _pairs(widths, ndim):
    """A pair for each axis, of the forms that pad_width may have."""
    widths = _numbers(widths)
    rows = list(widths) if isinstance(widths, (list, tuple)) else [widths]
    if not isinstance(rows[0], (list, tuple)):
        rows = [rows]
    rows = [tuple(row) * (3 - len(row)) for row in rows]
    return rows if len(rows) == ndim else rows * ndim


def _padded_by(function, made, widths, keywords):
    """Each vector along each axis is given to function(vector, widths, axis, keywords), which writes what is around
    it."""
    from ._core import view
    from ._loops import ndindex
    for axis, pair in enumerate(_pairs(widths, made.ndim)):
        for at in ndindex(*made.shape[:axis], *made.shape[axis + 1:]):
            function(view(made, at[:axis] + (slice(None),) + at[axis:]), pair, axis, keywords)
    return made


def pad(array, pad_width, mode="constant", **kwargs):
    """The array with elements around it, made by the mode."""
    if isinstance(pad_width, dict):
        array = _core.as_array(array)
        widths = [(0, 0)] * array.ndim
        for axis, width in pad_width.items():
            widths[axis] = (width, width) if isinstance(width, int) else tuple(width)
        pad_width = widths
    if callable(mode):
        return _padded_by(mode, pad(array, pad_width), pad_width, kwargs)
    if kwargs.get("stat_length") is not None:
        kwargs["stat_length"] = _numbers(kwargs["stat_length"])
    return _core.pad(array, _numbers(pad_width), mode, **kwargs)
