"""Products of several operands by their axes' letters, and of vectors at every shift."""
from . import _core
from ._axes import order_of
from ._dtypes import cast, check_cast, result_type
from ._reductions import into


def _as_text(operands):
    """einsum(a, [0, 1], b, [1, 2], [0, 2]): the same with letters."""
    operands, lists = list(operands), []
    arrays = []
    while len(operands) >= 2:
        arrays.append(operands.pop(0))
        lists.append(operands.pop(0))
    if not all(isinstance(of, (list, tuple)) for of in lists + operands):
        raise TypeError("einsum takes letters first, einsum('ij,j->i', a, b), or lists of numbers, einsum(a, [0, 1], "
                        "b, [1], [0])")
    numbers = sorted({k for of in lists for k in of if k is not Ellipsis})
    letter = {k: chr(97 + i if i < 26 else 39 + i) for i, k in enumerate(numbers)}
    letter[Ellipsis] = "..."
    text = ",".join("".join(letter[k] for k in of) for of in lists)
    if operands:
        text += "->" + "".join(letter[k] for k in operands[0])
    return text, arrays


def _without_dots(inputs, output, arrays):
    """Letters for the axes behind `...`, which broadcast."""
    used = set("".join(inputs) + output)
    free = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if c not in used]
    most, made = 0, []
    for of, x in zip(inputs, arrays):
        n = x.ndim - len(of.replace("...", "")) if "..." in of else 0
        if n < 0:
            raise ValueError(f"einsum: {of!r} has more letters than the operand's {x.ndim} axes")
        most = max(most, n)
    dots = free[:most]
    for of, x in zip(inputs, arrays):
        n = x.ndim - len(of.replace("...", ""))
        made.append(of.replace("...", "".join(dots[most - n:])) if "..." in of else of)
    return made, output.replace("...", "".join(dots)), dots


def _stretched(inputs, arrays):
    """Axes of length 1 that broadcast are dropped from the operands: their letter is another operand's."""
    lengths = {}
    for of, x in zip(inputs, arrays):
        for letter, n in zip(of, x.shape):
            if lengths.get(letter, 1) != n != 1 and letter in lengths and lengths[letter] != 1:
                raise ValueError(f"einsum: the axis {letter!r} has the lengths {lengths[letter]} and {n}")
            lengths[letter] = max(lengths.get(letter, 1), n) if n else 0
    made = []
    for k, (of, x) in enumerate(zip(inputs, arrays)):
        drop = [j for j, letter in enumerate(of) if x.shape[j] == 1 and lengths[letter] != 1]
        if drop:
            x = _core.squeeze(x, tuple(drop))
            of = "".join(letter for j, letter in enumerate(of) if j not in drop)
        made.append((of, x))
    return [of for of, _ in made], [x for _, x in made]


def einsum(*operands, out=None, optimize=False):
    """A sum of products whose axes have letters: of more than two operands from left to right, two at a time."""
    if not operands:
        raise ValueError("einsum needs the letters of the axes, and operands")
    if len(operands) == 1:
        raise ValueError("einsum needs operands beside the letters of the axes")
    if isinstance(operands[0], str):
        text, arrays = operands[0], list(operands[1:])
    else:
        text, arrays = _as_text(operands)
    text = text.replace(" ", "")
    if len(arrays) <= 2 and "..." not in text:
        return into(out, _core.einsum(text, *arrays))
    arrays = [_core.as_array(a) for a in arrays]
    inputs, arrow, output = text.partition("->")
    inputs = inputs.split(",")
    if len(inputs) != len(arrays):
        raise ValueError(f"einsum: letters of {len(inputs)} operands, and {len(arrays)} operands")
    if not arrow:
        letters = "".join(inputs).replace("...", "")
        output = ("..." if "..." in text else "") + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    inputs, output, _ = _without_dots(inputs, output, arrays)
    inputs, arrays = _stretched(inputs, arrays)
    left, x = inputs[0], arrays[0]
    for k in range(1, len(arrays)):
        later = set("".join(inputs[k + 1:]) + output)
        if k == len(arrays) - 1:
            kept = output
        else:
            kept = "".join(dict.fromkeys(c for c in left + inputs[k] if c in later))
        x = _core.einsum(f"{left},{inputs[k]}->{kept}", x, arrays[k])
        left = kept
    if len(arrays) == 1:
        x = _core.einsum(f"{left}->{output}", x)
    return into(out, x)


