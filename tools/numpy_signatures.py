"""numpy_signatures.txt: the signatures of NumPy 2.4's functions, which the text language's are compared with.

    numpy_signatures.py [--write]     compares the file with the NumPy that is here, or writes it

NumPy before 2.4 tells no signatures of ufuncs: with another version nothing is compared.
"""
import inspect
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
page = here / "numpy_signatures.txt"
MODULES = ("linalg",)


def skip(why):
    print(f"SKIP numpy_signatures: {why}\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)


def signatures(numpy):
    for prefix, module in [("", numpy)] + [(f"{name}.", getattr(numpy, name)) for name in MODULES]:
        for name in sorted(module.__all__):
            thing = getattr(module, name)
            if not callable(thing) or isinstance(thing, type):
                continue
            try:
                text = str(inspect.signature(thing))
            except ValueError:
                continue
            plain = re.sub(r"<class '(.*?)'>", r"\1", text.split(" -> ")[0])
            yield f"{prefix}{name} {plain}"


try:
    import numpy
except ImportError:
    skip("no NumPy")
if not numpy.__version__.startswith("2.4."):
    skip(f"NumPy {numpy.__version__} is not 2.4")
lines = "\n".join(signatures(numpy)) + "\n"
if "--write" in sys.argv:
    page.write_text(lines)
same = page.exists() and page.read_text() == lines
if not same:
    print(f"{page.name} is not what NumPy {numpy.__version__} says: {sys.argv[0]} --write")
print(f"{int(same)} passed, {int(not same)} failed, 0 skipped")
sys.exit(not same)
