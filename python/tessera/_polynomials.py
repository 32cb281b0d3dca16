"""Polynomials as vectors of coefficients, the highest power first."""
from . import _core
from ._dtypes import result_type
from ._functions import asarray


def _vector(p):
    x = _core.as_array(p)
    return _core.reshape(x, (1,)) if x.ndim == 0 else x


def polyval(p, x):
    """The polynomial's value at each x."""
    p, x = _core.as_array(p), _core.as_array(x)
    y = _core.zeros(x.shape, x.dtype)
    for k in range(p.shape[0]):
        y = y * x + _core.view(p, (k,))
    return y


def _added(a, b, function):
    a, b = _vector(a), _vector(b)
    n = max(a.shape[0], b.shape[0])
    a, b = (v if v.shape[0] == n else _core.concatenate([_core.zeros(n - v.shape[0], v.dtype), v]) for v in (a, b))
    return function(a, b)


def polyadd(a1, a2):
    """The sum of two polynomials."""
    return _added(a1, a2, _core.add)


def polysub(a1, a2):
    """The difference of two polynomials."""
    return _added(a1, a2, _core.subtract)


def polymul(a1, a2):
    """The product of two polynomials, one step for each coefficient of the shorter."""
    a, b = _vector(a1), _vector(a2)
    if a.shape[0] < b.shape[0]:
        a, b = b, a
    made = _core.zeros(a.shape[0] + b.shape[0] - 1, result_type(a, b))
    for k in range(b.shape[0]):
        part = made[k:k + a.shape[0]]
        _core.assign(part, part + a * _core.view(b, (k,)))
    return made


def polyder(p, m=1):
    """The m-th derivative."""
    if m < 0:
        raise ValueError(f"polyder: the order {m} is negative, polyint integrates")
    p = _core.as_array(p)
    for _ in range(m):
        n = p.shape[0] - 1
        p = p[:-1] * _core.arange(n, 0, -1)
    return p


def polyint(p, m=1, k=None):
    """The m-th integral, with the constants k."""
    if m < 0:
        raise ValueError(f"polyint: the order {m} is negative, polyder derives")
    p = _core.as_array(p)
    constants = [0] * m if k is None else [k] * m if isinstance(k, (int, float, complex)) else list(k)
    if len(constants) == 1 and m > 1:
        constants *= m
    if len(constants) < m:
        raise ValueError(f"polyint: {len(constants)} constants for an integral of order {m}")
    for step in range(m):
        p = _core.concatenate([p / _core.arange(p.shape[0], 0, -1),
                               _core.reshape(asarray(constants[step]), (1,))])
    return p


def poly(seq_of_zeros):
    """The polynomial that has these zeros."""
    zeros = _core.as_array(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1]:
        raise TypeError("poly of a matrix needs its eigenvalues, which are not there yet")
    if zeros.ndim > 1:
        raise ValueError("poly takes a vector of zeros")
    zeros = _vector(zeros)
    dtype = zeros.dtype if zeros.dtype.kind in "fc" else _core.float64
    made = _core.ones(1, dtype)
    for k in range(zeros.shape[0]):
        none = _core.zeros(1, dtype)
        made = _core.concatenate([made, none]) - _core.concatenate([none, made * _core.view(zeros, (k,))])
    return made
