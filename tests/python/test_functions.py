"""Every function of the table against NumPy: over dtypes, views, broadcasting, and by its parameters' names."""
import inspect

import numpy
import tessera as np
from support import DTYPES, Case, pair, values

FLOATS = "float32 float64".split()
# Where a function is defined, or its values stay moderate.
RANGES = {"arccos": (-1, 1), "arcsin": (-1, 1), "arctanh": (-0.9, 0.9), "arccosh": (1, 9), "log": (1, 9),
          "log2": (1, 9), "log10": (1, 9), "log1p": (1, 9), "sqrt": (0, 9), "reciprocal": (1, 9), "power": (1, 4),
          "left_shift": (0, 5), "right_shift": (0, 5), "divide": (1, 9), "floor_divide": (1, 9), "remainder": (1, 9),
          "fmod": (1, 9), "exp": (-3, 3), "expm1": (-3, 3), "exp2": (-3, 3), "sinh": (-3, 3), "cosh": (-3, 3),
          "tan": (-1, 1), "ldexp": (0, 5), "cbrt": (0, 9)}


def ufuncs():
    """The elementwise functions of the table that are ufuncs of NumPy, without other names for them."""
    found = {}
    for name in sorted(dir(np._core)):
        theirs = getattr(numpy, name, None)
        if isinstance(theirs, numpy.ufunc) and theirs.__name__ == name and theirs.signature is None:
            found[name] = theirs
    return found


class Ufuncs(Case):
    def test_there_are_many(self):
        self.assertGreater(len(ufuncs()), 75)

    def test_all_dtypes(self):
        for name, theirs in ufuncs().items():
            for dtype in DTYPES:
                if dtype == "float16":
                    continue
                low, high = RANGES.get(name, (-9, 9))
                if numpy.dtype(dtype).kind in "iu":
                    high = max(high, 2)
                xs = [values(dtype, shape, seed, low, high) for shape, seed in (((3, 5), 1), ((3, 1), 2))[:theirs.nin]]
                if name == "ldexp":
                    xs[1] = values("int32", (3, 1), 2, 0, 5)
                if name in ("divide", "floor_divide", "remainder", "fmod", "divmod") and dtype != "bool":
                    xs[1] = numpy.where(xs[1] == 0, numpy.ones((), dtype), xs[1])
                ours = [np.asarray(x) for x in xs]
                with self.subTest(name=name, dtype=dtype), numpy.errstate(all="ignore"):
                    try:
                        expected = theirs(*xs)
                    except TypeError:
                        with self.assertRaises(TypeError):
                            getattr(np, name)(*ours)
                        continue
                    if "complex" in dtype and name in ("fmin", "fmax", "cbrt"):
                        continue  # refused, as docs/numpy.md says
                    if dtype[:4] in ("bool", "int8", "uint") and getattr(expected, "dtype", None) == numpy.float16:
                        tolerance = 5e-3
                    else:
                        tolerance = None
                    self.same(getattr(np, name)(*ours), expected, tolerance=tolerance)

    def test_views_and_numbers(self):
        for name, theirs in ufuncs().items():
            if name == "ldexp" or theirs.nin > 2:
                continue
            low, high = RANGES.get(name, (1, 9))
            whole = "shift" in name or "bitwise" in name or name in ("invert", "gcd", "lcm")
            x, y = pair("int64" if whole else "float64", (4, 6), 3, low, high)
            with self.subTest(name=name):
                if theirs.nin == 1:
                    self.same(getattr(np, name)(x[::2, ::-1].T), theirs(y[::2, ::-1].T))
                    if not whole:
                        self.same(getattr(np, name)(0.5 if high <= 1 else 2.0), theirs(0.5 if high <= 1 else 2.0))
                else:
                    self.same(getattr(np, name)(x[1], x[:, ::2][:, :1]), theirs(y[1], y[:, ::2][:, :1]))
                    self.same(getattr(np, name)(x, 2), theirs(y, 2))

    def test_matmul(self):
        for a, b in (((3, 4), (4, 5)), ((4,), (4,)), ((2, 3, 4), (4, 2)), ((4,), (4, 3)), ((3, 4), 4),
                     ((5, 1, 3, 4), (2, 4, 2))):
            for dtype in ("int64", "float64", "complex128"):
                (x, y), (p, q) = pair(dtype, a, 1), pair(dtype, b, 2)
                self.same(np.matmul(x, p), y @ q, (a, b, dtype))
        with self.assertRaises(ValueError):
            np.matmul(np.zeros((2, 3)), np.zeros((2, 3)))


