"""What an interpreter does around a session: its end, an exception on one rank, output of other ranks, forks."""
import atexit
import os
import sys
import time
import traceback

from . import _core
from ._errors import TesseraError

# Where a launcher says a process's rank and the number of ranks.
_LAUNCHERS = (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"), ("PMIX_RANK", "PMIX_SIZE"),
              ("SLURM_PROCID", "SLURM_NTASKS"))


def _launched():
    """(rank, number of ranks) as the launcher says them: known before the session opens."""
    for rank, size in _LAUNCHERS:
        try:
            return int(os.environ[rank]), int(os.environ[size])
        except (KeyError, ValueError):
            pass
    return 0, 1


def init(comm=None):
    """Start Tessera now instead of at its first use; `comm`: a communicator of mpi4py's, whose ranks it takes.
    Collective."""
    if comm is None:
        _core.init(0)
        return
    if not type(comm).__module__.startswith("mpi4py") and not any(c.__module__ == "mpi4py.MPI"
                                                                  for c in type(comm).__mro__):
        raise TypeError(f"tessera.init takes a communicator of mpi4py's, not {comm!r}")
    from mpi4py import MPI
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        raise TypeError(f"tessera.init takes a communicator within one group of ranks, not {comm!r}")
    _core.init(MPI._addressof(comm))


class unaligned:
    """with unaligned(): arrays that die in the block may die at other times on other ranks, as by an order of a set or
    a cache. They are released once they have died on all ranks, at a read. What another thread drops needs no block."""
    def __enter__(self):
        _core.unaligned(1)
        return self

    def __exit__(self, *error):
        _core.unaligned(-1)


_muted = None


def output(ranks="first"):
    """Which ranks print: "first" (rank 0 alone, the default) or "all", whose lines are then written whole."""
    global _muted
    if ranks not in ("first", "all"):
        raise ValueError(f'output() takes "first" or "all", not {ranks!r}')
    if ranks == "all" and _muted is not None:
        sys.stdout.close()
        sys.stdout, _muted = _muted, None
    elif ranks == "first" and _muted is None and _launched()[0] != 0:
        _muted, sys.stdout = sys.stdout, open(os.devnull, "w")
    if ranks == "all" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True, write_through=False)  # `python -u` writes each word alone


def _say(kind, value, trace):
    """The exception with the rank before each line, in one write: several ranks may fail at once."""
    rank = _launched()[0]
    if _before is not sys.__excepthook__:  # the program's own
        print(f"tessera: rank {rank} ends the job:", file=sys.stderr)
        _before(kind, value, trace)
        return
    lines = "".join(traceback.format_exception(kind, value, trace)).splitlines()
    text = "".join(f"rank {rank}: {line}\n" for line in [f"tessera: rank {rank} ends the job:", *lines])
    try:
        sys.stderr.flush()
        data = text.encode(sys.stderr.encoding or "utf-8", "backslashreplace")
        while data:
            data = data[os.write(sys.stderr.fileno(), data):]
    except (AttributeError, OSError, ValueError):  # a stream that is no file
        print(text, end="", file=sys.stderr)


def _end_job(kind, value, trace):
    """One rank's exception ends all: the others may wait for it."""
    try:
        n_ranks = _core.n_ranks() if _core.is_open() else _launched()[1]
    except RuntimeError:  # of another thread, or of a forked process
        n_ranks = 1
    if n_ranks <= 1 or issubclass(kind, SystemExit):
        _before(kind, value, trace)
    else:
        # An error of Tessera's is mostly every rank's: rank 0 says it and ends the job, unless it has none.
        if issubclass(kind, TesseraError) and _launched()[0] != 0:
            time.sleep(2)
        _say(kind, value, trace)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                pass
        os._exit(1)


_before = sys.excepthook
sys.excepthook = _end_job
output("first")
atexit.register(_core.finalize)
os.register_at_fork(after_in_child=_core.forked)
