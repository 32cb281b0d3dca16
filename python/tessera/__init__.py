"""Tessera: NumPy's arrays on all cores, GPUs and MPI ranks. `import tessera as np`.

Calls record and return; what a program reads (float(x), print(x), x.tolist(), np.asarray(x)) is computed then. The same
program runs alone and under mpirun: every rank makes the same calls.
"""
import sys as _sys
from math import e, inf, nan, pi

from . import _core
from ._core import *  # noqa: F401, F403 (the functions of the table)
from ._core import (barrier, bool, complex64, complex128, dtype, finalize, float16, float32, float64, flush, int8,
                    int16, int32, int64, load, n_passes, n_ranks, ndarray, promote_types, rank, save, time, uint8,
                    uint16, uint32, uint64)
from . import _dtypes, _errors, _index, _session

# What the Python files alone call.
del compose, hashes_differ, version, xdmf_close, xdmf_grid, xdmf_write, point_functions  # noqa: F821
del kernel, make_kernel, make_reduction, make_task, call_kernel, call_reduction  # noqa: F821
_core.set(_errors.make, _index.select, _index.store, _index.Selection, _index.of_selections, __path__[0] + "/")

from . import _ndarray  # noqa: E402, F401
from . import fft, linalg, random  # noqa: E402, F401
from ._dtypes import (can_cast, common_type, complexfloating, finfo, floating, generic, iinfo,  # noqa: E402, F401
                      inexact, integer, isdtype, issubdtype, min_scalar_type, number, result_type, signedinteger,
                      unsignedinteger)
from ._errors import AxisError, TesseraError  # noqa: E402, F401
from ._functions import *  # noqa: E402, F401, F403
from ._more import *  # noqa: E402, F401, F403 (compositions in modules by topic, and methods of the array)
from . import _fallback  # noqa: E402
from ._fallback import FallbackWarning, fallback  # noqa: E402, F401
from ._info import __array_api_version__, __array_namespace_info__  # noqa: E402, F401
from ._reductions import (all, amax, amin, any, count_nonzero, max, mean, min, prod, ptp, std, sum,  # noqa: E402, F401
                          var)
from ._series import XdmfSeries, xdmf_open  # noqa: E402, F401
from ._session import init, output, unaligned  # noqa: E402, F401

newaxis = None
bool_ = bool
double, single, half, cdouble, csingle = float64, float32, float16, complex128, complex64
euler_gamma = 0.5772156649015329
__version__ = _core.version()


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._kernels import ElementwiseKernel, ReductionKernel, TaskArgument, TaskBox, kernel, task
# loaded at their first use
_LATE = ("ElementwiseKernel", "ReductionKernel", "TaskArgument", "TaskBox", "kernel", "task")


def __dir__():
    return sorted({*globals(), *_LATE} - {"TYPE_CHECKING"})


def __getattr__(name):
    if name in _LATE:
        from . import _kernels
        return globals().setdefault(name, getattr(_kernels, name))
    found = _fallback.attribute(name)
    if found is not None:
        return found
    raise AttributeError(f"tessera has no {name!r}; the functions that are there: dir(tessera), and docs/numpy.md; "
                         "with tessera.fallback(\"numpy\"): NumPy computes what Tessera lacks, from gathered arrays",
                         name=name, obj=_sys.modules[__name__])  # Python says which name is near
