"""What an interpreter does around a session: its end, an exception on one rank, output of other ranks, forks."""
import atexit
import os
import sys

from . import _core

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
    """Start Tessera now instead of at its first use; `comm`: a communicator of mpi4py's, whose ranks it takes. Collective."""
    if comm is None:
        _core.init(0)
        return
    if not type(comm).__module__.startswith("mpi4py") and not any(c.__module__ == "mpi4py.MPI" for c in type(comm).__mro__):
        raise TypeError(f"tessera.init takes a communicator of mpi4py's, not {comm!r}")
    from mpi4py import MPI
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        raise TypeError(f"tessera.init takes a communicator within one group of ranks, not {comm!r}")
    _core.init(MPI._addressof(comm))


_muted = None


def output(ranks="first"):
    """Which ranks print: "first" (rank 0 alone, the default) or "all"."""
    global _muted
    if ranks not in ("first", "all"):
        raise ValueError(f'output() takes "first" or "all", not {ranks!r}')
    if ranks == "all" and _muted is not None:
        sys.stdout.close()
        sys.stdout, _muted = _muted, None
    elif ranks == "first" and _muted is None and _launched()[0] != 0:
        _muted, sys.stdout = sys.stdout, open(os.devnull, "w")


def _end_job(kind, value, trace):
    """One rank's exception ends all: the others may wait for it."""
    try:
        n_ranks = _core.n_ranks() if _core.is_open() else _launched()[1]
    except RuntimeError:  # of another thread, or of a forked process
        n_ranks = 1
    several = n_ranks > 1 and not issubclass(kind, SystemExit)
    if several:
        print(f"tessera: rank {_launched()[0]} ends the job:", file=sys.stderr)
    _before(kind, value, trace)
    if several:
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
