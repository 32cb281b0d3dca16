"""The user's own kernels and tasks: functions of one point as CuPy's texts or as Python functions, and functions of
boxes of points that another language compiled. include/tessera/kernels.h says what they are."""
import collections
import ctypes
import functools
import gc
import inspect
import re
from operator import index

from . import _c_text, _core, _errors
from ._core import ndarray
from ._dtypes import result_type
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
            raise TypeError(f"there is no option {name!r}; a kernel is compiled by Tessera, for the processor and for "
                            "devices alike")


def _count(declarations):
    return len([one for one in declarations.split(",") if one.strip()])


_NUMBERS = (bool, int, float, complex)


def _with_letters(declarations, args):
    """The inputs, and the dtypes of the letters that stand for whole numbers in this call, of which C's text says other
    things than of floats: what is added to small ones, and that a division leaves a rest."""
    dtypes = [one.split()[-2] for one in declarations.split(",") if len(one.split()) > 1]
    if not any(len(of) == 1 for of in dtypes):
        return args, {}
    args = tuple(x if type(x) in _NUMBERS else _core.as_array(x) for x in args)
    letters = {}
    for letter in set(of for of in dtypes if len(of) == 1):
        try:
            dtype = result_type(*(x for of, x in zip(dtypes, args) if of == letter))
        except TypeError:  # which the call says
            continue
        if dtype.kind in "biu":
            letters[letter] = dtype.name
    return args, letters


class ParameterInfo(collections.namedtuple("ParameterInfo", "name dtype ctype raw is_const")):
    """A parameter of a kernel; the dtype of a letter is None, and is its ctype."""
    __slots__ = ()


def _parameters(declarations, is_const):
    for one in declarations.split(","):
        words = one.split()
        if words:
            of = words[-2] if len(words) > 1 else ""
            yield ParameterInfo(words[-1], None if len(of) == 1 else _core.dtype(of), of, words[0] == "raw", is_const)


class ElementwiseKernel:
    """A function of one point, of a text of C's as CuPy takes it:
    ElementwiseKernel("float64 x, float64 y", "float64 z", "z = (x - y) * (x - y)", "squared_diff").

    A capital letter is any dtype, the same wherever it stands; `raw` inputs have elements, x[i], `i` is the number of
    the point, and `n` or `_ind.size()` of the points. Loops have fixed counts, `for (int k = 0; k < 8; ++k)`. Called
    with the inputs, and with arrays for the outputs if these are there: f(x, y) or f(x, y, z)."""

    def __init__(self, in_params, out_params, operation, name="kernel", reduce_dims=True, options=(), loop_prep="",
                 after_loop="", no_return=False, **others):
        _no_options(others, ("return_tuple", "preamble"))
        if loop_prep or after_loop or others.get("preamble"):
            raise TypeError("loop_prep, after_loop and preamble are C beside the expression, which Tessera does not "
                            "take")
        self.in_params, self.out_params, self.operation, self.name = in_params, out_params, operation, name
        self.nin, self.nout = _count(in_params), _count(out_params)
        self.nargs, self.return_tuple = self.nin + self.nout, others.get("return_tuple", False)
        self.text = self._text({})
        inputs, self._all_raw = in_params, all(one.split()[:1] == ["raw"] for one in in_params.split(","))
        if self._all_raw:  # the points come from `size`
            inputs = f"{in_params}, bool points_" if self.nin else "bool points_"
        self._inputs, self._numbers = inputs, {}
        self._number = self._number_of({})
        self.params = (*_parameters(in_params, True), *_parameters(out_params, False))

    def _text(self, letters):
        declared = {**_c_text.dtypes_of(self.in_params, letters), **_c_text.dtypes_of(self.out_params, letters)}
        return _c_text.Text(self.operation, declared, letters).statements()

    def _number_of(self, letters):
        """The number of the kernel for dtypes of the letters."""
        key = tuple(sorted(letters.items()))
        if key not in self._numbers:
            self._numbers[key] = _core.make_kernel(self.name, self._inputs, self.out_params, self._text(letters))
        return self._numbers[key]

    def __call__(self, *args, size=None, **others):
        _no_options(others, ("block_size", "stream"))
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(f"kernel {self.name} takes {self.nin} inputs, or {self.nargs} arguments with its outputs, "
                            f"not {len(args)}")
        out = args[self.nin:] or None
        inputs, letters = _with_letters(self.in_params, args[:self.nin])
        if self._all_raw:
            if size is None and out is None:
                raise ValueError(f"kernel {self.name}: all inputs are raw, so `size` or an output gives the points")
            points = (size,) if isinstance(size, int) else tuple(size) if size is not None else out[0].shape
            inputs += (_core.zeros(points, _core.bool),)
        elif size is not None:
            raise ValueError(f"kernel {self.name}: size is for kernels whose inputs are all raw")
        made = _core.call_kernel(self._number_of(letters), inputs, self.nout, None, False)
        result = _results(made, out)
        return (result,) if self.return_tuple and self.nout == 1 else result

    def __repr__(self):
        return f"<tessera.ElementwiseKernel {self.name}({self.in_params}) -> {self.out_params}>"


