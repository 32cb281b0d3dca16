"""The reductions, which also take what a mask selects: sum(x[mask])."""
from . import _core
from ._index import Selection


def _with_selection(name):
    function = getattr(_core, name)

    def of(a, /, *args, **keywords):
        if type(a) is Selection:
            if args or keywords:
                raise TypeError(f"{name} of x[mask] takes no further arguments")
            return getattr(a, name)()
        return function(a, *args, **keywords)

    of.__name__ = of.__qualname__ = name
    of.__doc__ = function.__doc__
    of.__text_signature__ = function.__text_signature__
    return of


all, any, max, mean, min, prod, sum = map(_with_selection, ("all", "any", "max", "mean", "min", "prod", "sum"))
amax, amin = max, min
