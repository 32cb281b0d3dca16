"""docs/numpy.md: NumPy's public names beside Tessera's, for tools/api.py.

numpy_names.json has the 616 public callables of NumPy 2.4 (its module, ndarray, linalg, fft, random), each with a
letter for what it needs. What is there is looked up: in C by the table's rows, in text by their parameters, in Python
by the definitions in python/tessera and the rows. A name counts as there (E), or partly (P), if
numpy_calls.py has calls of it, which test_numpy.py compares with NumPy; tests/python/numpy_calls.txt marks those that
are partly there, and says what they lack. A remark behind other calls says what differs.
"""
import ast
import json
import pathlib
import re
import textwrap

import api_python
import numpy_calls

root = pathlib.Path(__file__).resolve().parents[1]
names_file = root / "tools" / "numpy_names.json"
LETTERS = {
    "E": "there", "P": "partly there", "T": "to be composed of what is there", "R": "a row of `ops.def`",
    "M": "needs a mechanism that comes later", "X": "no function of arrays", "D": "a dtype",
    "d": "a dtype that Tessera has not",
}
SPACES = (("", "numpy"), ("ndarray.", "numpy.ndarray"), ("linalg.", "numpy.linalg"), ("fft.", "numpy.fft"),
          ("random.", "numpy.random"))