# Calls of the other functions of the table: x, y, z are (4, 6), (4, 6), (6,); i is of whole numbers; m of bools.
CALLS = """
empty_like(x).shape; zeros_like(x); zeros_like(i, dtype='float32'); ones_like(x); full_like(x, 3); full_like(i, 3.0)
zeros(3); zeros((2, 3), 'int8'); ones((2, 2), dtype='complex64'); empty(3).shape; empty((2, 0)); full((2, 3), 1.5)
arange(4); arange(1, 9, 3); arange(0.0, 1.0, 0.125); arange(9, 1, -2); linspace(0, 1, 5)
linspace(0, 1, 5, endpoint=False); linspace(1, 2, num=3, dtype='float32'); logspace(0, 3, 4); logspace(0, 3, 4, base=2)
geomspace(1, 1000, 4); eye(3); eye(3, 4, 1); eye(2, dtype='int64'); identity(3); tri(3, 4, -1); tril(x); triu(x, 1)
diag(z); diag(x, 1); indices((2, 3)); meshgrid(z, z); meshgrid(z, z[:2], indexing='ij'); copy(x); astype(x, 'int32')
transpose(x); transpose(x, (1, 0)); flip(x); flip(x, 0); flip(x, axis=(0, 1)); broadcast_to(z, (4, 6)); diagonal(x)
diagonal(x, offset=1); expand_dims(x, 0); expand_dims(x, axis=(0, -1)); squeeze(x[:1]); squeeze(x[:1], axis=0)
moveaxis(x, 0, 1); moveaxis(x, [0, 1], [1, 0]); swapaxes(x, 0, 1); flipud(x); fliplr(x); rot90(x); rot90(x, 2)
rot90(x, k=3); atleast_1d(z); atleast_2d(z); atleast_3d(z); broadcast_arrays(x, z); reshape(x, (6, 4)); reshape(x, -1)
reshape(x, (2, -1)); ravel(x); roll(x, 2); roll(x, 1, 0); roll(x, (1, 2), (0, 1)); roll(x, -1, axis=1)
concatenate([x, y]); concatenate((x, y), 1); concatenate([x, y], axis=None); concatenate([x, i], axis=0)
concat([x, y]); stack([x, y]); stack([x, y], axis=2); vstack([x, y]); hstack([x, y]); dstack([x, y]); split(x, 2)
split(x, [1, 3]); array_split(x, 3, axis=1); tile(x, 2); tile(z, (2, 2)); repeat(x, 2); repeat(x, 3, axis=1)
repeat(z, [1, 2, 0, 1, 1, 3]); pad(x, 1); pad(x, (1, 2)); pad(x, ((1, 2), (0, 3)), constant_values=7)
pad(z, 2, mode='edge'); pad(z, 2, 'reflect'); allclose(x, x); array_equal(x, y); isclose(x, y, atol=5)
isclose(x, x + 1e-9); round(x); round(x, 1); round(x, decimals=-1); angle(x + 1j); angle(x + 1j, deg=True)
divmod(x, 3.0); modf(x); frexp(x); sum(x); sum(x, 0); sum(x, axis=(0, 1)); sum(x, axis=1, keepdims=True); sum(i)
sum(i, dtype='float32'); sum(m); prod(x[:2, :2]); prod(z, dtype='float32'); min(x); max(x, 1); amin(x, axis=0); amax(x)
mean(x); mean(i, axis=0); mean(x, dtype='float32'); any(m); all(m, axis=1); argmin(x); argmax(x, axis=1)
argmax(x, axis=0, keepdims=True); count_nonzero(m); count_nonzero(i, axis=0); ptp(x); ptp(x, axis=1); var(x)
var(x, ddof=1); std(x, axis=0); std(x, 0, ddof=1, keepdims=True); nansum(n); nansum(n, axis=0); nanprod(n); nanmin(n)
nanmax(n, axis=1); nanmean(n); nanvar(n); nanstd(n, axis=0, ddof=1); nanargmin(n); nanargmax(n, axis=1); average(x)
average(x, axis=1, weights=z); median(x); median(x, axis=0); quantile(x, 0.3); quantile(x, 0.5, axis=1)
percentile(x, 30); nanmedian(n); nanquantile(n, 0.5, axis=1); nanpercentile(n, 20); cumsum(z); cumsum(x, axis=0)
cumsum(x); cumprod(z / 4); cumprod(x / 4, axis=1); diff(x); diff(x, 2); diff(x, axis=0)
diff(z, prepend=0.0, append=9.0); trapezoid(z); trapezoid(z, dx=0.5); trapezoid(x, axis=0); inner(x, y); inner(z, z)
dot(x, z); dot(x, y.T); vdot(z, z); outer(z, z[:3]); matmul(x, y.T); einsum('ij,kj->ik', x, y)
einsum('ii->i', x[:, :4]); where(m, x, y); where(x > 0, 1, 0); clip(x, -1, 1); clip(x, None, 2); clip(i, 0, 3)
linalg.norm(x); linalg.norm(z, 1); linalg.norm(x, axis=1); ndim(x); size(x); size(x, 0); shape(x); cummax(z)
cummin(x, axis=1); erf(z); erfc(z); gamma(z); lgamma(z); sinc(x); real(c); imag(c); conj(c); flatten(x)
frexp_mantissa(x); frexp_exponent(x); vecdot(x, y); vecdot(x, y, axis=0); cross(x[:, :3], y[:, :3]); kron(z, x)
trace(x); trace(x, 1); column_stack([z, z]); shares_memory(x, x.T); may_share_memory(x, y)
"""
NOT_OF_NUMPY = {
    "cummax": lambda a, axis=0: numpy.maximum.accumulate(a, axis),
    "cummin": lambda a, axis=0: numpy.minimum.accumulate(a, axis),
    "erf": lambda a: numpy.vectorize(__import__("math").erf)(a),
    "erfc": lambda a: numpy.vectorize(__import__("math").erfc)(a),
    "gamma": lambda a: numpy.vectorize(__import__("math").gamma)(a),
    "lgamma": lambda a: numpy.vectorize(__import__("math").lgamma)(a), "flatten": lambda a: a.flatten(),
    "frexp_mantissa": lambda a: numpy.frexp(a)[0], "frexp_exponent": lambda a: numpy.frexp(a)[1] + 0.0,
    "concat": numpy.concatenate,
}


