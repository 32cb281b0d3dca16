"""Compares a log of pytest with tests/python/array_api.txt, the tests of the array API's suite that fail, by reason:

    array_api_list.py LOG COMMIT RANKS EXAMPLES WRITE

The list has a head line for each number of ranks. A run on one rank writes the tests; one on several its head line
alone.
"""
import pathlib
import re
import sys

TITLE = "The tests of the array API's suite that fail, by reason; tests/python/array_api.sh compares and writes."
LIST = pathlib.Path(__file__).with_name("array_api.txt")

# Which reason a test that fails has, by its name; the first that fits.
REASONS = [
    ("floor_divide and //= of infinities follow NumPy, not the standard", r"floor_?div"),
    ("complex expm1 and tanh of infinities and NaN give other parts", r"test_unary\[(expm1|tanh)\("),
    ("signbit of a NaN is false: the sign of a NaN is no result", r"signbit"),
    ("no transforms yet", r"fft"),
    ("no decompositions of matrices yet",
     r"cholesky|\bdet\b|eigh|eigvalsh|\binv\b|matrix_rank|pinv|\bqr\b|slogdet|solve|svd|test_(det|inv|qr)$|"
     r"linalg-(det|inv|qr)|test_eig|test_matrix_(norm|power)$"),
    ("no sorting yet", r"sort"),
    ("DLPack lends copies, and copy=False refuses one", r"dlpack"),
    ("no shapes that depend on data yet", r"unique|nonzero|masking"),
]

# What fails or not by the examples that a version of Hypothesis draws: the zero has the sign of sin(2 y), as in C and
# NumPy.
BY_DRAW = {"array_api_tests/test_special_cases.py::test_unary[tanh(real(x_i) is +infinity and isfinite(imag(x_i)) and "
           "imag(x_i) > 0) -> 1 + 0j]"}

# The lines of several ranks may lie side by side.
FAILED = r"(?:FAILED|ERROR) (array_api_tests/[^\s\[]+(?:\[.*?\])?)(?= - |FAILED|ERROR|$)"


def reason_of(test):
    return next((reason for reason, pattern in REASONS if re.search(pattern, test)), "other")


def main():
    log, commit, ranks, examples, write = sys.argv[1:]
    text = pathlib.Path(log).read_text(errors="replace")
    failed = sorted({m[1] for m in re.finditer(FAILED, text, re.M)})
    summary = re.findall(r"^(?:(\d+) failed, )?(\d+) passed(?:, (\d+) skipped)?.* in [\d.]+s", text, re.M)
    if not summary:
        print(text[-3000:])
        print("the suite did not end\n0 passed, 1 failed, 0 skipped")
        sys.exit(1)
    n_failed, n_passed, n_skipped = (int(n or 0) for n in summary[-1])
    listed = LIST.read_text().splitlines() if LIST.exists() else [TITLE]
    known = {line[2:] for line in listed if line.startswith("  ")}
    if write == "1":
        of_ranks = f", {ranks} rank{'s' * (ranks != '1')}, "
        head = (f"commit {commit}{of_ranks}--hypothesis-seed=1, --max-examples={examples}: {n_passed} passed, "
                f"{n_failed} failed, {n_skipped} skipped")
        heads = sorted([line for line in listed if line.startswith("commit ") and of_ranks not in line] + [head],
                       key=lambda line: int(line.split(", ")[1].split()[0]))
        rest = listed[listed.index(""):] if "" in listed else []
        lines = [TITLE, *heads] + (rest if ranks != "1" else [])
        for reason in [r for r, _ in REASONS] + ["other"] if ranks == "1" else []:
            tests = [t for t in failed if reason_of(t) == reason]
            lines += ["", f"{reason}: {len(tests)}"] + [f"  {t}" for t in tests] if tests else []
        LIST.write_text("\n".join(lines) + "\n")
        known |= set(failed) if ranks == "1" else set()
    new = [t for t in failed if t not in known | BY_DRAW]
    for t in new:
        print("fails, and is not in the list:", t)
    for t in sorted(known - set(failed)):
        print("passes now, and is in the list:", t)
    print(f"{n_passed} passed, {len(new)} failed, {n_skipped + n_failed - len(new)} skipped")
    sys.exit(bool(new))


if __name__ == "__main__":
    main()
