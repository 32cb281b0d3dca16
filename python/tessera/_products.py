"""Products of several operands by their axes' letters."""
from . import _core
from ._reductions import into


def _as_text(operands):
    """einsum(a, [0, 1], b, [1, 2], [0, 2]): the same with letters."""
    operands, lists = list(operands), []
    arrays = []
    while len(operands) >= 2:
        arrays.append(operands.pop(0))
        lists.append(operands.pop(0))
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


BEHIND_ROWS = {"cross": _cross}