def calls():
    return [call.strip() for line in CALLS.split("\n") for call in line.split(";") if call.strip()]


class Methods(Case):
    """Methods of ufuncs."""

    def test_results_are_their_own(self):
        for name in ("add maximum fmax hypot subtract divide power logaddexp").split():
            of, theirs = getattr(np, name), getattr(numpy, name)
            for call in (lambda f, x: f.reduce(x,
                                               axis=0), lambda f, x: f.reduce(x, axis=()), lambda f, x: f.accumulate(x),
                         lambda f, x: f.accumulate(x[:, :1], axis=1)):
                x, a = np.array([[5.0, 1.0, 2.0]]), numpy.array([[5.0, 1.0, 2.0]])
                made = call(of, x)
                self.same(made, call(theirs, a), name)
                made[...] = 99.0
                self.same(x, a, name)

    def test_the_same_bits_as_reductions(self):
        x, _ = pair("float64", (70, 30), 7)
        for name, of in (("add", np.sum), ("multiply", np.prod), ("maximum", np.max)):
            for axis in (0, 1, (1, 0), None):
                made = getattr(np, name).reduce(x, axis, keepdims=True)
                self.assertEqual(made.tobytes(), of(x, axis, keepdims=True).tobytes(), name)
        self.assertEqual(np.add.accumulate(x, 1).tobytes(), np.cumsum(x, 1).tobytes())

    def test_out(self):
        x, a = pair("float64", (3, 4), 5)
        y, z = np.zeros(4, np.float32), np.zeros((3, 4))
        for of in (np.add, np.fmax, np.gcd):
            v = np.astype(x, np.int16) if of is np.gcd else x
            self.assertIs(of.reduce(v, 0, out=y), y)
            self.assertIs(of.accumulate(v, 1, out=(z,)), z)
            self.same(y, numpy.asarray(of.reduce(v, 0)).astype("float32"))
            self.same(z, numpy.asarray(of.accumulate(v, 1)).astype("float64"))
        with self.assertRaisesRegex(ValueError, "another shape"):
            np.fmax.reduce(x, 0, out=z)
        with self.assertRaisesRegex(TypeError, "cannot be cast"):
            np.fmax.reduce(x, 0, out=np.zeros(4, np.int64))
        with self.assertRaisesRegex(TypeError, "takes an array of Tessera"):
            np.fmax.reduce(x, 0, out=a[0])

    def test_subtract_and_divide_keep_the_dtype(self):
        for name in ("subtract", "divide"):
            for dtype in DTYPES:
                theirs = numpy.array([[9, 2, 3], [100, 1, 120], [7, 7, 100]]).astype(dtype) + numpy.ones((), dtype)
                of, by = getattr(np, name), getattr(numpy, name)
                for call in (lambda f, x: f.reduce(x),
                             lambda f, x: f.reduce(x, axis=1, keepdims=True), lambda f, x: f.reduce(x[:1]),
                             lambda f, x: f.accumulate(x, axis=1), lambda f, x: f.reduce(x, initial=2),
                             lambda f, x: f.reduce(x, dtype="complex64")):
                    with self.subTest(name=name, dtype=dtype), numpy.errstate(all="ignore"):
                        try:
                            want = call(by, theirs)
                        except TypeError:
                            with self.assertRaises(TypeError):
                                call(of, np.asarray(theirs))
                            continue
                        self.same(call(of, np.asarray(theirs)), want)