def of_module(name):
    """What a Python file defines at its top: functions, classes, assignments, imports; and the names in a loop over a
    text."""
    found = set()
    for node in ast.parse((root / "python/tessera" / f"{name}.py").read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        if isinstance(node, ast.FunctionDef) and node.name == "_functions":
            found |= {word for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                      for word in n.value.split()}
    return found


def in_python(rows):
    """The names that the package has, as NumPy writes them."""
    own = [row for row, _, _ in api_python.table_rows(rows)]
    core = {row.name for row in own} | {other for row in own for other in row.columns.get("also", "").split()}
    for file in ("module.c", "session.c", "dtype.c"):
        core |= set(re.findall(r'\{"(\w+)", ', (root / "python" / file).read_text()))
    found = core | of_module("__init__") | of_module("_functions") | of_module("_more")
    for space in ("linalg", "fft", "random"):
        found |= {f"{space}.{name}" for name in of_module(space)}
    methods = set(api_python.METHODS) | set(api_python.ALSO_METHODS)
    methods |= set(re.findall(r'\{"(\w+)", ', (root / "python/array.c").read_text()))
    methods |= set(re.findall(r"^ndarray\.(\w+) = ", (root / "python/tessera/_ndarray.py").read_text(), re.M))
    return found | {f"ndarray.{name}" for name in methods}


def called():
    """The names with calls that are compared with NumPy: whether they are partly there, and what they lack."""
    found = {}
    for line in numpy_calls.lines():
        for name in line.names:
            plain = name.removeprefix("?")
            was_partly, said = found.get(plain, (False, ""))
            found[plain] = was_partly or name != plain, said or line.lacks
    return found


def page(rows, source):
    """The page, numpy_names.json as it is to be, and what is wrong."""
    known, calls, python, wrong = json.loads(names_file.read_text()), called(), in_python(rows), []
    ours = {}
    for row in rows:
        if "own" not in row.columns:
            for name in [row.columns.get("numpy", row.name)] + row.columns.get("also", "").split():
                ours.setdefault(name, row)
    for name in calls:
        if name in known and name not in python:
            wrong.append(f"numpy_calls.txt calls {name}, which python/tessera does not define")
    letters = {}
    for name, letter in known.items():
        letters[name] = letter
        if letter in "XDd":
            continue
        if name in calls:
            letters[name] = "P" if calls[name][0] else "E"
        elif letter in "EP":
            wrong.append(f"numpy_names.json says that {name} is there; numpy_calls.txt has no call of it")
    for row in rows:
        if "note" in row.columns and not noted(row, known):
            wrong.append(f"api.table: a note about {row.name}, which is no name of NumPy's")
    return "\n".join(written(rows, letters, ours, calls, python, source)) + "\n", letters, wrong


def noted(row, letters):
    """The names of NumPy's that the row's note is shown at: its own, or the others where that is Python's."""
    name = row.columns.get("numpy", row.name)
    others = row.columns.get("also", "").split()
    return [] if "own" in row.columns else [name] if name in letters else [n for n in others if n in letters]


def link(row):
    return f"[`tsr_{row.name}`](../include/tessera/{row.header}.h)"


def in_lines(words):
    return textwrap.wrap(", ".join(words) + ".", 120, break_long_words=False, break_on_hyphens=False)


def row_of(name, ours):
    return ours.get(name) or (ours.get(name.removeprefix("ndarray.")) if name.startswith("ndarray.") else None)


def is_in_text(row):
    return row and bool(row.columns.keys() & {"text", "method", "op"} or row.header in ("elementwise", "functions"))


def written(rows, letters, ours, calls, python, source):
    in_c = [name for name in letters if letters[name] == "E" and row_of(name, ours)]
    in_text = [name for name in in_c if is_in_text(row_of(name, ours))]
    counts = {letter: list(letters.values()).count(letter) for letter in LETTERS}
    functions = sum(n for letter, n in counts.items() if letter not in "XDd")
    yield from ["# NumPy and Tessera", "", source + " The headers are the manual.", "",
                f"NumPy 2.4 has {len(letters)} public callables, {functions} of them functions of arrays: "
                f"**E = {counts['E']}** are there, **P = {counts['P']}** partly;",
                f"of E, {len(in_c)} are functions of the headers, too, and {len(in_text)} of the text language;",
                "of the others " + ", ".join(f"{letter} = {counts[letter]} ({LETTERS[letter]})" for letter in "TR")
                + ",", f"M = {counts['M']} ({LETTERS['M']}).",
                "E is a name that `import tessera` has and whose calls a test compares with NumPy. The column C names "
                "the",
                "function of the headers, Text says whether the text language has it too. Everywhere: results are lazy "
                "and belong",
                "to the scope; scalars are weak (NEP 50); an error has a text; the bits do not depend on ranks, "
                "threads or fusion.",
                "",
                "Parameters that Python has and C writes as another call: `out=` is `tsr_assign(out, …)`; `where=` and "
                "`initial=` of a",
                "reduction are `tsr_sum(x, TSR_WHERE(mask), TSR_INITIAL(value))`, and its `dtype=` is "
                "`TSR_DTYPE(dtype)`; that of an",
                "elementwise function is `tsr_astype` of the operands. `hypot.reduce(x, axis=1)`, "
                "`subtract.accumulate(x)` and",
                "`add.outer(x, y)` are `tsr_ufunc_reduce(\"hypot\", x, 1)`, `tsr_ufunc_accumulate(\"subtract\", x)` "
                "and",
                "`tsr_ufunc_outer(\"add\", x, y)`, and in texts what they are in Python; `None` for a bound of `clip` "
                "is `TSR_NONE`.",
                "`order=\"F\"` is `tsr_transpose` before and after. Python takes `order=` and lays arrays out row by "
                "row all the",
                "same: `numpy.zeros((2, 3), order=\"F\").ravel()` is a copy, that of Tessera stands for a view, and a "
                "write to it is",
                "TSR0207; `.flatten()` is a copy in both."]
    used = set()
    for prefix, title in SPACES:
        yield from ["", f"## {title}", "", "| NumPy | | C | Text | What differs, or is missing |",
                    "|---|---|---|---|---|"]
        for name in sorted(n for n in letters if (n.startswith(prefix) if prefix else "." not in n)):
            letter = letters[name]
            if letter in "XDd" and name not in python:
                continue
            row, notes = row_of(name, ours), []
            if row:
                used.add(row.name)
                if name in noted(row, letters):
                    notes.append(row.columns.get("note", ""))
            if name in calls and calls[name][1]:
                notes.append(("missing: " if letter == "P" else "") + calls[name][1])
            yield (f"| `{name}` | {letter} | {link(row) if row else ''} | {'yes' if is_in_text(row) else ''} | "
                   f"{'; '.join(filter(None, notes))} |")
    for letter, title in (("X", "Not functions of arrays, and left out"), ("d", "dtypes that are left out")):
        absent = [n for n in sorted(letters) if letters[n] == letter and n not in python]
        yield from ["", f"## {title}", "", *in_lines(f"`{n}`" for n in absent)]
    rest = {row.name: row for row in rows if row.name not in used}
    yield from ["", "## Not NumPy's", "",
                "Ranks, lifetimes, slices and expressions as text, reading, files; functions that NumPy lacks.", "",
                *in_lines(link(rest[name]) for name in sorted(rest))]


def names_text(letters):
    return json.dumps(letters)
