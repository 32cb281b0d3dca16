"""The user's own kernels and tasks: functions of one point as CuPy's texts or as Python functions, and functions of boxes
of points that another language compiled. include/tessera/kernels.h says what they are."""
import ctypes
import functools
import inspect

from . import _c_text, _core
from ._core import ndarray
from ._python_text import Translation

__all__ = ["ElementwiseKernel", "ReductionKernel", "kernel", "task", "TaskBox", "TaskArgument"]


def _results(made, out):
    """The outputs as a call gives them: one, or a tuple; put into `out` where that is given."""
    if out is not None:
        targets = out if isinstance(out, (tuple, list)) else (out,)
        if len(targets) != len(made) or not all(isinstance(x, ndarray) for x in targets):
            raise TypeError(f"out: {len(made)} arrays of Tessera's, for as many outputs")
        for x, value in zip(targets, made):
            if x.shape != value.shape:
                raise ValueError(f"out has the shape {x.shape}, the output {value.shape}")
            _core.assign(x, value)
        made = tuple(targets)
    return made[0] if len(made) == 1 else made


def _no_options(options, known):
    for name in options:
        if name not in known:
            raise TypeError(f"there is no option {name!r}; a kernel is compiled by Tessera, for the processor and for devices alike")


def _count(declarations):
    return len([one for one in declarations.split(",") if one.strip()])


class ElementwiseKernel:
    """A function of one point, of a text of C's as CuPy takes it:
    ElementwiseKernel("float64 x, float64 y", "float64 z", "z = (x - y) * (x - y)", "squared_diff").

    A capital letter is any dtype, the same wherever it stands; `raw` inputs have elements, x[i], and `i` is the number of the
    point. Called with the inputs, and with arrays for the outputs if these are there: f(x, y) or f(x, y, z)."""

    def __init__(self, in_params, out_params, operation, name="kernel", reduce_dims=True, options=(), loop_prep="", after_loop="",
                 no_return=False, **others):
        _no_options(others, ("return_tuple", "preamble"))
        if loop_prep or after_loop or others.get("preamble"):
            raise TypeError("loop_prep, after_loop and preamble are C beside the expression, which Tessera does not take")
        self.in_params, self.out_params, self.operation, self.name = in_params, out_params, operation, name
        self.nin, self.nout = _count(in_params), _count(out_params)
        self.nargs, self.return_tuple = self.nin + self.nout, others.get("return_tuple", False)
        declared = {**_c_text.dtypes_of(in_params), **_c_text.dtypes_of(out_params)}
        self.text = _c_text.Text(operation, declared).statements()
        inputs, self._all_raw = in_params, all(one.split()[:1] == ["raw"] for one in in_params.split(","))
        if self._all_raw:  # the points come from `size`
            inputs = f"{in_params}, bool points_" if self.nin else "bool points_"
        self._number = _core.make_kernel(name, inputs, out_params, self.text)

    def __call__(self, *args, size=None, **others):
        _no_options(others, ("block_size", "stream"))
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(f"kernel {self.name} takes {self.nin} inputs, or {self.nargs} arguments with its outputs, not {len(args)}")
        inputs, out = args[:self.nin], args[self.nin:] or None
        if self._all_raw:
            if size is None and out is None:
                raise ValueError(f"kernel {self.name}: all inputs are raw, so `size` or an output gives the points")
            points = (size,) if isinstance(size, int) else tuple(size) if size is not None else out[0].shape
            inputs += (_core.zeros(points, _core.bool),)
        elif size is not None:
            raise ValueError(f"kernel {self.name}: size is for kernels whose inputs are all raw")
        made = _core.call_kernel(self._number, inputs, self.nout, None, False)
        result = _results(made, out)
        return (result,) if self.return_tuple and self.nout == 1 else result

    def __repr__(self):
        return f"<tessera.ElementwiseKernel {self.name}({self.in_params}) -> {self.out_params}>"


class ReductionKernel:
    """A reduction, of texts as CuPy takes them:
    ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm").

    Values of points are combined two by two in an order that depends on the shape alone. Called with the inputs:
    f(x, axis=1, keepdims=True)."""

    def __init__(self, in_params, out_params, map_expr, reduce_expr, post_map_expr, identity=None, name="reduction", reduce_type=None,
                 reduce_dims=True, options=(), **others):
        _no_options(others, ("preamble",))
        if reduce_type is not None or others.get("preamble"):
            raise TypeError("reduce_type and preamble are no part of a reduction here: values are combined in the output's dtype")
        self.in_params, self.out_params, self.name, self.nin, self.nout = in_params, out_params, name, _count(in_params), 1
        declared = _c_text.dtypes_of(in_params)
        made = _c_text.dtypes_of(out_params)
        value = next(iter(made.values()), "")
        self.map_expr = _c_text.Text(map_expr, declared).lone_expression()
        self.reduce_expr = _c_text.Text(reduce_expr, {"a": value, "b": value}).lone_expression()
        name_out = next(iter(made), "")
        head, equals, tail = post_map_expr.partition("=")
        if equals and head.strip() == name_out and not tail.startswith("="):
            post_map_expr = tail
        finish = _c_text.Text(post_map_expr.rstrip("; \n"), {"a": value}).lone_expression() if post_map_expr.strip() else ""
        self.post_map_expr = "" if finish == "a" else finish
        self.identity = _identity(identity)
        self._number = _core.make_reduction(name, in_params, out_params, self.map_expr, self.reduce_expr, self.post_map_expr,
                                            self.identity)

    def __call__(self, *args, axis=None, keepdims=False, out=None, **others):
        _no_options(others, ("stream",))
        if len(args) == self.nin + 1 and out is None:
            args, out = args[:-1], args[-1]
        if len(args) != self.nin:
            raise TypeError(f"kernel {self.name} takes {self.nin} inputs, not {len(args)}")
        axis = (axis,) if isinstance(axis, int) else axis
        return _results((_core.call_reduction(self._number, args, axis, keepdims),), out)

    def __repr__(self):
        return f"<tessera.ReductionKernel {self.name}({self.in_params}) -> {self.out_params}>"