class Axes(Case):
    def test_wrong_axes(self):
        """An axis that is not there, or is there twice, is refused wherever Python reads it."""
        for text in ("fmax.reduce(x, axis=5)", "fmax.reduce(x, axis=(0, -3))", "hypot.accumulate(x, axis=2)",
                     "max(x, axis=(5,), where=x > 0, initial=1)", "add.accumulate(x, axis=-3)",
                     "max(x[:0], axis=7, initial=3)", "var(x, axis=4, where=x > 0)", "unwrap(x, axis=4)",
                     "quantile(x, 0.5, axis=3, method='lower')", "average(x, axis=2, weights=array([1.0, 2.0]))",
                     "diff(x, axis=2, prepend=0)", "cumulative_sum(x, axis=2, include_initial=True)",
                     "tensordot(x, x, ([2], [0]))", "trim_zeros(x, axis=4)", "gradient(x, axis=2)",
                     "apply_over_axes(sum, x, [4])", "delete(x, 0, axis=2)", "insert(x, 0, 1.0, axis=-3)",
                     "rollaxis(x, 2)", "take(x, [0], axis=2)", "take_along_axis(x, array([[0]]), axis=2)",
                     "linalg.norm(x, axis=(1, 2), keepdims=True)", "fft.fftshift(x, axes=2)"):
            x = np.array([[5.0, 1.0], [2.0, 3.0]])
            with self.subTest(text), self.assertRaises(np.AxisError):
                eval(text, {**vars(np), "x": x})
        for text in ("fmax.reduce(x, axis=(0, 0))", "fmax.reduce(x, axis=(0, -2))",
                     "quantile(x, 0.5, axis=(1, 1), method='lower')",
                     "max(x[:0], axis=(0, 0), initial=3)", "gradient(x, axis=(0, 0))"):
            with self.subTest(text), self.assertRaisesRegex(np.AxisError, "twice"):
                eval(text, {**vars(np), "x": x})
        for axis in (1.0, "0"):
            with self.assertRaises(TypeError):
                np.fmax.reduce(x, axis=axis)

    def test_without_axes(self):
        for axis in (0, -1, None, ()):
            self.same(np.fmax.reduce(np.array(5.0), axis=axis), numpy.fmax.reduce(numpy.array(5.0), axis=axis))
        for name in ("add", "fmax"):
            with self.assertRaises(TypeError):
                getattr(np, name).accumulate(np.array(5.0))
        for axis in (1, (0,)):
            with self.assertRaises(np.AxisError):
                np.fmax.reduce(np.array(5.0), axis=axis)
        with self.assertRaises(ValueError):
            np.fmax.accumulate(np.ones((2, 2)), axis=None)

    def test_indices_of_numpy(self):
        x, a = pair("float64", (3, 4), 5)
        for k in (numpy.int64(1), numpy.int8(-2)):
            self.same(np.fmax.reduce(x, axis=k), numpy.fmax.reduce(a, axis=k))
            self.same(np.max(x, axis=k, initial=1.0, where=x > 0), numpy.max(a, axis=k, initial=1.0, where=a > 0))
            self.same(np.gradient(x, axis=k), numpy.gradient(a, axis=k))


