"""legate.timing: a clock that is read once everything before it has run."""
import tessera

_UNITS = {"us": 1e6, "ns": 1e9}


def time(units="us"):
    """Microseconds (or "ns") on rank 0's clock, once all recorded operations have run."""
    if units not in _UNITS:
        raise ValueError(f'time() takes "us" or "ns", not {units!r}')
    tessera.flush()
    return tessera.time() * _UNITS[units]
