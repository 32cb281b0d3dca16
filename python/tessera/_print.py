"""An array as text in NumPy's layout, where NumPy is not installed: 8 digits, 75 columns, all elements of an axis as
wide."""
import math
import struct

WIDTH, DIGITS, EDGE = 75, 8, 3
# Whole numbers from here on do not show all their digits.
_LARGE = {2: 1e3, 4: 1e6, 8: 1e8}


def _shortest(x, size):
    """The fewest digits that stand for a float of so many bytes: (digits, exponent of the first)."""
    if size == 8:
        text = f"{x:.17g}" if math.isinf(x) else repr(x)
        digits = text.lower().split("e")[0].replace(".", "").replace("-", "").lstrip("0")
        mantissa = f"{float(text):.{max(len(digits) - 1, 0)}e}"
    else:
        code = {4: "f", 2: "e"}[size]
        for n in range(17):
            mantissa = f"{x:.{n}e}"
            try:
                if struct.pack(code, float(mantissa)) == struct.pack(code, x):
                    break
            except OverflowError:  # rounded beyond the largest
                continue
    digits, _, exponent = mantissa.partition("e")
    return digits.replace(".", "").replace("-", "").rstrip("0") or "0", int(exponent)


def _positional(x, size):
    """(whole part, fraction) of a number: at most 8 digits behind the point."""
    digits, exponent = _shortest(abs(x), size)
    if len(digits) - 1 - exponent > DIGITS:
        whole, _, fraction = f"{abs(x):.{DIGITS}f}".partition(".")
        fraction = fraction.rstrip("0")
    elif exponent < 0:
        whole, fraction = "0", "0" * (-exponent - 1) + digits.rstrip("0")
    else:
        digits = digits.ljust(exponent + 1, "0")
        whole, fraction = digits[:exponent + 1], digits[exponent + 1:]
    return ("-" if math.copysign(1, x) < 0 else "") + whole, fraction


def _n_fraction(x, size):
    """How many digits stand behind the point with an exponent: at most 8."""
    return min(len(_shortest(abs(x), size)[0]) - 1, DIGITS)


def _floats(values, size, plus=False):
    """The texts of floats, all of one width."""
    finite = [x for x in values if math.isfinite(x)]
    sizes = [abs(x) for x in finite if x != 0]
    is_scientific = bool(sizes) and (max(sizes) >= _LARGE[size] or min(sizes) < 1e-4 or max(sizes) / min(sizes) > 1000)
    sign = "+" if plus else ""

    def signed(whole):
        return whole if whole.startswith("-") else sign + whole
    if is_scientific:
        behind = max(_n_fraction(x, size) for x in finite)
        parts = [f"{x:.{behind}e}".partition("e") for x in finite]
        power = max(len(exponent) for _, _, exponent in parts)
        texts = [f"{signed(head if behind else head + '.')}e{exponent[0]}{exponent[1:]:0>{power - 1}}"
                 for head, _, exponent in parts]
        tail = behind + power + 2
    else:
        parts = [_positional(x, size) for x in finite]
        behind = max((len(fraction) for _, fraction in parts), default=0)
        texts = [f"{signed(whole)}.{fraction:<{behind}}" for whole, fraction in parts]
        tail = behind + 1
    others = [signed(str(x)) if not math.isnan(x) else sign + "nan" for x in values if not math.isfinite(x)]
    width = max(max((len(text) for text in texts), default=0), max((len(text) for text in others), default=0), tail
                if texts else 0)
    whole, odd = iter(texts), iter(others)
    return [next(whole if math.isfinite(x) else odd).rjust(width) for x in values]


def _words(values, dtype):
    kind = dtype.kind
    if kind == "b":
        return [" True" if x else "False" for x in values]
    if kind in "iu":
        width = max((len(str(x)) for x in values), default=0)
        return [str(x).rjust(width) for x in values]
    if kind == "f":
        return _floats(values, dtype.itemsize)
    real = _floats([x.real for x in values], dtype.itemsize // 2)
    imag = _floats([x.imag for x in values], dtype.itemsize // 2, plus=True)
    return [a + b.rstrip() + "j" + " " * (len(b) - len(b.rstrip())) for a, b in zip(real, imag)]


def text(values, shape, dtype, separator=" ", margin=0, left_out=False):
    """The text of elements in nested lists. margin: columns that the first line has before it; left_out: axes longer
    than 6 have their first and last three elements only."""
    flat = values
    for _ in shape[1:]:
        flat = [x for part in flat for x in part]
    if not shape:
        return _words([values], dtype)[0].strip()
    if 0 in shape:
        return "[]"
    words = iter(_words(flat, dtype))

    def lines(axis, indent):
        n = min(shape[axis], 2 * EDGE) if left_out and shape[axis] > 2 * EDGE else shape[axis]
        parts = [next(words) if axis == len(shape) - 1 else lines(axis + 1, indent + 1) for _ in range(n)]
        if n < shape[axis]:
            parts.insert(EDGE, "...")
        if axis < len(shape) - 1:
            return "[" + (separator.rstrip() + "\n" * (len(shape) - 1 - axis) + " " * indent).join(parts) + "]"
        room = WIDTH - len(shape) - max(len(separator.rstrip()), 1) + 1
        rows, row = [], " " * indent + parts[0]
        for part in parts[1:]:
            row += separator
            if len(row) + len(part) > room:
                rows.append(row.rstrip())
                row = " " * indent
            row += part
        return "[" + "\n".join(rows + [row])[indent:] + "]"

    return lines(0, margin + 1)