class Others(Case):
    def both(self, shape, dtype="float64"):
        ours, theirs = {}, {}
        for name, of, kind, seed in (("x", shape, dtype, 1), ("y", shape, dtype, 2), ("z", shape[-1:], dtype, 3),
                                     ("i", shape, "int64", 4), ("m", shape, "bool", 5)):
            ours[name], theirs[name] = pair(kind, of, seed)
        if True:
            theirs["z"] = numpy.abs(theirs["z"]) + 0.25
            theirs["n"] = numpy.where(theirs["x"] > 4, numpy.nan, theirs["x"])
            theirs["c"] = theirs["x"] + 1j * theirs["y"]
            for name in "znc":
                ours[name] = np.asarray(theirs[name])
        return ours, theirs

    def compare(self, ours, theirs, call):
        got = eval(call, {"__builtins__": __builtins__}, {**{n: getattr(np, n) for n in dir(np)}, **ours})
        names = {**{n: getattr(numpy, n) for n in dir(numpy)}, **NOT_OF_NUMPY, **theirs}
        expected = eval(call, {"__builtins__": __builtins__}, names)
        if isinstance(got, (bool, int)) or "shape" in call and isinstance(got, tuple):
            self.assertEqual(got, expected, call)
        else:
            self.same(got, expected, call, tolerance=1e-11)

    def test_calls(self):
        ours, theirs = self.both((4, 6))
        for call in calls():
            with self.subTest(call=call):
                self.compare(ours, theirs, call)

    def test_calls_on_views(self):
        """The same calls where x, y, z and the others are views."""
        ours, theirs = self.both((8, 12))
        for of in (ours, theirs):
            for name, a in of.items():
                of[name] = a[::-1, 1::2][::2] if a.ndim == 2 else a[::-2]
        for call in calls():
            with self.subTest(call=call):
                self.compare(ours, theirs, call)

    def test_the_calls_are_of_all_functions(self):
        called = {call.split("(")[0].split(".")[-1] for call in calls()} | set(ufuncs())
        table = {name for name in dir(np._core) if inspect.isbuiltin(getattr(np._core, name)) and
                 getattr(np._core, name).__module__ == "tessera"}
        aliases = {name for name in table if getattr(np._core, name).__name__ != name}
        self.assertEqual(table - aliases - called - {"norm"}, set())

    def test_signatures(self):
        for name in dir(np._core):
            f = getattr(np._core, name)
            if inspect.isbuiltin(f) and f.__module__ == "tessera":
                self.assertGreater(len(inspect.signature(f).parameters), 0, name)
                self.assertTrue(f.__doc__, name)

    def test_many_arrays(self):
        xs = [pair("float64", 3, seed) for seed in range(40)]
        self.same(np.concatenate([x for x, _ in xs]), numpy.concatenate([y for _, y in xs]))
        self.same(np.stack([x for x, _ in xs], axis=1), numpy.stack([y for _, y in xs], axis=1))
        self.assertEqual(len(np.split(np.arange(120), 60)), 60)

    def test_empty_and_without_axes(self):
        x, y = np.zeros((0, 3)), numpy.zeros((0, 3))
        for call in ("sum(x)", "sum(x, axis=0)", "prod(x)", "any(x)", "all(x)", "reshape(x, (3, 0))", "add(x, 1)",
                     "x.T"):
            self.same(eval(call if call[0] == "x" else "np." + call), eval(call if call[0] == "x" else "numpy." + call,
                                                                            {"numpy": numpy, "x": y}), call)
        with self.assertRaises(ValueError):
            np.max(x)
        self.same(np.sum(np.asarray(2.0)), numpy.sum(2.0))


