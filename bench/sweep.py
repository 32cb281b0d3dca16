"""One operation at a time, of every function and many dtypes, ours beside NumPy: how many are slower, and the worst.

Both take the same text, and run on one thread. Ours evaluates and flushes it with compiled kernels; NumPy evaluates it.
Times are the thread's processor time, so that what else runs on the machine counts less. A case is slower where NumPy
takes less than 0.9 of our time. Where ours seems slower, both are measured twice more in turn, and medians of the three
count.

    bench/run.sh sweep [SIZE …] [PATTERN …] [--refused]
        SIZE: elements of an operand, 1000 and 100000 where none is given
        PATTERN: only the cases, such as `float32 median(x)`, in which a pattern is found (re.search)
        --refused: also what ours does not take
SWEEP_WORST: how many of the worst are shown (20).
"""
import os
import re
import statistics
import subprocess
import sys
import time

for library in ("OPENBLAS", "MKL", "OMP"):  # before NumPy is loaded: its products would use all cores
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np

KINDS = {"b": ["bool"], "i": ["int8", "int32", "int64", "uint8"], "f": ["float32", "float64"],
         "c": ["complex64", "complex128"]}
ROWS = {1000: 25, 100000: 250}
N_WORST = int(os.environ.get("SWEEP_WORST", "20"))

# Expressions, and the kinds of dtype that they are measured for.
EXPRESSIONS = [(text.strip(), kinds) for kinds, texts in [
    ("bifc",
     "x == y; x != y; where(m, x, y); x.copy(); a.T.copy(); a + b.T; sum(x); sum(a, 0); sum(a, 1); any(x); all(x);"
     "count_nonzero(x); a[:, ::-1].copy(); x[::2].copy(); concatenate([x, y]); roll(x, 3); logical_and(x, y); "
     "logical_not(x);cumsum(x); mean(x); mean(a, 0); std(x); tile(x, 2); repeat(x, 2)"),
    ("ifc",
     "x + y; x - y; x * y; x / y; -x; abs(x); square(x); x ** 2; x + s; x * s; x / s; prod(x); prod(a, 1); dot(x, y);"
     "a @ b; a @ b[:, 0]; cumprod(x); diff(x); var(x); var(a, 1); outer(a[:, 0], b[:, 0]); sum(where(m, x, 0)); "
     "positive(x)"),
    ("bif",
     "x < y; x <= y; maximum(x, y); minimum(x, y); max(x); min(x); max(a, 0); min(a, 1); argmax(x); argmin(x); "
     "argmax(a, 1)"),
    ("if",
     "x // y; x % y; x // s; x % s; fmod(x, y); sign(x); clip(x, 1, 20); median(x); median(a, 1); ptp(x); average(x);"
     "quantile(x, 0.25); maximum(x, s); heaviside(x, y); floor_divide(x, y)"),
    ("bi", "x & y; x | y; x ^ y; ~x"),
    ("i", "x << s; x >> s; gcd(x, y); lcm(x, y)"),
    ("fc",
     "sqrt(x); exp(x); log(x); sin(x); cos(x); tan(x); sinh(x); cosh(x); tanh(x); arcsin(x); arccos(x); arctan(x); "
     "arcsinh(x);arctanh(x); log2(x); log10(x); log1p(x); expm1(x); exp2(x); x ** y; reciprocal(x); isfinite(x); "
     "isnan(x); sign(x); rint(x)"),
    ("f",
     "floor(x); ceil(x); trunc(x); round(x, 2); cbrt(x); hypot(x, y); arctan2(x, y); arccosh(x + s); logaddexp(x, y);"
     "copysign(x, y); nextafter(x, y); fmax(x, y); fmin(x, y); degrees(x); radians(x); sinc(x); ldexp(x, 3); "
     "signbit(x);nanmax(x); nansum(x); nanmean(x); nan_to_num(x); isclose(x, y); trapezoid(x); x ** 0.5; x ** 3; "
     "modf(x)[0]; frexp(x)[0]"),
    ("c", "x.real.copy(); x.imag.copy(); conj(x); angle(x); abs(a); vdot(x, y)"),
] for text in texts.split(";") if text.strip()]


def value_at(i, is_float):
    whole = 1 + i * 7919 % 50
    return 0.1 + 0.015 * whole if is_float else whole.astype(np.float64)