def _identity(given):
    """A number, or the text of one."""
    if given is None:
        return 0
    if not isinstance(given, str):
        return given
    text = given.strip().rstrip("fFlLuU") or "0"
    for kind in (int, float):
        try:
            return kind({"true": "1", "false": "0", "INFINITY": "inf", "-INFINITY": "-inf"}.get(given.strip(), text))
        except ValueError:
            pass
    raise ValueError(f"the identity of a reduction is a number, not {given!r}")


def kernel(function):
    """A decorator: the function of one point becomes a kernel that is called with arrays and numbers, and fuses.

    Its body assigns expressions to names and returns one; `a if c else b` chooses; functions are the elementwise ones of
    Tessera, NumPy and math. Dtypes are those of the values, unless annotations say others ("float32"); a parameter with the
    annotation "raw" has elements, x[k], counted in flat order, and a free name `i` is the number of the point. Numbers of the
    program around it are taken when it is made. What else Python has is a SyntaxError that names the line."""
    translation = Translation(function)
    signature = inspect.signature(function)
    name = function.__name__ if function.__name__.isascii() else "kernel"
    number = None

    @functools.wraps(function)
    def call(*args, out=None, **keywords):
        nonlocal number
        if number is None:  # an import of a module with kernels opens no session
            number = _core.make_kernel(name, translation.inputs, translation.outputs, translation.text)
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        return _results(_core.call_kernel(number, tuple(bound.arguments.values()), translation.n_outputs, None, False), out)

    call.text, call.inputs, call.outputs = translation.text, translation.inputs, translation.outputs
    return call


_MOST_AXES = 8


class TaskArgument(ctypes.Structure):
    """An argument of a task within its box: struct tsr_task_argument (tessera/task.h)."""
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int), ("ndim", ctypes.c_int), ("shape", ctypes.c_int64 * _MOST_AXES),
                ("stride_bytes", ctypes.c_int64 * _MOST_AXES), ("before", ctypes.c_int64 * _MOST_AXES),
                ("after", ctypes.c_int64 * _MOST_AXES)]


class TaskBox(ctypes.Structure):
    """One call of a task's function: struct tsr_task_box (tessera/task.h)."""
    _fields_ = [("ndim", ctypes.c_int), ("shape", ctypes.c_int64 * _MOST_AXES), ("offset", ctypes.c_int64 * _MOST_AXES),
                ("domain", ctypes.c_int64 * _MOST_AXES), ("n_in", ctypes.c_int), ("n_out", ctypes.c_int),
                ("inputs", ctypes.POINTER(TaskArgument)), ("outputs", ctypes.POINTER(TaskArgument)), ("data", ctypes.c_void_p),
                ("data_bytes", ctypes.c_size_t)]


class task:
    """A function of boxes of points that another language compiled: task("smooth", "float64 u halo(1)", "float64 v", f).

    f: a function of ctypes, of cffi, a cfunc of Numba's (what has an `address`), or an address, of `int f(const tsr_task_box *)`.
    The declarations are those of tsr_task (tessera/kernels.h). Called with the inputs; `data`: bytes that the function sees.
    A Python function in a callback of ctypes' runs at its call, on threads that take the GIL one after the other; tessera.TaskBox
    is what its argument points to."""

    def __init__(self, name, inputs, outputs, function):
        self.name, self.inputs, self.outputs, self.function = name, inputs, outputs, function
        self.nin, self.nout = _count_tasks(inputs), _count_tasks(outputs)
        self._is_python = _is_callback(function)
        self._number = _core.make_task(name, inputs, outputs, _address(function))

    def __call__(self, *args, data=None, out=None):
        made = _core.call_kernel(self._number, args, self.nout, data, self._is_python)
        return _results(made, out) if made else None

    def __repr__(self):
        return f"<tessera.task {self.name}({self.inputs}) -> {self.outputs}>"


def _count_tasks(declarations):
    """The parameters of a text, in which grain(n) is none and halo(1, 2) has commas of its own."""
    depth, parts = 0, [""]
    for c in declarations:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return len([one for one in parts if one.strip() and not one.strip().startswith("grain")])


def _is_callback(function):
    kept = getattr(function, "_objects", None)
    return isinstance(kept, dict) and any(type(one).__name__ == "CThunkObject" for one in kept.values())


def _address(function):
    if isinstance(function, bool) or function is None:
        raise TypeError(f"a task's function is a pointer of ctypes' or cffi's, a cfunc of Numba's or an address, not {function!r}")
    if isinstance(function, int):
        return function
    if isinstance(getattr(function, "address", None), int):
        return function.address
    if isinstance(function, ctypes._CFuncPtr):
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    if type(function).__module__ == "_cffi_backend":
        import _cffi_backend
        return int(_cffi_backend.FFI().cast("uintptr_t", function))
    if callable(function):
        raise TypeError(f"a task's function is compiled: {function!r} is Python's; ctypes.CFUNCTYPE makes a callback of it, and "
                        "tessera.kernel a kernel of a function of one point")
    raise TypeError(f"a task's function is a pointer of ctypes' or cffi's, a cfunc of Numba's or an address, not {function!r}")