def stepped(x, low=0.0):
    """1 above."""
    if x > low:
        return 1
    return 0


class Loops(Case):
    def test_indices_and_pairs(self):
        for shape in ((2, 3), (), (0, 2), (4,)):
            self.assertEqual(list(np.ndindex(*shape)), list(numpy.ndindex(*shape)))
            self.assertEqual(list(np.ndindex(shape)), list(numpy.ndindex(shape)))
            x = np.arange(6.0).reshape(shape) if shape == (2, 3) else np.ones(shape)
            self.assertEqual(list(np.ndenumerate(x)), [(k, v.item()) for k, v in numpy.ndenumerate(x.gather())])
        self.assertEqual(next(np.ndindex(2, 2)), (0, 0))
        with self.assertRaises(ValueError):
            np.ndindex(2, -1)

    def test_numbers_of_an_iterator(self):
        numbers = iter(range(10))
        self.same(np.fromiter(numbers, int, 3), numpy.arange(3))
        self.same(np.fromiter(numbers, "float32", 2), numpy.array([3, 4], "float32"))  # no more were taken
        with self.assertRaisesRegex(ValueError, "has 5 numbers, not 6"):
            np.fromiter(numbers, int, 6)

    def test_a_function_of_each_vector(self):
        x = numpy.arange(24.0).reshape(2, 3, 4)
        for f in (lambda v: v.sum(), lambda v: v[::-1] * 2, lambda v: v[:2, None] + v[None], lambda v: 3):
            for axis in (0, 1, -1):
                self.same(np.apply_along_axis(f, axis, np.asarray(x)), numpy.apply_along_axis(f, axis, x))
        with self.assertRaisesRegex(ValueError, "no vector along the axis"):
            np.apply_along_axis(np.sum, 0, np.zeros((3, 0)))
        with self.assertRaises(np.AxisError):
            np.apply_along_axis(np.sum, 3, np.asarray(x))

    def test_a_function_of_numbers(self):
        f, g = np.vectorize(stepped), numpy.vectorize(stepped)
        x = numpy.arange(-2.0, 3.0)
        self.same(f(np.asarray(x)), g(x))
        self.same(f(x[:, None], [0.5, 1.5]), g(x[:, None], [0.5, 1.5]))
        self.assertEqual((f.__name__, f.__doc__), ("stepped", "1 above."))
        self.same(np.vectorize(stepped, otypes=[float])(x), numpy.vectorize(stepped, otypes=[float])(x))
        self.same(np.vectorize(otypes="d")(stepped)(x), numpy.vectorize(stepped, otypes="d")(x))
        self.same(np.vectorize(np.sin)(x), numpy.sin(x))
        with self.assertRaisesRegex(TypeError, "vectorize makes a kernel of the function, and cannot: .*def"):
            np.vectorize(lambda x: x)
        with self.assertRaisesRegex(TypeError, "signature= is not there yet"):
            np.vectorize(stepped, signature="(n)->()")


