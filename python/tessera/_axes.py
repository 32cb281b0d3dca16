"""Axes, and orders of elements, as arguments name them."""
from operator import index

from . import _core
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


def laid_along(w, axes, ndim, n_lead=0):
    """An array whose axes behind the first n_lead lie along `axes`, in their order, of ndim axes behind the first: with
    a length of 1 along all others."""
    lead, own = w.shape[:n_lead], w.shape[n_lead:]
    lengths = [1] * ndim
    for k, n in zip(axes, own):
        lengths[k] = n
    order = sorted(range(len(own)), key=axes.__getitem__)
    if len(order) > 1:
        w = _core.transpose(w, (*range(n_lead), *(n_lead + k for k in order)))
    return _core.reshape(w, lead + tuple(lengths))


def order_of(order):
    """The letter of an order: "C", "F", "A" or "K", also where it is small; None for None."""
    letter = order.upper() if isinstance(order, str) else order
    if letter not in (None, "C", "F", "A", "K"):
        raise ValueError(f"an order is 'C', 'F', 'A' or 'K', not {order!r}")
    return letter
