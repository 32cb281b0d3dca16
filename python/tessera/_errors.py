"""Exceptions: one class per kind of error code, each also the exception that NumPy would raise."""
import errno
import os
import re

from . import _core


class TesseraError(Exception):
    """An error of Tessera. `code` is its code, which `tessera explain` explains; the text names the call, what it got
    and how to mend it."""

    @property
    def code(self):
        text = str(self)
        at = text.find("[TSR")
        return text[at + 1:at + 8] if at >= 0 else ""


class ArgumentError(TesseraError, ValueError):
    pass


class BoundsError(ArgumentError, OverflowError):
    pass


class DTypeError(TesseraError, TypeError):
    pass


class ShapeError(TesseraError, ValueError):
    pass


class AxisError(TesseraError, ValueError, IndexError):
    pass


class NoAxisError(AxisError, TypeError):
    pass


class ElementError(TesseraError, IndexError):
    pass


class OutOfMemory(TesseraError, MemoryError):
    pass


class SizeError(ArgumentError, MemoryError):
    pass


class FileError(TesseraError, OSError):
    def __str__(self):
        return str(self.args[0]) if self.args else ""


class MissingFileError(FileError, FileNotFoundError):
    pass


class ForbiddenFileError(FileError, PermissionError):
    pass


class FolderError(FileError, IsADirectoryError):
    pass


class SubscriptError(ShapeError, IndexError):
    pass


class EllipsisError(ArgumentError, IndexError):
    pass


class RankError(TesseraError, RuntimeError):
    pass


BY_STATUS = {
    -101: ArgumentError, -102: RankError, -103: RankError, -201: DTypeError, -202: DTypeError, -203: ShapeError,
    -204: ShapeError, -205: AxisError, -206: ElementError, -207: ArgumentError, -301: ArgumentError,
    -302: ArgumentError, -401: SizeError, -402: OutOfMemory, -501: ArgumentError, -502: FileError, -503: RankError,
    -601: RankError, -602: RankError, -603: RankError, -701: RankError, -901: RankError,
}

# What the helps of the library say in C, in Python: whole phrases, then names that have no namesake here.
_PHRASES = {
    "add TSR_INITIAL(value); initial=value in texts and in Python": "add initial=value",
    "name it: TSR_AXES(0); axis=0 in texts": "name it: axis=0",
    "tsr_local_end(&tile)": "leave the `with` block of x.local()",
    "tsr_norm(x, TSR_ORD(1), TSR_AXES(-1))": "tessera.linalg.norm(x, 1, axis=-1)",
    "a copy of the copy, tsr_copy(...)": "a copy of it, y.copy()",
    "with tsr_empty and tsr_assign to it": "with tessera.empty and assign to it, x[...] = value",
    "tsr_item_c128 reads it; tsr_real and tsr_imag give its parts": "complex(x) reads it; x.real and x.imag are its "
                                                                    "parts",
    "or all with tsr_to_host": "or all with numpy.asarray(x)",
    "tsr_dtype_of(x) tells it in C": "x.dtype is it",
    "where(mask, x, y), `tsr_where` in C, chooses": "where(mask, x, y) chooses",
    "tsr_from_host makes an array of them": "tessera.array makes an array of them",
}
_NAMES = {"rng_integers": "random.Generator.integers", "kernel_elementwise": "kernel",
          "kernel_reduction": "ReductionKernel"}
# Where NumPy's exceptions of one kind are several.
_BY_WORDS = {os.strerror(errno.ENOENT): MissingFileError, os.strerror(errno.EACCES): ForbiddenFileError,
             os.strerror(errno.EISDIR): FolderError, "it is a directory": FolderError,
             "too many indices": SubscriptError, "a slice with two ellipses": EllipsisError,
             "has none to go along": NoAxisError, ": the integer ": BoundsError, "the initial value, inf": BoundsError,
             "the initial value, -inf": BoundsError}


def _in_python(text):
    """The lines of an error that say the rule and the help, with Python's names in place of C's."""
    def name(found):
        of = found[1]
        return "tessera." + (of.lower() if found[0].isupper() else _NAMES.get(of, of))

    def line(line):
        if not line.startswith(("help:", "   = ")):
            return line
        for c, python in _PHRASES.items():
            line = line.replace(c, python)
        return re.sub(r"\b(?:tsr|TSR)_(\w+)", name, line)

    return "\n".join(map(line, text.split("\n"))) if "tsr_" in text or "TSR_" in text else text


def make(status, text):
    """The exception of an error of the library, with what is known of it only where it happens."""
    of = BY_STATUS.get(status, RuntimeError)
    first = text.split("\n", 1)[0]
    for words, narrower in _BY_WORDS.items():
        if words in first and issubclass(narrower, of):
            of = narrower
    made = of(_in_python(text))
    if of is OutOfMemory and _core.n_ranks() > 1:
        made.add_note("What this rank holds and others have let go of counts, too: tessera.barrier() before the call "
                      "that failed names the line where the ranks parted, if they did.")
    if made.code == "TSR0602" and _core.hashes_differ():
        made.add_note("Strings are hashed by a seed of each process's own: a set of them has another order on each "
                      "rank. PYTHONHASHSEED=0 gives all the same.")
    return made
