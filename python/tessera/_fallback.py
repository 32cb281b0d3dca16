"""tessera.fallback("numpy"): what Tessera lacks is computed by NumPy from gathered arrays, and said, once per line and
function, with the bytes. Without it what is not there is an error that names it."""
import functools
import sys
import warnings

from . import _core
from ._core import ndarray
from ._index import Selection


class FallbackWarning(UserWarning):
    """Arrays were gathered for a function of NumPy's."""


_state = {"module": None, "told": set()}


class fallback:
    """Let NumPy compute what Tessera lacks: fallback("numpy"); fallback(None) ends it. In `with fallback("numpy"):` for
    the block. Each use gathers its arrays on every rank, and is warned of once per line with the number of bytes."""

    def __init__(self, to):
        if to not in ("numpy", None):
            raise ValueError(f'fallback takes "numpy" or None, not {to!r}')
        self._before = _state["module"]
        if to is None:
            _set(None)
        else:
            try:
                import numpy
            except ImportError as error:
                raise ImportError('fallback("numpy") needs NumPy, which this Python lacks: install it, pip install '
                                  'numpy') from error
            _set(numpy)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        _set(self._before)


def _set(module):
    _state["module"] = module
    if module is not None:
        ndarray.__getattr__ = _method
    elif "__getattr__" in vars(ndarray):
        del ndarray.__getattr__


def is_on():
    return _state["module"] is not None


def _caller():
    """The line of the program: of the first frame outside the package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


_PACKAGE = __file__[:-len("_fallback.py")]


def _gathered(x, found):
    """The object with NumPy's arrays for ours, which are not to be written: what was written there would be lost."""
    if isinstance(x, (ndarray, Selection)):
        copy = x.__array__()
        copy.flags.writeable = False
        found.append(copy.nbytes)
        return copy
    if type(x) in (list, tuple):
        return type(x)(_gathered(one, found) for one in x)
    if type(x) is dict:
        return {name: _gathered(one, found) for name, one in x.items()}
    return x


def _returned(x):
    """What NumPy gave, as arrays of ours where there is a dtype for them."""
    numpy = _state["module"]
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        try:
            _core.dtype(x.dtype)
        except TypeError:
            return x
        return _core.as_array(x)
    if type(x) in (list, tuple):
        return type(x)(_returned(one) for one in x)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*(_returned(one) for one in x))
    return x


def call(name, function, args, keywords):
    """A function of NumPy's on gathered arrays."""
    out = keywords.get("out")
    outs = [x for x in (out if isinstance(out, tuple) else (out,)) if isinstance(x, ndarray)]
    if outs:
        keywords = {key: value for key, value in keywords.items() if key != "out"}
    found = []
    args, keywords = _gathered(tuple(args), found), _gathered(keywords, found)
    frame = _caller()
    place = (frame.f_code.co_filename, frame.f_lineno, name)
    if place not in _state["told"]:
        _state["told"].add(place)
        if _core.rank() == 0:
            arrays = "1 array" if len(found) == 1 else f"{len(found)} arrays"
            warnings.warn_explicit(f"numpy.{name} computes what Tessera lacks: {arrays}, {sum(found):,} bytes, "
                                   "gathered on every rank",
                                   FallbackWarning, place[0], place[1], registry={})
    try:
        made = _returned(function(*args, **keywords))
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        raise ValueError(f"numpy.{name} writes into its argument, and has a gathered copy of it, which is read-only: "
                         "what it writes there would be lost. Assign what a function returns to the array instead, as "
                         "in x[...] = numpy.sort(x), or call it on y = numpy.asarray(x), and then x[...] = "
                         "y") from error
    if outs:
        for x, value in zip(outs, made if isinstance(made, tuple) else (made,)):
            _core.assign(x, value)
        return out
    return made


def attribute(name, path=""):
    """numpy.<path>.<name> as a function that falls back, or None. Draws of NumPy's differ between ranks, and are
    none."""
    if name == "random":
        return None
    space = _state["module"]
    for part in path.split(".") if path else ():
        space = getattr(space, part, None)
    function = getattr(space, name, None) if space is not None else None
    if function is None or name.startswith("_"):
        return None
    if not callable(function) or isinstance(function, type):
        return function
    full = f"{path}.{name}" if path else name

    @functools.wraps(function, updated=())
    def through(*args, **keywords):
        return call(full, function, args, keywords)
    return through


def _method(x, name):
    """x.<name> that the array lacks: NumPy's, of the gathered array."""
    numpy = _state["module"]
    found = None if name.startswith("_") else getattr(numpy.ndarray, name, None)
    if found is None:
        raise AttributeError(f"tessera's arrays and numpy's have no {name!r}")
    if not callable(found):
        return call(f"ndarray.{name}", lambda a: getattr(a, name), (x,), {})

    @functools.wraps(found, updated=())
    def through(*args, **keywords):
        return call(f"ndarray.{name}", lambda a, *rest, **named: getattr(a, name)(*rest, **named), (x,) + args,
                    keywords)
    return through
