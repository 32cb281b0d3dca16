"""array/text/numpy_names.inc: what the text language says of NumPy's names that it lacks, from numpy_names.json.

    numpy_names.py [--write]     compares the table with the names and the public headers, or writes it

numpy_names.json has NumPy 2.4's public names with a letter: X and d are those that Tessera will not have, D are dtypes;
all others are there, or may come. A name whose function the public headers have is called in C; one with calls
(numpy_calls.py) is in Python.
"""
import json
import pathlib
import re
import sys

import numpy_calls

root = pathlib.Path(__file__).resolve().parents[1]
table = root / "array/text/numpy_names.inc"
# Where ours has another name.
RENAMED = {
    "array": "from_host",
    "asarray": "from_host",
    "load": "load_npy",
    "save": "save_npy",
    "ndarray.item": "item_f64",
    "ndarray.tolist": "to_host",
    "ndarray.tobytes": "to_host",
    **{f"random.{name}": f"rng_{name}" for name in "uniform normal exponential choice permutation shuffle".split()},
    **{"random.default_rng": "default_rng", "random.randint": "rng_integers"},
}


def python_names():
    for line in numpy_calls.lines():
        yield from (name.removeprefix("?") for name in line.names)


def public_functions():
    for header in (root / "include" / "tessera").glob("*.h"):
        yield from re.findall(r"\btsr_([a-z0-9_]+)\)?\(", header.read_text())


def returned():
    """Pairs of a function's name and what it returns."""
    for header in (root / "include" / "tessera").glob("*.h"):
        yield from re.findall(r"\b(tsr_[a-z]+|double|bool|int64_t)\s*\(?\btsr_([a-z0-9_]+?)(?:_at)?\)?\(",
                              header.read_text())


def rendered():
    python = set(python_names())
    names = json.loads((root / "tools" / "numpy_names.json").read_text())
    functions = set(public_functions())
    values = {name for kind, name in returned() if kind in ("tsr_array", "double", "bool", "int64_t")}
    lines = ["/* Written by tools/numpy_names.py --write; a test compares. A name of NumPy's, whether it may",
             " * come (as it is not in the text language), whether Python has it, the call in C that there is",
             " * for it, and whether that returns a value. */"]
    for name, letter in sorted(names.items()):
        ours = RENAMED.get(name, name)
        call = f'"tsr_{ours}", {str(ours in values).lower()}' if ours in functions else "NULL, false"
        lines.append(f'{{"{name}", {str(letter not in "Xd").lower()}, {str(name in python).lower()}, {call}}},')
    return "\n".join(lines) + "\n"


text = rendered()
if "--write" in sys.argv:
    table.write_text(text)
same = table.exists() and table.read_text() == text
if not same:
    print(f"{table.name} is not what numpy_names.json and the headers say: {sys.argv[0]} --write")
print(f"{int(same)} passed, {int(not same)} failed, 0 skipped")
sys.exit(not same)
