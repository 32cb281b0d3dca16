"""Padding by widths that NumPy takes beside those of the table's row: a dictionary by axis, arrays."""
from . import _core


def _numbers(widths):
    """Without arrays, whose numbers are read on all ranks."""
    if hasattr(widths, "tolist"):
        return widths.tolist()
    return [_numbers(w) for w in widths] if isinstance(widths, (list, tuple)) else widths


def pad(array, pad_width, mode="constant", **kwargs):
    """The array with elements around it, made by the mode."""
    if callable(mode):
        raise TypeError("pad: a function as mode is not there yet")
    if isinstance(pad_width, dict):
        array = _core.as_array(array)
        widths = [(0, 0)] * array.ndim
        for axis, width in pad_width.items():
            widths[axis] = (width, width) if isinstance(width, int) else tuple(width)
        pad_width = widths
    if kwargs.get("stat_length") is not None:
        kwargs["stat_length"] = _numbers(kwargs["stat_length"])
    return _core.pad(array, _numbers(pad_width), mode, **kwargs)
