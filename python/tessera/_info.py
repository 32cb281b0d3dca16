"""The array API's description of the module."""
from . import _core
from ._dtypes import by_kind

__array_api_version__ = "2025.12"


class _Info:
    __slots__ = ()

    def capabilities(self):
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": 8}

    def default_device(self):
        return "cpu"

    def devices(self):
        return ("cpu",)

    def default_dtypes(self, *, device=None):
        return {"real floating": _core.float64, "complex floating": _core.complex128, "integral": _core.int64,
                "indexing": _core.int64}

    def dtypes(self, *, device=None, kind=None):
        return by_kind(kind)


def __array_namespace_info__():
    return _Info()
