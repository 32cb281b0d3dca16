"""docs/numpy.md: NumPy's functions beside ours, from the public headers.

    numpy_table.py [--write]     compares the page with the headers, or writes it

Fails if the page is not what the headers say, if a public function is in no row, or if a note is about a function
that is not there.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "docs" / "numpy.md"

# NumPy's names by its reference's chapters; `numpy.` stands before each.
CHAPTERS = {
    "Creation": """empty empty_like zeros zeros_like ones ones_like full full_like array copy arange linspace logspace
        geomspace eye identity tri tril triu diag meshgrid indices fromfunction load""",
    "Views and shapes": """shape ndim size reshape ravel transpose moveaxis swapaxes squeeze expand_dims broadcast_to
        broadcast_arrays atleast_1d atleast_2d atleast_3d diagonal flip fliplr flipud rot90 roll""",
    "Joining and repeating": """concatenate stack vstack hstack dstack column_stack split array_split hsplit vsplit tile
        repeat pad append insert delete resize""",
    "Arithmetic": """add subtract multiply divide floor_divide remainder mod fmod divmod power float_power reciprocal
        negative positive absolute fabs sign square sqrt cbrt hypot matmul heaviside sinc""",
    "Exponents and logarithms": "exp exp2 expm1 log log2 log10 log1p logaddexp logaddexp2",
    "Trigonometric and hyperbolic": """sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh
        deg2rad rad2deg degrees radians unwrap""",
    "Rounding and floating point": """floor ceil trunc rint round around fix signbit copysign nextafter spacing ldexp frexp modf
        nan_to_num""",
    "Complex numbers": "real imag conj conjugate angle",
    "Extremes": "minimum maximum fmin fmax clip",
    "Comparisons and logic": """equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor
        logical_not isnan isinf isfinite isclose allclose array_equal where select""",
    "Bits": "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift bitwise_count",
    "Reductions": """sum prod min max mean any all argmin argmax count_nonzero ptp var std median quantile percentile
        average nansum nanprod nanmin nanmax nanmean nanvar nanstd nanargmin nanargmax nanmedian nanquantile nanpercentile""",
    "Scans and differences": "cumsum cumprod diff gradient trapezoid convolve correlate interp",
    "Products": "dot vdot inner outer tensordot einsum kron cross trace linalg.norm",
    "Sorting, searching, sets": """sort argsort partition searchsorted nonzero unique take take_along_axis compress
        extract put bincount histogram""",
    "Random numbers": """random.default_rng random.Generator.random random.Generator.uniform random.Generator.normal
        random.Generator.standard_normal random.Generator.integers random.Generator.exponential random.Generator.choice
        random.Generator.permutation random.Generator.shuffle""",
    "Linear algebra and FFT": """linalg.solve linalg.inv linalg.det linalg.cholesky linalg.qr linalg.svd linalg.eigh
        linalg.lstsq fft.fft fft.ifft fft.rfft fft.irfft fft.fft2 fft.fftn""",
    "Types": "astype can_cast result_type promote_types",
    "Input and output": "save array2string array_str print",
}
# Where ours has another name.
RENAMED = {
    "array": "from_host",
    "mod": "remainder",
    "degrees": "rad2deg",
    "radians": "deg2rad",
    "around": "round",
    "conjugate": "conj",
    "linalg.norm": "norm",
    "load": "load_npy",
    "save": "save_npy",
    "shape": "shape",
    "random.default_rng": "default_rng",
    **{f"random.Generator.{name}": f"rng_{name}" for name in (
        "uniform normal integers exponential choice permutation shuffle".split())},
}
# What differs from NumPy, and why.
NOTES = {
    "array": "rank 0's data on every rank",
    "add": "2 to 16 operands, left to right",
    "multiply": "2 to 16 operands, left to right; of complex numbers each product is rounded, NumPy's loops fuse some",
    "square": "of complex numbers each product is rounded, NumPy's loops fuse some",
    **{name: "of -0 and 0 the first operand (NumPy's depends on the array's length); not of complex numbers, which are refused"
       for name in "fmin fmax".split()},
    "clip": "not of complex numbers, which are refused",
    "minimum": "of -0 and 0 the second operand (float16: the first), as NumPy's vector loops",
    "maximum": "of -0 and 0 the second operand (float16: the first), as NumPy's vector loops",
    "min": "-0 counts as less than +0: the same bits on any cut; of complex NaNs any, the same on any cut",
    "max": "+0 counts as greater than -0: the same bits on any cut; of complex NaNs any, the same on any cut",
    **{name: "0 where all are NaN: NumPy raises, which needs a look at the values" for name in "nanargmin nanargmax".split()},
    "ldexp": "also exponents of uint64",
    "sum": "an axis of an array without axes is an error, as in all reductions; by a fixed binary tree over the shape: the same bits on any number of ranks, within n eps of NumPy's; of -0.0 alone it is -0.0, not +0.0, as nothing is added to begin with",
    "mean": "the sum's tree",
    "signbit": "false for a NaN: its sign is no result, and differs between compilers",
    "copysign": "a NaN as second operand counts as positive, as in signbit",
    "power": "negative integer powers of integer arrays are no error",
    "log1p": "of complex numbers also exact next to 0, where NumPy's loses the real part",
    "split": "at indices: `tsr_split_indices`",
    "repeat": "a count for each element: `tsr_repeat_counts`",
    "sinc": "0 at whole numbers, and exact next to them, where NumPy's sin(pi x) is not",
    "round": "where rounding leaves an unsigned dtype as astype",
    "arange": "an element that float16 or float32 cannot hold is an error, as NumPy's of integers",
    "meshgrid": "returns views (NumPy's copy=False)",
    "roll": "a periodic read: it fuses with what uses it, and stores nothing",
    "cumsum": "along a named axis, or of one dimension; by a fixed network over the index: the same bits on any cut",
    **{name: "by counting, without a sort; waits; not of complex numbers, which are refused"
       for name in "median nanmedian".split()},
    **{name: "by counting, without a sort; waits; also of bools; not of complex numbers, which are refused; infinite where NumPy's infinity less infinity is NaN"
       for name in "quantile nanquantile percentile nanpercentile".split()},
    "random.Generator.permutation": "over 65,536 elements a Feistel network, one of 2^64 orders",
    "random.Generator.shuffle": "reads the whole array on every rank, and waits",
    "random.Generator.choice": "without p; reads the whole array on every rank, and waits",
    "random.default_rng": "`tsr_default_rng`; Philox: a function of seed and index, not NumPy's stream",
    "matmul": "out= is `tsr_matmul_into`; by OpenBLAS, whose bits depend on the processor, only with `TESSERA_MATMUL=blas`",
    "astype": "a float beyond uint32 keeps the low 32 bits of its int64; NumPy's vector loops differ with the array's length",
    "where": "three operands; one operand (positions) has a shape that depends on data, and is not there yet",
    "print": "`tsr_print`, once, on rank 0; only what is shown is read",
}


def public_functions():
    """Every function or macro that a C program calls, with the header that documents it."""
    found = {}
    for header in sorted((root / "include" / "tessera").glob("*.h")):
        if header.name.startswith("cpp"):
            continue
        text = header.read_text()
        names = re.findall(r"TSR_API [^;{]*?\b(tsr_[a-z0-9_]+)\)?\s*\(", text)
        names += re.findall(r"#define (tsr_[a-z0-9_]+)\(", text)
        for name in names:
            name = name.removeprefix("tsr_").removesuffix("_at")
            if name != "status":  # a type, in `TSR_API tsr_status(tsr_print)(…)`
                found.setdefault(name, header.name)
    return found


def link(name, header):
    return f"[`tsr_{name}`](../include/tessera/{header})"


def rendered():
    functions = public_functions()
    used, lines = set(), []
    there = total = 0
    for chapter, names in CHAPTERS.items():
        lines += ["", f"## {chapter}", "", "| NumPy | Tessera | What differs |", "|---|---|---|"]
        for name in names.split():
            ours = RENAMED.get(name, name)
            total += 1
            if ours in functions:
                there += 1
                used.add(ours)
                lines.append(f"| `{name}` | {link(ours, functions[ours])} | {NOTES.get(name, '')} |")
            else:
                if name in NOTES:
                    sys.exit(f"a note about {name}, which is not there")
                lines.append(f"| `{name}` | not yet | |")
    rest = sorted(set(functions) - used)
    lines += ["", "## Not NumPy's", "", "Ranks, lifetimes, slices and expressions as text, reading, files; functions that NumPy lacks.", ""]
    lines.append(", ".join(link(name, functions[name]) for name in rest) + ".")
    head = [
        "# NumPy and Tessera",
        "",
        "Generated from the public headers by `tests/docs/numpy_table.py --write`; a test compares. The headers are the manual.",
        "",
        f"Of {total} functions {there} are there. Everywhere: results are lazy and belong to the scope; C scalars are weak as",
        "Python's are (NEP 50); an error is a status or the null handle, with a text; the bits do not depend on ranks, threads",
        "or fusion.",
    ]
    return "\n".join(head + lines) + "\n"


text = rendered()
if "--write" in sys.argv:
    page.write_text(text)
    print("1 passed, 0 failed, 0 skipped")
else:
    same = page.exists() and page.read_text() == text
    if not same:
        print(f"{page.name} is not what the headers say: {sys.argv[0]} --write")
    print(f"{int(same)} passed, {int(not same)} failed, 0 skipped")
    sys.exit(not same)
