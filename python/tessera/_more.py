"""What the package has of the modules by topic: functions, the calls that go on from the table's rows, methods."""
from . import _core, _elementwise, _functions, _layout, _ndarray, _products, _reductions, _statistics, _ufuncs, _windows
from ._elementwise import (bitwise_count, choose, copyto, interp, piecewise, putmask, real_if_close, select, spacing,
                           trim_zeros, unwrap)
from ._layout import (apply_over_axes, asarray_chkfinite, block, delete, diagflat, fill_diagonal, insert, packbits,
                      ravel_multi_index, rollaxis, row_stack, unpackbits, unravel_index)
from ._pad import pad
from ._loops import apply_along_axis, fromiter, ndenumerate, ndindex, vectorize
from ._polynomials import poly, polyadd, polyder, polyint, polymul, polysub, polyval
from ._products import convolve, correlate, einsum
from ._scripts import (c_, errstate, get_printoptions, geterr, iterable, mgrid, ogrid, printoptions, r_, s_,
                       set_printoptions, seterr)
from ._statistics import average, corrcoef, cov, histogram_bin_edges
from ._windows import bartlett, blackman, geomspace, hamming, hanning, i0, kaiser, linspace, logspace

for _module in (_reductions, _statistics, _windows, _layout, _products, _ufuncs, _elementwise):
    _core.compose(_module.BEHIND_ROWS)
for _name, _method in _ufuncs.METHODS.items():
    setattr(_core.ufunc, _name, _method)
ufunc = _core.ufunc
bitwise_count, spacing = (_ufuncs.ufunc(f, f.__code__.co_posonlyargcount) for f in (bitwise_count, spacing))
fabs, fix, isneginf, isposinf, matvec, vecmat = (
    _ufuncs.ufunc(getattr(_functions, name), getattr(_functions, name).__code__.co_posonlyargcount,
                  {"matvec": "(m,n),(n)->(m)", "vecmat": "(n),(n,m)->(m)"}.get(name))
    for name in "fabs fix isneginf isposinf matvec vecmat".split())
array2string, array_repr, array_str = _ndarray.array2string, _ndarray.array_repr, _ndarray.array_str
del _module, _name, _method

__all__ = [name for name in dir() if name[0] != "_"]
