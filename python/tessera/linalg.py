"""tessera.linalg: what is made of products and sums. Decompositions are not there yet."""
from . import _axes, _core, _fallback
from ._functions import matrix_transpose, tensordot

matmul, outer, vecdot = _core.matmul, _core.outer, _core.vecdot
_MISSING = ("cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_rank pinv qr slogdet solve svd svdvals "
            "tensorinv tensorsolve").split()

__all__ = ["LinAlgError", "cross", "diagonal", "matmul", "matrix_norm", "matrix_power", "matrix_transpose", "multi_dot",
           "norm", "outer", "tensordot", "trace", "vecdot", "vector_norm"]


def __getattr__(name):
    found = _fallback.attribute(name, "linalg")
    if found is not None:
        return found
    if name in _MISSING:
        raise AttributeError(f"tessera.linalg.{name} is not there yet; numpy.asarray(x) gathers an array for NumPy, "
                             "and tessera.fallback(\"numpy\") lets it compute such functions")
    raise AttributeError(f"module 'tessera.linalg' has no attribute {name!r}")


class LinAlgError(ValueError):
    """What NumPy raises where a matrix has no decomposition; those of Tessera's functions are no errors of their own
    yet."""


def cross(x1, x2, /, *, axis=-1):
    """The product of vectors of three elements."""
    return _core.cross(x1, x2, axis=axis)


def diagonal(x, /, *, offset=0):
    """The diagonals of matrices, the last two axes."""
    return _core.diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sums of the diagonals of matrices, the last two axes."""
    return _core.sum(_core.diagonal(x, offset, -2, -1), -1, dtype)


def matrix_power(a, n):
    """A product of a matrix with itself."""
    x = _core.as_array(a)
    if n < 0:
        __getattr__("inv")
    if n == 0:
        return _core.copy(_core.broadcast_to(_core.eye(x.shape[-1], dtype=x.dtype), x.shape))
    result = None
    while n:
        if n & 1:
            result = x if result is None else result @ x
        n >>= 1
        if n:
            x = x @ x
    return result


def multi_dot(arrays, *, out=None):
    """The product of several matrices, in the order that needs the fewest multiplications."""
    from ._reductions import into
    parts = [_core.as_array(a) for a in arrays]
    if len(parts) < 2:
        raise ValueError("multi_dot takes two matrices or more")
    is_row, is_column = parts[0].ndim == 1, parts[-1].ndim == 1
    if is_row:
        parts[0] = _core.reshape(parts[0], (1, -1))
    if is_column:
        parts[-1] = _core.reshape(parts[-1], (-1, 1))
    for a in parts:
        if a.ndim != 2:
            raise ValueError(f"multi_dot: a matrix is needed, not an array of {a.ndim} axes")
    lengths = [a.shape[0] for a in parts] + [parts[-1].shape[1]]
    n = len(parts)
    cost, cut = [[0] * n for _ in parts], [[0] * n for _ in parts]
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            cost[i][j], cut[i][j] = min((cost[i][k] + cost[k + 1][j] + lengths[i] * lengths[k + 1] * lengths[j + 1], k)
                                        for k in range(i, j))

    def product(i, j):
        return parts[i] if i == j else _core.matmul(product(i, cut[i][j]), product(cut[i][j] + 1, j))

    made = product(0, n - 1)
    shape = made.shape[is_row:] if not is_column else made.shape[is_row:1]
    return into(out, made if shape == made.shape else _core.reshape(made, shape))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of vectors; of all elements where no axis is given."""
    x = _floating(x)
    size = _core.absolute(x)
    inf = float("inf")
    if ord == inf:
        return _core.max(size, axis, keepdims=keepdims)
    if ord == -inf:
        return _core.min(size, axis, keepdims=keepdims)
    if ord == 0:
        return _core.sum(_core.not_equal(x, 0), axis, size.dtype, keepdims=keepdims)
    if ord == 1:
        return _core.sum(size, axis, keepdims=keepdims)
    if ord == 2:
        return _core.sqrt(_core.sum(size * size, axis, keepdims=keepdims))
    return _core.power(_core.sum(_core.power(size, float(ord)), axis, keepdims=keepdims), 1.0 / ord)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of matrices, the last two axes."""
    x = _floating(x)
    size = _core.absolute(x)
    inf = float("inf")
    if ord == "fro":
        return _core.sqrt(_core.sum(size * size, (-2, -1), keepdims=keepdims))
    if ord not in (1, -1, 2, -2, inf, -inf, "nuc"):
        raise ValueError(f"matrix_norm: ord is 1, -1, 2, -2, inf, -inf, 'fro' or 'nuc', not {ord!r}")
    if ord not in (1, -1, inf, -inf):
        raise NotImplementedError(f"matrix_norm: ord={ord!r} needs singular values, which are not there yet")
    sums = _core.sum(size, -2 if ord in (1, -1) else -1, keepdims=True)
    result = (_core.max if ord > 0 else _core.min)(sums, (-2, -1), keepdims=True)
    return result if keepdims else _core.squeeze(result, (-2, -1))


def norm(x, ord=None, axis=None, keepdims=False):
    """The norm of vectors or matrices, as numpy.linalg.norm."""
    x = _floating(x)
    if axis is None and ord is None:
        axes = tuple(range(x.ndim))
        return vector_norm(x, axis=axes, keepdims=keepdims)
    if axis is None:
        axis = tuple(range(x.ndim))
    if isinstance(axis, int) or len(axis) == 1:
        return vector_norm(x, axis=axis, keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axis) != 2:
        raise ValueError("norm: a vector or a matrix is needed")
    moved = _core.moveaxis(x, axis, (-2, -1))
    result = matrix_norm(moved, ord="fro" if ord is None else ord)
    for k in sorted(_axes.axes_of(axis, x.ndim)) if keepdims else ():
        result = _core.expand_dims(result, k)
    return result


def _floating(x):
    x = _core.as_array(x)
    return x if x.dtype.kind in "fc" else _core.astype(x, _core.float64)