class ReductionKernel:
    """A reduction, of texts as CuPy takes them:
    ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm").

    Values of points are combined two by two in an order that depends on the shape alone. Called with the inputs:
    f(x, axis=1, keepdims=True)."""

    def __init__(self, in_params, out_params, map_expr, reduce_expr, post_map_expr, identity=None, name="reduction",
                 reduce_type=None, reduce_dims=True, options=(), **others):
        _no_options(others, ("preamble",))
        if others.get("preamble"):
            raise TypeError("preamble is C beside the expression, which Tessera does not take")
        made = "".join(_c_text.dtypes_of(out_params).values())
        if reduce_type is not None and _c_text.Text("", {}).dtype_named(reduce_type) != made and reduce_type != made:
            raise TypeError(f"reduce_type={reduce_type!r}: values are combined in the output's dtype. Declare the "
                            f"output as {reduce_type}, and cast the result: kernel(x).astype(...)")
        self.in_params, self.out_params, self.name = in_params, out_params, name
        self.nin, self.nout = _count(in_params), 1
        self.nargs = self.nin + 1
        self._given, self._numbers = (map_expr, reduce_expr, post_map_expr), {}
        self.identity = _identity(identity)
        self.map_expr, self.reduce_expr, self.post_map_expr = self._texts({})
        self._number = self._number_of({})
        self.params = (*_parameters(in_params, True), *_parameters(out_params, False))

    def _texts(self, letters):
        """The three texts for dtypes of the letters."""
        map_expr, reduce_expr, post_map_expr = self._given
        made = _c_text.dtypes_of(self.out_params, letters)
        value, name_out = next(iter(made.values()), ""), next(iter(made), "")
        map_expr = _c_text.Text(map_expr, _c_text.dtypes_of(self.in_params, letters), letters, False).lone_expression()
        # A sum that is put into a small value is the same, whether it was one of small values or of large ones.
        pair = "" if re.fullmatch(r"\s*[ab]\s*[+*]\s*[ab]\s*", reduce_expr) else value
        reduce_expr = _c_text.Text(reduce_expr, {"a": pair, "b": pair}, letters, False).lone_expression()
        head, equals, tail = post_map_expr.partition("=")
        if equals and head.strip() == name_out and not tail.startswith("="):
            post_map_expr = tail
        post_map_expr = post_map_expr.rstrip("; \n")
        finish = (_c_text.Text(post_map_expr, {"a": value}, letters, False).lone_expression() if post_map_expr.strip()
                  else "")
        return map_expr, reduce_expr, "" if finish == "a" else finish

    def _number_of(self, letters):
        """The number of the reduction for dtypes of the letters."""
        key = tuple(sorted(letters.items()))
        if key not in self._numbers:
            self._numbers[key] = _core.make_reduction(self.name, self.in_params, self.out_params, *self._texts(letters),
                                                      self.identity)
        return self._numbers[key]

    def __call__(self, *args, axis=None, keepdims=False, out=None, **others):
        _no_options(others, ("stream",))
        if len(args) == self.nin + 1 and out is None:
            args, out = args[:-1], args[-1]
        if len(args) != self.nin:
            raise TypeError(f"kernel {self.name} takes {self.nin} inputs, not {len(args)}")
        axis = (axis,) if isinstance(axis, int) else axis
        args, letters = _with_letters(self.in_params, args)
        return _results((_core.call_reduction(self._number_of(letters), args, axis, keepdims),), out)

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

    Its body assigns expressions to names and returns one; `a if c else b` and if statements choose, where both ways are
    computed; `for k in range(8)` repeats statements a fixed number of times; functions are the elementwise ones of
    Tessera, NumPy and math, other kernels, and functions of the program that have such a body. Dtypes are those of the
    values, unless annotations say others ("float32"); a parameter with the annotation "raw" has elements, x[k], counted
    in flat order; a free name `i` is the number of the point, and `n` is how many there are. Numbers and functions of
    the program around it are taken when it is made. What else Python has is a SyntaxError that names the line."""
    try:
        translation = Translation(function)
    except SyntaxError as error:  # the program's line, and not those of the package
        raise error.with_traceback(None) from None
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
        return _results(_core.call_kernel(number, tuple(bound.arguments.values()), translation.n_outputs, None, False),
                        out)

    call.text, call.inputs, call.outputs = translation.text, translation.inputs, translation.outputs
    call.translation = translation
    return call


_MOST_AXES = 8


class TaskArgument(ctypes.Structure):
    """An argument of a task within its box: struct tsr_task_argument (tessera/task.h)."""
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int), ("ndim", ctypes.c_int),
                ("shape", ctypes.c_int64 * _MOST_AXES), ("stride_bytes", ctypes.c_int64 * _MOST_AXES),
                ("before", ctypes.c_int64 * _MOST_AXES), ("after", ctypes.c_int64 * _MOST_AXES)]


class TaskBox(ctypes.Structure):
    """One call of a task's function: struct tsr_task_box (tessera/task.h)."""
    _fields_ = [("ndim", ctypes.c_int), ("shape", ctypes.c_int64 * _MOST_AXES), ("offset", ctypes.c_int64 * _MOST_AXES),
                ("domain", ctypes.c_int64 * _MOST_AXES), ("n_in", ctypes.c_int), ("n_out", ctypes.c_int),
                ("inputs", ctypes.POINTER(TaskArgument)), ("outputs", ctypes.POINTER(TaskArgument)),
                ("data", ctypes.c_void_p), ("data_bytes", ctypes.c_size_t)]


