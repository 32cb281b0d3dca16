"""Exceptions: one class per kind of error code, each also the exception that NumPy would raise."""
import sys


class TesseraError(Exception):
    """An error of Tessera. `code` is its code, which `tessera explain` explains; the text names the call, what it got and
    how to mend it."""

    @property
    def code(self):
        text = str(self)
        at = text.find("[TSR")
        return text[at + 1:at + 8] if at >= 0 else ""


class ArgumentError(TesseraError, ValueError):
    pass


class DTypeError(TesseraError, TypeError):
    pass


class ShapeError(TesseraError, ValueError):
    pass


class AxisError(TesseraError, ValueError, IndexError):
    pass


class ElementError(TesseraError, IndexError):
    pass


class OutOfMemory(TesseraError, MemoryError):
    pass


class FileError(TesseraError, OSError):
    def __str__(self):
        return str(self.args[0]) if self.args else ""


class RankError(TesseraError, RuntimeError):
    def __init__(self, *args):
        super().__init__(*args)
        if self.code == "TSR0602" and sys.flags.hash_randomization:
            self.add_note("Strings are hashed by a seed of each process's own: a set of them has another order on each rank. "
                          "PYTHONHASHSEED=0 gives all the same.")


BY_STATUS = {
    -101: ArgumentError, -102: RankError, -103: RankError, -201: DTypeError, -202: DTypeError, -203: ShapeError,
    -204: ShapeError, -205: AxisError, -206: ElementError, -207: ArgumentError, -301: ArgumentError, -302: ArgumentError,
    -401: ArgumentError, -402: OutOfMemory, -501: ArgumentError, -502: FileError, -601: RankError, -602: RankError,
    -603: RankError, -701: RankError, -901: RankError,
}
