"""Axes, and orders of elements, as arguments name them."""
from operator import index

from ._errors import AxisError


def axis_of(axis, ndim):
    """The axis of an array with so many axes, counted from the first."""
    k = index(axis)
    if not -ndim <= k < ndim:
        raise AxisError(f"axis {k} is out of range for an array of {ndim} axes")
    return k + ndim if k < 0 else k


def axes_of(axis, ndim):
    """A tuple of the axes that an argument names: all by None, several by a tuple, each once. An array without axes has
    one element, of which a reduction along the one axis 0 or -1 is that element, as NumPy has it."""
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, (tuple, list)):
        return () if ndim == 0 and index(axis) in (0, -1) else (axis_of(axis, ndim),)
    axes = tuple(axis_of(k, ndim) for k in axis)
    for k in axes:
        if axes.count(k) > 1:
            raise AxisError(f"axis {k} is named twice")
    return axes


def order_of(order):
    """The letter of an order: "C", "F", "A" or "K", also where it is small; None for None."""
    letter = order.upper() if isinstance(order, str) else order
    if letter not in (None, "C", "F", "A", "K"):
        raise ValueError(f"an order is 'C', 'F', 'A' or 'K', not {order!r}")
    return letter
