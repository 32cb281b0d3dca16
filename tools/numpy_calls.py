"""The calls that are compared with NumPy, by name: the lines of tests/python/numpy_calls.txt, and for the elementwise
functions that have none there, calls that follow from their rows of kernel/ops/ops.def."""
import json
import pathlib
import re
from dataclasses import dataclass

root = pathlib.Path(__file__).resolve().parents[1]


@dataclass
class Line:
    names: list  # one that is there only partly begins with a question mark
    calls: list  # an @ stands for the name
    lacks: str = ""  # what differs, or is missing


def written():
    for line in (root / "tests/python/numpy_calls.txt").read_text().splitlines():
        if line.strip() and line[0] != "#":
            names, _, rest = line.partition(": ")
            calls, _, lacks = rest.partition(" # ")
            yield Line(names.split(), [call.strip() for call in calls.split("; ")], lacks)


def of_operation(n_operands, dtypes):
    """The calls of a function of so many operands; dtypes: the column of ops.def."""
    if dtypes == "BOOL":
        kinds = [("m", "(x > y)", "True")]
    elif dtypes in ("INT", "BITS"):
        kinds = [("i", "j", "2"), ("u", "u", "3")]
    else:
        kinds = [("x", "y", "2"), ("n", "x", "0.5"), ("i", "j", "3")]
    if dtypes in ("ALL", "NUM", "FLC"):
        kinds.append(("c", "c", "1.5"))
    if n_operands == 1:
        return [f"@({first})" for first, _, _ in kinds]
    if n_operands == 2:
        return [call for first, second, scalar in kinds for call in (f"@({first}, {second})", f"@({first}, {scalar})")]
    return []


def lines():
    found = list(written())
    has = {name.removeprefix("?") for line in found for name in line.names}
    numpys = json.loads((root / "tools/numpy_names.json").read_text())
    operations = (root / "kernel/ops/ops.def").read_text()
    for name, n, dtypes in re.findall(r"^TSR_OP\(\w+, (\w+), (\d+), \d+, \w+, (\w+)", operations, re.M):
        if name in numpys and name not in has and (calls := of_operation(int(n), dtypes)):
            found.append(Line([name], calls))
    return found