class Joined(Case):
    def test_rows_and_columns(self):
        a, b = numpy.arange(3), numpy.arange(6.0).reshape(3, 2)
        x, y = np.asarray(a), np.asarray(b)
        self.same(np.r_[0:3, 5], numpy.r_[0:3, 5])
        self.same(np.r_[x, 2.5, -1:1:5j, x[::-1]], numpy.r_[a, 2.5, -1:1:5j, a[::-1]])
        self.same(np.r_[y, y], numpy.r_[b, b])
        self.same(np.r_[np.asarray(a, "float32"), 1], numpy.r_[a.astype("float32"), 1])
        self.same(np.c_[x, x * 2.0], numpy.c_[a, a * 2.0])
        self.same(np.c_[y, x], numpy.c_[b, a])
        self.same(np.c_[1, 2], numpy.c_[1, 2])
        with self.assertRaisesRegex(TypeError, "concatenate and stack take an axis"):
            np.r_["0,2", 1, 2]


class Attributes(Case):
    def test_dtypes_make_values(self):
        x = np.ones(2, "float32")
        self.assertIs(x.dtype.type, np.float32)
        self.same(x.dtype.type(3), numpy.float32(3))

    def test_identities(self):
        for name in ("add multiply subtract maximum logical_and logical_or logical_xor bitwise_and bitwise_or hypot "
                     "gcd lcm logaddexp sin").split():
            self.assertEqual(getattr(np, name).identity, getattr(numpy, name).identity, name)

    def test_what_an_array_has_no_memory_for(self):
        x = np.ones((2, 3))
        for name, help in (("strides", "x.local"), ("flags", "tiles"), ("data", "x.gather"), ("base", "shares_memory"),
                           ("sort", "fallback")):
            self.assertFalse(hasattr(x, name))
            self.assertNotIn(name, dir(x))
            with self.assertRaisesRegex(AttributeError, f"{name}.*{help}"):
                getattr(x, name)

    def test_powers_where_a_mask_chooses(self):
        base, down = numpy.array([2, 3, 4]), numpy.array([-1, 2, 0])
        for mask in ([False, True, True], [False, False, False]):
            ours, theirs = np.full(3, 7), numpy.full(3, 7)
            np.power(np.asarray(base), np.asarray(down), out=ours, where=mask)
            numpy.power(base, down, out=theirs, where=mask)
            self.same(ours, theirs)
        with self.assertRaisesRegex(ValueError, "negative integer powers"):
            np.power(np.asarray(base), np.asarray(down), out=np.zeros(3, int), where=[True, True, False])

    def test_two_ellipses(self):
        with self.assertRaisesRegex(IndexError, "two ellipses"):
            np.ones(3)[..., ...]

    def test_segments_and_places(self):
        x = np.arange(8)
        self.same(np.add.reduceat(x, np.asarray([0, 4, 1, 5])), numpy.add.reduceat(numpy.arange(8), [0, 4, 1, 5]))
        self.same(np.add.reduceat(x, []), numpy.add.reduceat(numpy.arange(8), numpy.array([], int)))
        for wrong in ([8], [-1]):
            with self.assertRaisesRegex(IndexError, "out of range for an axis of length 8"):
                np.add.reduceat(x, wrong)

    def test_at(self):
        x, y = np.arange(8), numpy.arange(8)
        calls = (("add", slice(1, 4), 10), ("multiply", -1, 3), ("negative", slice(None, None, -3)),
                 ("maximum", (Ellipsis, 2), 9), ("subtract", slice(0, 2), [1, 2]), ("square", 3), ("add", y > 5, 1),
                 ("invert", y < 2))
        for name, *args in calls:
            getattr(np, name).at(x, *args)
            getattr(numpy, name).at(y, *args)
            self.same(x, y, f"{name}.at{tuple(args)}")
        numpy.add.at(x, slice(2), 1)
        numpy.add.at(y, slice(2), 1)
        self.same(x, y)
        for call, error, text in (("add.at(x, [0, 0], 1)", TypeError, "numpy.add.at.y, indices, values"),
                                  ("add.at(x, 0)", TypeError, "and values"),
                                  ("negative.at(x, [0])", TypeError, "numpy.negative.at.y, indices.;"),
                                  ("add.at(x, 9, 1)", IndexError, "9"), ("negative.at(x, 0, 1)", TypeError,
                                                                         "takes an array, indices"),
                                                                         ("add.at(x, 0, 0.5)", TypeError, "float64"),
                                  ("add.at(y, 0, 1)", TypeError, "not ndarray")):
            with self.assertRaisesRegex(error, text, msg=call):
                eval("np." + call, {"np": np, "x": x, "y": y})
        self.same(x, y)

    def test_exponents_that_a_mask_leaves_out(self):
        rows = [[2, -3, 1], [-1, -2, 3]]
        for values, where in ((rows[0], [True, False, True]), (rows[0], False), (rows, [False, False, True]),
                              (rows, [[True, False, True], [False, False, True]])):
            self.same(*(of.power.reduce(of.array(values), axis=-1, where=of.array(where), initial=3)
                        for of in (np, numpy)), where)
        with self.assertRaisesRegex(ValueError, "negative integer powers"):
            np.power.reduce(np.array([2, -3, 1]), where=[True, True, False], initial=3)

    def test_products_at_every_shift(self):
        with self.assertRaisesRegex(ValueError, "correlate: of two vectors"):
            np.correlate(np.ones(3), np.ones((2, 2)))
        with self.assertRaisesRegex(ValueError, "a vector has no elements"):
            np.convolve(np.ones(3), [])
        with self.assertRaisesRegex(ValueError, "the mode is 'full', 'same' or 'valid', not 'wrap'"):
            np.convolve(np.ones(3), np.ones(2), "wrap")
        with self.assertRaisesRegex(ValueError, "over 4096 elements"):
            np.convolve(np.ones(5000), np.ones(4097))
        a, v = pair("float64", (70000,), 1), pair("float64", (40,), 2)
        self.same(np.convolve(a[0], v[0]), numpy.convolve(a[1], v[1]), tolerance=1e-11)

    def test_ranges_and_too_many_arguments(self):
        self.same(np.ones(3) + range(3), numpy.ones(3) + range(3))
        self.same(range(3) * np.ones(3), range(3) * numpy.ones(3))
        with self.assertRaises(TypeError):
            np.arange()
        for name in dir(np):
            function = getattr(np, name)
            if isinstance(function,
                          type) or not callable(function) or name in ("block", "broadcast_shapes", "einsum", "barrier"):
                continue
            try:
                function(*[1] * 40)
            except RecursionError:
                self.fail(name)
            except Exception:
                pass

    def test_buffers_are_of_numpys_own_dtypes(self):
        for name in DTYPES:
            self.assertEqual(numpy.asarray(np.zeros(2, name)).dtype.char, numpy.dtype(name).char)