class task:
    """A function of boxes of points that another language compiled: task("smooth", "float64 u halo(1)", "float64 v",
    f).

    f: a function of ctypes, of cffi, a cfunc of Numba's (what has an `address`), or an address, of `int f(const
    tsr_task_box *)`. The declarations are those of tsr_task (tessera/kernels.h). Called with the inputs; `data`: bytes
    that the function sees. A Python function in a callback of ctypes' runs at its call, on threads that take the GIL
    one after the other; tessera.TaskBox is what its argument points to."""

    def __init__(self, name, inputs, outputs, function):
        self.name, self.inputs, self.outputs, self.function = name, inputs, outputs, function
        self.nin, self.nout = _count_tasks(inputs), _count_tasks(outputs)
        self._raised = []
        called = _callable_of(function)
        self._is_python = called is not None
        # its code is called, so it lives as long
        self._kept = type(function)(self._telling(called)) if called else function
        self._number = _core.make_task(name, inputs, outputs, _address(self._kept))

    def _telling(self, function):
        """The function, of which ctypes would only print what it raises, and take any number for its result."""
        def of(pointer):
            try:
                failed = function(pointer)
                return 0 if failed is None else index(failed)
            except BaseException as error:
                self._raised.append(error)
                return 1
        return of

    def _raise(self, failure):
        """Nothing keeps the error, whose frames keep arrays: they are dropped where other ranks drop theirs."""
        error = self._raised[0]
        self._raised.clear()
        try:
            raise error from (failure.with_traceback(None) if failure else None)
        finally:
            del error, failure

    def __call__(self, *args, data=None, out=None):
        self._raised.clear()
        try:
            made = _core.call_kernel(self._number, args, self.nout, data, self._is_python)
            if self._is_python:  # it has run: an element tells every rank of a failure, here and not at a later read
                for x in made or args:
                    if isinstance(x, ndarray) and x.size:
                        x[(0,) * x.ndim].item()
        except _errors.TesseraError as failure:
            if self._raised:
                self._raise(failure)
            raise
        if self._raised:
            self._raise(None)
        return _results(made, out) if made else None

    def __repr__(self):
        return f"<tessera.task {self.name}({self.inputs}) -> {self.outputs}>"


def _count_tasks(declarations):
    """The parameters of a text, in which grain(n) and whole(1) are none, and halo(1, 2) and hist[3, 3] have commas of
    their own."""
    depth, parts = 0, [""]
    for c in declarations:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return len([one for one in parts if one.strip() and not re.match(r"\s*(grain|whole)\b", one)])


def _callable_of(function):
    """The Python function in a callback of ctypes'; None if there is none."""
    kept = getattr(function, "_objects", None)
    for thunk in kept.values() if isinstance(kept, dict) else ():
        if type(thunk).__name__ == "CThunkObject":
            return next((one for one in gc.get_referents(thunk) if callable(one) and not isinstance(one, type)),
                        function)
    return None


def _address(function):
    if isinstance(function, bool) or function is None:
        raise TypeError("a task's function is a pointer of ctypes' or cffi's, a cfunc of Numba's or an address, not "
                        f"{function!r}")
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
        raise TypeError(f"a task's function is compiled: {function!r} is Python's; ctypes.CFUNCTYPE makes a callback "
                        "of it, and tessera.kernel a kernel of a function of one point")
    raise TypeError("a task's function is a pointer of ctypes' or cffi's, a cfunc of Numba's or an address, not "
                    f"{function!r}")