def vector(dtype, n, first):
    wide = value_at(np.arange(first, first + n), np.dtype(dtype).kind in "fc")
    return np.remainder(wide, 3.0) < 1.0 if dtype == "bool" else wide.astype(dtype)


def names_in(expression):
    """The operands, which are the single letters that are no part of a word."""
    return sorted(set(re.findall(r"(?<![\w.'])([xymabs])(?![\w('])", expression)))


def numpy_us(expression, dtype, n, rows):
    columns = n // rows
    names = {name: getattr(np, name) for name in re.findall(r"[a-z]\w+", expression) if hasattr(np, name)}
    names.update(x=vector(dtype, n, 0), y=vector(dtype, n, 17), m=vector("bool", n, 5), s=3,
                 a=vector(dtype, rows * columns, 3).reshape(rows, columns),
                 b=vector(dtype, rows * columns, 29).reshape(columns, rows))
    code = compile(f"def run(laps):\n for _ in range(laps):\n  {expression}\n", expression, "exec")
    exec(code, names)
    run = names["run"]
    run(3)
    laps = 1
    while True:
        start = time.thread_time()
        run(laps)
        if time.thread_time() - start >= 2e-3:
            break
        laps *= 2
    batches = []
    for _ in range(7):
        start = time.thread_time()
        run(laps)
        batches.append(time.thread_time() - start)
    return 1e6 * statistics.median(batches) / laps


class Ours:
    """The program that measures ours."""

    def __init__(self, build):
        environment = dict(os.environ, TESSERA_THREADS="1", TESSERA_JIT="eager")
        self.process = subprocess.Popen([os.path.join(build, "bench", "sweep")], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)

    def us(self, expression, dtype, n, rows):
        self.process.stdin.write(f"{dtype} {n} {rows} {','.join(names_in(expression))} {expression}\n")
        answer = self.process.stdout.readline().split(maxsplit=1)
        if not answer:
            raise SystemExit(f"sweep ended in {expression} of {dtype}")
        return None if answer[0] == "error" else float(answer[0].split("=")[1]), " ".join(answer[1:]).strip()


def measure(ours, case):
    """Times of ours and NumPy's, and the error of ours where it has none."""
    with np.errstate(all="ignore"):
        theirs = [numpy_us(*case)]
        us, error = ours.us(*case)
        mine = [us]
        while us is not None and theirs[0] < 0.95 * us and len(mine) < 3:
            theirs.append(numpy_us(*case))
            mine.append(ours.us(*case)[0])
    return us and statistics.median(mine), statistics.median(theirs), error


def sweep(ours, n, patterns):
    results, refused = [], []
    rows = ROWS.get(n, max(1, int(n ** 0.5)))
    for expression, kinds in EXPRESSIONS:
        for dtype in (dtype for kind in kinds for dtype in KINDS[kind]):
            if patterns and not any(re.search(pattern, f"{dtype} {expression}") for pattern in patterns):
                continue
            try:
                us, theirs, error = measure(ours, (expression, dtype, n, rows))
            except (TypeError, ValueError, IndexError, AttributeError):
                continue
            if us is None:
                refused.append((expression, dtype, error))
            else:
                results.append((theirs / us, us, theirs, expression, dtype))
    if not results:
        raise SystemExit("sweep: no case is called so")
    results.sort()
    slower = sum(ratio < 0.9 for ratio, *_ in results)
    bad = sum(ratio < 0.5 for ratio, *_ in results)
    verdict = "ok" if slower <= 0.05 * len(results) and bad == 0 else "MISS"
    print(f"sweep size={n} cases={len(results)} below_0.9={slower} below_0.5={bad} "
          f"median={statistics.median(ratio for ratio, *_ in results):.3g} refused={len(refused)} {verdict}")
    for ratio, us, theirs, expression, dtype in results[:N_WORST]:
        print(f"  {ratio:5.2f}  {us:10.2f} us, numpy {theirs:10.2f}  {dtype:10} {expression}")
    for expression, dtype, text in refused if "--refused" in sys.argv else []:
        print(f"  refused: {dtype} {expression}: {text}")
    sys.stdout.flush()
    return verdict


def main():
    words = [word for word in sys.argv[2:] if not word.startswith("--")]
    sizes = [int(word) for word in words if word.isdigit()] or [1000, 100000]
    ours = Ours(sys.argv[1])
    verdicts = [sweep(ours, n, [word for word in words if not word.isdigit()]) for n in sizes]
    return 1 if "MISS" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
