"""Time series for ParaView, as tsr_xdmf_open and its like write them."""
from . import _core


class XdmfSeries:
    """A time series that is being written; at the end of a `with` block it is closed."""

    def __init__(self, path):
        self._series = _core.xdmf_open(path)

    def _open(self):
        if self._series is None:
            raise ValueError("the time series is closed")
        return self._series

    def grid(self, origin, spacing):
        """Say where the fields of the steps that follow lie: of each axis the place of its first point, and the
        distance between two; (0, …) and (1, …) without this. Collective."""
        _core.xdmf_grid(self._open(), origin, spacing)

    def write(self, time, name, x):
        """Write a field of a step: write(t, "u", u). Fields of one time have one shape of 1 to 3 axes; times grow. The
        index is a whole document after each call. Collective; waits."""
        _core.xdmf_write(self._open(), time, name, x)

    def close(self):
        """Collective."""
        series, self._series = self._series, None
        if series is not None:
            _core.xdmf_close(series)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def xdmf_open(file):
    """Begin a time series that ParaView opens: `with xdmf_open("heat.xdmf") as series: series.write(t, "u", u)`.
    Collective."""
    return XdmfSeries(file)