def _cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    made = _core.cross(_core.moveaxis(a, axisa, -1), _core.moveaxis(b, axisb, -1))
    is_number = _core.as_array(a).shape[axisa] == _core.as_array(b).shape[axisb] == 2
    return made if is_number else _core.moveaxis(made, -1, axisc)


_MOST_SHIFTS = 4096


def _vectors(name, a, v):
    a, v = _core.as_array(a), _core.as_array(v)
    if name == "convolve":
        a, v = (_core.reshape(x, 1) if x.ndim == 0 else x for x in (a, v))
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"{name}: of two vectors, not of arrays of {a.ndim} and {v.ndim} axes")
    if a.size == 0 or v.size == 0:
        raise ValueError(f"{name}: a vector has no elements")
    to = result_type(a, v)
    return _core.astype(a, to), _core.astype(v, to)


def _shifted(name, a, v, mode):
    """The sums of products of v with the elements of a from each place on; v is the shorter."""
    n, m = a.size, v.size
    if m > _MOST_SHIFTS:
        raise ValueError(f"{name}: both vectors have over {_MOST_SHIFTS} elements: that is the work of transforms, "
                         "which are not there yet")
    before, length = {"full": (m - 1, n + m - 1), "same": (m // 2, n), "valid": (0, n - m + 1)}[mode]
    behind = length + m - 1 - n - before
    a = _core.pad(a, ((before, behind),)) if before or behind else a
    made = None
    for k in range(m):
        product = _core.multiply(_core.view(a, slice(k, k + length)), _core.view(v, k))
        made = product if made is None else _core.add(made, product)
    return made


def _mode(name, mode):
    modes = {0: "valid", 1: "same", 2: "full"}
    mode = modes.get(mode, mode)
    if mode not in modes.values():
        raise ValueError(f"{name}: the mode is 'full', 'same' or 'valid', not {mode!r}")
    return mode


def convolve(a, v, mode="full"):
    """The convolution of two vectors: one addition for each element of the shorter, which has at most 4,096."""
    mode = _mode("convolve", mode)
    a, v = _vectors("convolve", a, v)
    a, v = (v, a) if v.size > a.size else (a, v)
    return _shifted("convolve", a, v[::-1], mode)


def correlate(a, v, mode="valid"):
    """The sums of products of a, shifted, with the conjugate of v: one addition for each element of the shorter."""
    mode = _mode("correlate", mode)
    a, v = _vectors("correlate", a, v)
    v = _core.conj(v) if v.dtype.kind == "c" else v
    if v.size <= a.size:
        return _shifted("correlate", a, v, mode)
    made = _shifted("correlate", v, a, "full" if mode == "same" else mode)[::-1]
    return _core.copy(made[a.size // 2:a.size // 2 + v.size]) if mode == "same" else made


def _matmul(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True):
    """matmul with dtype= and casting=, of the operands and of out=."""
    x, y = _core.as_array(x1), _core.as_array(x2)
    check_cast("matmul", x.dtype, x.dtype, casting)  # a rule that is none is an error
    if order_of(order) == "F":
        raise TypeError("matmul: order='F' is not there yet")
    if dtype is not None:
        x, y = (cast("matmul", of, _core.dtype(dtype), casting) for of in (x, y))
    return into(out, _core.matmul(x, y), casting)


BEHIND_ROWS = {"cross": _cross, "matmul": _matmul}
