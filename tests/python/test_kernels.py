"""Kernels of texts and of Python functions, and tasks of compiled functions, against NumPy."""
import ctypes
import math
import os
import subprocess
import tempfile

import numpy
import tessera as np
from support import Case, pair

HALF = 0.5


class Elementwise(Case):
    def test_a_text(self):
        f = np.ElementwiseKernel("float64 x, float64 y", "float64 z", "z = (x - y) * (x - y)", "squared_diff")
        (x, a), (y, b) = pair("float64", (5, 7), 1), pair("float64", (7,), 2)
        self.same(f(x, y), (a - b)**2)
        self.same(f(x, 2.0), (a - 2)**2)
        z = np.zeros((5, 7))
        self.assertIs(f(x, y, z), z)
        self.same(z, (a - b)**2)
        self.assertEqual((f.name, f.nin, f.nout, f.nargs), ("squared_diff", 2, 1, 3))

    def test_a_letter_is_any_dtype(self):
        f = np.ElementwiseKernel("T x, T y", "T z", "z = max(x, y) + 1;")
        for dtype in ("int32", "float32", "float64", "uint8"):
            (x, a), (y, b) = pair(dtype, (9,), 1, 0), pair(dtype, (9,), 2, 0)
            self.same(f(x, y), (numpy.maximum(a, b) + a.dtype.type(1)), dtype)

    def test_operators_of_c(self):
        """C's precedence, choices, casts, declarations, remainders and names."""
        x, a = pair("float64", (50,), 1)
        k, m = pair("int64", (50,), 2)
        for text, want in (("z = x > 0 ? sqrt(x) : -x", numpy.where(a > 0, numpy.sqrt(abs(a)), -a)),
                           ("z = x > 0 ? 1 : x < -2 ? 2 : 3", numpy.where(a > 0, 1.0, numpy.where(a < -2, 2, 3))),
                           ("const double d = x * x; z = d; z += 2.0f * d", 3 * a * a),
                           ("z = fabs(x) + expf(x) + pow(x, 2)", abs(a) + numpy.exp(a) + a**2),
                           ("z = fmin(x, 1.) - fmax(x, -.5e0)", numpy.fmin(a, 1) - numpy.fmax(a, -.5)),
                           ("z = !(x > 0) && x > -3 || x > 8", (~(a > 0) & (a > -3) | (a > 8)).astype(float)),
                           ("z = x * static_cast<double>(3) + (float)1", a * 3 + 1), ("z = rsqrt(x * x)", 1 / abs(a)),
                           ("z = true ? x : 0", a), ("auto t = x; t *= 2; t -= 1; z = t", a * 2 - 1)):
            f = np.ElementwiseKernel("float64 x", "float64 z", text)
            self.same(f(x), want, text)
        for text, want in (("z = k % 3", numpy.fmod(m, 3)), ("z = k & 3 | 8 ^ k << 1", m & 3 | 8 ^ m << 1),
                           ("z = (k & 1) == 0", (m & 1 == 0).astype("int64")), ("z = k & 1 == 0", m & 0),
                           ("z = floor_divide(k, 2) + 0x10", m // 2 + 16), ("z = ~k >= 0 ? -k : +k", abs(m)),
                           ("int t = k; z = t", m), ("z = (double)k / 2 * 2", m)):
            f = np.ElementwiseKernel("int64 k", "int64 z", text)
            self.same(f(k), want, text)

    def test_loops_of_c(self):
        x, a = pair("float64", (50,), 1)
        for text, want in (("z = 0; for (int k = 0; k < 3; ++k) z += x + k;", 3 * a + 3),
                           ("z = x; for (int k = 5; k >= -1; k -= 3) { double d = k; z += d * 2; z *= 2; }",
                            ((a + 10) * 2 + 4) * 4 - 4),
                           ("z = 0; for (size_t k = 1; k <= 2; k++) for (int j = k; j > 0; --j) { z += k * j; }; z += "
                            "x", a + 7),
                           ("z = x; for (int k = 0; k < 2; k += 1) { }", a),
                           ("z = (double)i / n + x", a + numpy.arange(50) / 50)):
            self.same(np.ElementwiseKernel("float64 x", "float64 z", text)(x), want, text)
        blur = np.ElementwiseKernel("raw T u, T x", "T z",
                                    "z = 0; for (int k = -1; k <= 1; ++k) z += i + k < n ? u[i + k] : x")
        wide = numpy.concatenate([[0], a, a[-1:]])
        self.same(blur(x, x), wide[:-2] + wide[1:-1] + wide[2:])
        mean = np.ReductionKernel("float64 x", "float64 y", "x", "a + b", "y = a / n", "0", "mean")
        self.same(mean(x.reshape(5, 10), axis=1), a.reshape(5, 10).sum(1) / 10)

    def test_small_numbers_are_computed_as_int(self):
        """As C promotes bools and whole numbers of 8 and 16 bits."""
        u, b = numpy.array([5, 200, 0], "uint8"), numpy.array([True, False, True])
        w = u.astype("int32")
        for text, want in (
                ("z = x - 10", w - 10), ("z = x << 4", w << 4), ("z = -(x > 3)", -(w > 3).astype("int32")),
                ("z = ~x", ~w), ("z = -x", -w), ("z = b + b", 2 * b), ("z = !b - 1", ~b * 1 - 1),
                ("z = true + b", 1 + b), ("z = x * x", w * w), ("z = b ? x : 300", numpy.where(b, w, 300)),
                ("z = (x & 12) - 20", (w & 12) - 20), ("z = x % 7 - 9", w % 7 - 9),
                ("z = (b & (x > 3)) + 1", (b & (w > 3)) + 1), ("z = 1; z -= x", 1 - w),
                ("z = max(x, 7) - 300", numpy.maximum(w, 7) - 300), ("z = min(x, x) - 300", w - 300),
                ("z = abs((int8_t)x) + x", abs(u.astype("int8").astype(int)) + w),
                ("int16_t t = x; z = t * 1000", w * 1000), ("z = (x == 5) + (x != 0)", (w == 5) * 1 + (w != 0))):
            for inputs in ("uint8 x, bool b", "T x, U b"):
                with self.subTest(text, inputs=inputs):
                    f = np.ElementwiseKernel(inputs, "int32 z, int32 both", text + "; both = x - b - 1")
                    self.same(f(np.asarray(u), np.asarray(b)), (want.astype("int32"), w - b - 1), text)
        f = np.ElementwiseKernel("T x, float32 y", "float32 z, float64 w", "z = x * y; w = sqrt(x)")
        z, root = f(np.asarray(u), numpy.float32(0.1))
        self.same(z, u * numpy.float32(0.1))
        self.same(root, numpy.sqrt(u.astype("float64")))
        far = np.ReductionKernel("T x", "int64 y", "x - 100", "min(a, b)", "a * 2", 99)
        self.same(far(np.asarray(u)), numpy.int64(-200))
        total = np.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0")
        self.same(total(np.asarray(u)), u.sum(dtype="uint8"))

    def test_whole_letters_are_not_divided_truly(self):
        divide = np.ElementwiseKernel("T x, U y", "float64 z", "z = x / y")
        self.same(divide(np.array([5.0]), 2), [2.5])
        self.same(divide(np.array([5.0]), np.array([2])), [2.5])
        self.same(divide(np.array([5]), 2.0), [2.5])
        for x, y in ((np.array([5]), 2), (np.array([5], "uint8"), np.array([2])), (np.array([True]), 2), (5, 2)):
            with self.assertRaisesRegex(ValueError, r"C divides whole numbers(.|\n)*z = x / y"):
                divide(x, y)
        self.same(np.ElementwiseKernel("T x", "float64 z", "z = (T)(x / 2.0) * 2")(np.array([5])), [4.0])
        mean = np.ReductionKernel("T x", "T y", "x / 2", "a + b", "", "0")
        self.same(mean(np.array([5.0, 6.0])), numpy.float64(5.5))
        with self.assertRaisesRegex(ValueError, "C divides whole numbers"):
            mean(np.array([5, 6]))

    def test_raw_inputs_and_numbers(self):
        x, a = pair("float64", (4, 6), 3)
        mean = np.ElementwiseKernel("raw T x, T here, int64 n", "T y, int64 number",
                                    "y = i > 0 && i < n - 1 ? (x[i - 1] + x[i + 1]) / 2 : here; number = i")
        flat = a.ravel()
        want = flat.copy()
        want[1:-1] = (flat[:-2] + flat[2:]) / 2
        got, numbers = mean(x, x, x.size)
        self.same(got, want.reshape(4, 6))
        self.same(numbers, numpy.arange(24).reshape(4, 6))
        back = np.ElementwiseKernel("raw T x", "T y", "y = x[23 - i]")
        self.same(back(x, size=24), flat[::-1])
        self.same(back(x, size=(4, 6)), flat[::-1].reshape(4, 6))
        self.same(back(x, np.zeros((24,))), flat[::-1])

    def test_reductions(self):
        x, a = pair("float64", (7, 11), 4)
        norm = np.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
        self.same(norm(x), numpy.sqrt((a * a).sum()))
        self.same(norm(x, axis=1), numpy.sqrt((a * a).sum(1)))
        self.same(norm(x, axis=(0, 1), keepdims=True), numpy.sqrt((a * a).sum(keepdims=True)))
        y = np.zeros((7,))
        self.assertIs(norm(x, axis=1, out=y), y)
        self.same(y, numpy.sqrt((a * a).sum(1)))
        far = np.ReductionKernel("T x, T y", "T z", "fabs(x - y)", "a > b ? a : b", "z = a", "-1.0f", "far")
        self.same(far(x, 1.5, axis=0), abs(a - 1.5).max(0))
        self.same(far(x[:, :0], 1.5, axis=1), numpy.full(7, -1.0))
        least = np.ReductionKernel("int32 x", "int32 y", "x", "min(a, b)", "", 99)
        self.same(least(np.arange(5, 9, dtype="int32")), numpy.int32(5))

    def test_errors_of_texts(self):
        for inputs, text, words in (("T x", "z = x +", ("expected a value", "  | z = x +\n  |        ^")),
                                    ("T x", "z = foo(x)", ("`foo` is not a function of one point", "  |     ^")),
                                    ("T x", "z = sum(x)", ("`sum` is not a function of one point",)),
                                    ("T x", "if (x > 0) z = x", ("`if` is no part", "c ? a : b")),
                                    ("T x", "for (;;) z = x",
                                     ("a loop over a fixed count is `for (int k = 0; k < 8; ++k)`", "  |      ^")),
                                    ("T x", "for (int k = 0; k < x; ++k) z = x",
                                     ("that the text alone gives", "in kernel k")),
                                    ("T x", "for (int k = 0; j < 2; ++k) z = x", ("expected `k`",)),
                                    ("T x", "for (int k = 0; k != 2; ++k) z = x", ("expected `k <`",)),
                                    ("T x", "for (int k = 0; k < 2; k *= 2) z = x", ("expected `++k`",)),
                                    ("T x", "for (int k = 0; k < 2; ++k) { z = x;", ("expected `}`",)),
                                    ("T x", "z = x; for (int k = 0; k < 2; ++k) { k = 3; z += k; }",
                                     ("`k` counts the turns of a loop, whose head alone changes it",)),
                                    ("T x", "for (int x = 0; x < 2; ++x) z = x", ("with a name of its own",)),
                                    ("T x", "float t = x; for (int k = 0; k < 2; ++k) { float t = 1; z = t; }",
                                     ("outside of the loop",)),
                                    ("T x", "for (int k = 0; k < 2; ++k) { z = k / 2; }", ("floor_divide",)),
                                    ("T x", "while (x) z = x", ("`while` is no part",)),
                                    ("T x", "z[i] = x", ("without an index",)),
                                    ("T x", "z = x @ x", ("`@` is no part",)),
                                    ("T x", "z = 0 < x < 1", ("do not follow one another",)),
                                    ("int32 x", "z = x / 2", ("floor_divide",)), ("T x", "z = (x", ("expected `)`",)),
                                    ("T x", "z = 1 x", ("expected `;`",)), ("T x", "2 = x", ("expected a name",)),
                                    ("T x", "z x", ("expected `=`",)), ("T x", "z = x + w",
                                                                        ("no argument `w`", "in kernel k")),
                                    ("T x", "w = x", ("gives `z` no value",)),
                                    ("float63 x", "z = x", ("expected a dtype",)),
                                    ("T x", "z = x[0]", ("only a raw argument takes an index",)),
                                    ("T x", "x = 1; z = x", ("`x` is an input",))):
            with self.assertRaises(ValueError, msg=text) as caught:
                np.ElementwiseKernel(inputs, "float64 z", text, "k")
            for word in words:
                self.assertIn(word, str(caught.exception))
        with self.assertRaisesRegex(ValueError, "raw"):
            np.ElementwiseKernel("T x", "raw T z", "z = x")
        for options in ({"loop_prep": "int a;"}, {"preamble": "#define"}, {"colour": 3}):
            with self.assertRaises(TypeError, msg=options):
                np.ElementwiseKernel("T x", "T z", "z = x", **options)
        with self.assertRaisesRegex(TypeError, "Declare the output as double"):
            np.ReductionKernel("T x", "T z", "x", "a + b", "z = a", "0", reduce_type="double")
        with self.assertRaisesRegex(ValueError, "outside of the kernel"):
            np.ReductionKernel("T x", "T z", "x", "a + b", "z = a / _in_ind.size()", "0")

    def test_what_cupy_documents(self):
        share = np.ElementwiseKernel("T x", "float64 z", "z = x + (double)i / _ind.size()", "share")
        self.same(share(np.arange(4.0)), numpy.arange(4) * 1.25)
        total = np.ReductionKernel("float32 x", "float64 z", "x", "a + b", "z = a", "0", reduce_type="double")
        self.assertEqual(float(total(np.ones(5, "float32"))), 5.0)
        self.assertEqual([(p.name, p.dtype, p.ctype, p.raw, p.is_const) for p in share.params],
                         [("x", None, "T", False, True), ("z", np.float64, "float64", False, False)])
        self.assertEqual(total.nargs, len(total.params))

    def test_identities(self):
        with self.assertRaisesRegex(ValueError, "identity"):
            np.ReductionKernel("T x", "T z", "x", "a + b", "z = a", "none")
        with self.assertRaises(TypeError):
            np.ReductionKernel("T x", "T z", "x", "a + b", "z = a", [0])

    def test_errors_of_calls(self):
        f = np.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = x + y", "f")
        x = np.ones(3, "float32")
        for call, kind, words in ((lambda: f(x), TypeError, "takes 2 inputs"),
                                  (lambda: f(x, np.ones(3)), TypeError, "float64"),
                                  (lambda: f(x, np.ones(4, "float32")), ValueError, "broadcast"),
                                  (lambda: f(x, x, np.zeros(4, "float32")), ValueError, "out has the shape"),
                                  (lambda: f(x, x, numpy.zeros(3, "float32")), TypeError, "out:"),
                                  (lambda: f(x, x, size=3), ValueError, "size is for"),
                                  (lambda: f(x, x, stream=1, a=2), TypeError, "'a'"),
                                  (lambda: np.ElementwiseKernel("raw T x", "T z", "z = x[i]")(x), ValueError,
                                   "all inputs are raw"),
                                  (lambda: f(*[x] * 20), TypeError, "not 20")):
            with self.assertRaisesRegex(kind, words):
                call()
        norm = np.ReductionKernel("T x", "T y", "x", "a + b", "", "0")
        with self.assertRaises((ValueError, IndexError)):
            norm(x, axis=3)
        with self.assertRaisesRegex(TypeError, "takes 1 inputs"):
            norm(x, x, x)
        self.same(f(x, x), numpy.full(3, 2, "float32"))

    def test_many_kernels_in_a_loop(self):
        x = np.ones(4)
        for k in range(50):
            x = np.ElementwiseKernel("T x", "T z", "z = x * 2" if k % 2 else "z = x / 2.0")(x)
        self.same(x, numpy.ones(4))


@np.kernel
def damped(x, y, a=2.0):
    """A docstring, defaults, names that change, a choice, and what is known when the kernel is made."""
    d = x - y
    x, y = y, x
    d *= HALF * math.pi
    y += 1
    return np.sqrt(abs(d)) * a if 0 < d <= 9 and not x == 3 else min(d, y, x)


@np.kernel
def left(x: "raw", k: "int64") -> "float32":
    return x[k - 1] if k > 0 else x[0] + 0 * i  # noqa: F821


@np.kernel
def two(x, y: float):
    low, high = min(x, y), max(x, y)
    return high - low, high > low


class Functions(Case):
    def test_a_function(self):
        (x, a), (y, b) = pair("float64", (6, 5), 1), pair("float64", (5,), 2)
        d = (a - b) * 0.5 * math.pi
        first, second = b, a + 1
        want = numpy.where((0 < d) & (d <= 9) & (first != 3), numpy.sqrt(abs(d)) * 3,
                           numpy.minimum(numpy.minimum(d, second), first))
        self.same(damped(x, y, a=3), want)
        self.assertEqual(damped.__name__, "damped")
        self.assertIn("docstring", damped.__doc__)

    def test_dtypes_follow_from_the_values(self):
        x = np.ones(3, "float32")
        self.assertEqual(damped(x, 1).dtype.name, "float32")
        self.assertEqual(damped(np.ones(3, "int8"), 1.5).dtype.name, "float64")
        self.same(left(np.arange(5.0), np.arange(5)), numpy.array([0, 0, 1, 2, 3], "float32"))
        spread, above = two(np.arange(4), 1.0)
        self.same(spread, abs(numpy.arange(4) - 1.0))
        self.same(above, numpy.arange(4) != 1)

    def test_out(self):
        z, w = np.zeros(4), np.zeros(4, "bool")
        self.assertIs(two(np.arange(4), 1.0, out=(z, w))[0], z)
        self.same(z, abs(numpy.arange(4) - 1.0))
        with self.assertRaisesRegex(TypeError, "out: 2 arrays"):
            two(np.arange(4), 1.0, out=z)

    def test_functions_by_any_name(self):
        from math import atan2, fabs

        @np.kernel
        def f(x):
            return numpy.sin(x) + fabs(x) + atan2(x, 2) + np.float32(x) + float(x > 0) + np.where(x > 1, x,
                                                                                                  1) + x.real + np.pi
        x, a = pair("float64", (20,), 5)
        self.same(f(x), numpy.sin(a) + abs(a) + numpy.arctan2(a, 2) + a.astype("float32") + (a > 0)
                  + numpy.where(a > 1, a, 1) + a
                  + numpy.pi)

    def test_whole_numbers(self):
        @np.kernel
        def f(k, m):
            return (k // 3) * 100 + k % 3 + (k << 1) - (~m & 7 | 8 ^ m) + k**2 - -m
        k, a = pair("int64", (30,), 6)
        m, b = pair("int64", (30,), 7)
        self.same(f(k, m), (a // 3) * 100 + a % 3 + (a << 1) - (~b & 7 | 8 ^ b) + a**2 + b)

    def test_what_is_no_part_of_a_kernel(self):
        def loop(x):
            while x > 0:
                x = x - 1
            return x

        def over(x):
            for k in (1, 2):
                x = x + k
            return x

        def counted(x):
            for k in range(3):
                for j in range(k + x):
                    x = x + j
            return x

        def numbered(x):
            for k in range(n):
                x = x + k
            return x

        def otherwise(x):
            for k in range(3):
                x = x + k
            else:
                x = 1
            return x

        def broken(x):
            for k in range(3):
                break
            return x

        def returned(x):
            for k in range(3):
                return x

        def given(x: "raw", y):
            for k in range(3):
                x = y
            return y

        def helper(a, b=1):
            return a + b

        def endless(a):
            return endless(a)

        def pair_of(a):
            return a, a

        def calls_itself(x):
            return endless(x)

        def calls_with_less(x):
            return helper()

        def calls_for_two(x):
            return pair_of(x)

        def calls_starred(x):
            return helper(*x)

        def reduction(x):
            y = np.sum(x)
            return y

        def piece(x):
            return x[1:]

        def row(x: "raw", y):
            return x[0, 1] + y

        def word(x):
            return x + "a"

        def product(x):
            return x @ x

        def unknown(x):
            return x + no_such_name  # noqa: F821

        def nothing(x):
            x = 1

        def many(*x):
            return 1

        def listed(x):
            return [y for y in x]

        def attribute(x):
            return x.shape

        def member(x):
            return x in x

        def keyword(x):
            return np.add(x, 1, dtype="int8")

        def whole_raw(x: "raw", y):
            return x + y

        held = np.ones(3)

        def foreign(x):
            return x + held

        def called(x):
            return x(1)

        def unpacked(x):
            a, b = x
            return a

        def single(x):
            return min(x)

        def without():
            return 1.0

        for function, line, words in ((loop, 1, "a loop without a fixed count is no part of a kernel.*range"),
                                      (over, 1, "a loop over .1, 2."), (counted, 2, "a count that follows from x"),
                                      (numbered, 1, "a count that follows from n"), (otherwise, 4, "an else of a loop"),
                                      (broken, 2, "a break"), (returned, 2, "a return in a loop"),
                                      (given, 1, "a new value of the raw input x"),
                                      (calls_with_less, 1, "missing a required argument"),
                                      (calls_starred, 1, "a starred value"),
                                      (reduction, 1, "the function np.sum"), (piece, 1, "an element of x"),
                                      (row, 1, "an index of several axes"), (word, 1, "a string"),
                                      (product, 1, "a matrix product"), (unknown, 1, "the name no_such_name"),
                                      (nothing, 1, "an end without a value"), (many, 0, "any number of arguments"),
                                      (listed, 1, "a list comprehension"), (attribute, 1, "the attribute shape"),
                                      (member, 1, "a test of membership"), (keyword, 1, "the keyword dtype"),
                                      (whole_raw, 1, "the raw input x without an index"),
                                      (foreign, 1, "the array held"), (called, 1, "a call of the value x"),
                                      (unpacked, 1, "a tuple"), (single, 1, "min of one value"),
                                      (without, 0,
                                       "a function without parameters is no part of a kernel; its arguments")):
            with self.assertRaisesRegex(SyntaxError, words) as caught:
                np.kernel(function)
            at = function.__code__.co_firstlineno + line
            self.assertEqual(caught.exception.lineno, at, function.__name__)
            self.assertIn(f"{function.__name__}, line {at}", str(caught.exception))
            self.assertTrue(caught.exception.filename.endswith("test_kernels.py"))
        for function, at, words in ((calls_itself, endless, "endless, line .*a call of endless within itself"),
                                    (calls_for_two, pair_of, "a function of 2 results")):
            with self.assertRaisesRegex(SyntaxError, words) as caught:
                np.kernel(function)
            self.assertIn(caught.exception.lineno - at.__code__.co_firstlineno, (0, 1), function.__name__)
        i = 2

        def shadowed(x: "raw", y):
            return x[i] + y

        def number(y):
            return y * i

        with self.assertRaisesRegex(SyntaxError, "shadowed, line .*the name i, which the program has for a value"):
            np.kernel(shadowed)
        self.same(np.kernel(number)(np.ones(3)), numpy.full(3, 2.0))
        space = {"kernel": np.kernel, "i": 1}
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write("def shift(x: 'raw float64', y):\n  return x[i] + y\n")
            file.flush()
            exec(compile(open(file.name).read(), file.name, "exec"), space)
            with self.assertRaisesRegex(SyntaxError, "the name i"):
                np.kernel(space["shift"])
            del space["i"]
            self.same(np.kernel(space["shift"])(np.arange(3.0), np.ones(3)), numpy.array([1.0, 2.0, 3.0]))
        for function in (lambda x: x, np.sin, 3, Case):
            with self.assertRaisesRegex(TypeError, "takes a function made by def"):
                np.kernel(function)
        space = {}
        exec("def f(x):\n  return x", space)
        with self.assertRaisesRegex(TypeError, "source of f is not at hand"):
            np.kernel(space["f"])

    def test_loops(self):
        first = 2

        @np.kernel
        def f(x, y=1.0):
            s = 0.0
            for k in range(first, 4):
                for j in range(k):
                    s += x**k / (j + 1)
                x, y = y, x + s
            for y in range(0):
                x = 0
            return s + x - k, y
        x, a = pair("float64", (20,), 8)
        b, s, c = 1.0, 0.0, a
        for k in range(2, 4):
            for j in range(k):
                s = s + c**k / (j + 1)
            c, b = b, c + s
        for mine, want in zip(f(x), (s + c - 3, b)):
            self.same(mine, want)

    def test_returns_on_some_ways(self):
        """What comes after an if that returns on some ways only is written once."""
        def stepwise(x, y):
            if x > 0:
                if y > 0:
                    z = x + 1
                else:
                    z = 5
                    return 0
                x = z * 2
            elif y > 3:
                z = -y
            else:
                y = y + 1
                if x < -2:
                    return y
                z = 7
            x = x + z
            for k in range(3):
                if x > k:
                    x = x - 1
            if x > y:
                if y > 0.5:
                    return x
                elif x < 3:
                    return y
            else:
                x = 2 * x
                if x > 4:
                    return z
            return x + y + z

        def both(x, y):
            if x > y:
                w = 3
                if y > 0:
                    return w, x
            else:
                w = x
            x = w
            return x, y

        def calls(x, y):
            return stepwise(x, y) - stepwise(y, x)
        (x, a), (y, b) = pair("float64", (500,), 3), pair("float64", (500,), 4)
        for function in (stepwise, calls):
            self.same(np.kernel(function)(x, y), numpy.array([function(p, q) for p, q in zip(a, b)]))
        for mine, want in zip(np.kernel(both)(x, y), numpy.array([both(p, q) for p, q in zip(a, b)]).T):
            self.same(mine, want)
        turn = "  if x > {0}:\n    if y > {0}:\n      return x + {0}\n    x = x + 1\n"
        space = {}
        with tempfile.NamedTemporaryFile("w+", suffix=".py") as file:
            file.write("def f(x, y):\n" + "".join(turn.format(k / 16) for k in range(64)) + "  return x * y\n")
            file.seek(0)
            exec(compile(file.read(), file.name, "exec"), space)
            self.assertLess(len(np.kernel(space["f"]).translation.text), 20000)
            self.same(np.kernel(space["f"])(x, y), numpy.array([space["f"](p, q) for p, q in zip(a, b)]))

        def one_way(x, y):
            if x > y:
                if y > 0:
                    return 1
                z = x
            return z
        with self.assertRaisesRegex(SyntaxError, "the name z, which has a value in one case"):
            np.kernel(one_way)

        def no_way(x, y):
            if x > y:
                return x
            elif y > 0:
                return y
        with self.assertRaisesRegex(SyntaxError, "an end without a value"):
            np.kernel(no_way)

        def two_ways(x, y):
            if x > y:
                if y > 0:
                    return x
            return y, x
        with self.assertRaisesRegex(SyntaxError, "returns 1 values in one case, and 2 in the other"):
            np.kernel(two_ways)

    def test_functions_of_the_program(self):
        def power(a, e: "float32" = 2):
            p = 1
            for _ in range(e):
                p = p * a
            return p

        def at(table, k):
            return table[k] if k >= 0 else -1.0

        @np.kernel
        def half(x: "float32") -> "float32":
            x /= 2
            return x

        @np.kernel
        def f(x, t: "raw"):
            max_ = at(t, i - 1) + at(k=i, table=t)
            return half(x) + power(max_) - power(x, e=3)
        x, a = pair("float64", (20,), 8)
        m = numpy.concatenate([[-1.0], a[:-1]]) + a
        self.same(f(x, x), (a.astype("float32") / 2).astype("float32") + m * m - a * a * a)
        self.same(half(3.0), numpy.float32(1.5))

    def test_the_number_of_points(self):
        @np.kernel
        def f(x):
            return x + i / n

        @np.kernel
        def own(n):
            return n + 1

        def free(x):
            return x + n

        def calls_free(n):
            return free(n)
        x, a = pair("float64", (4, 5), 9)
        self.same(f(x), a + numpy.arange(20).reshape(4, 5) / 20)
        self.same(own(x), a + 1)
        with self.assertRaisesRegex(SyntaxError, "free, line .*the name n, which the kernel has for a value"):
            np.kernel(calls_free)

    def test_errors_of_calls(self):
        @np.kernel
        def long(x):
            for k in range(40):
                for j in range(40):
                    x = x + 1
            return x

        with self.assertRaisesRegex(ValueError, "over 1024 turns"):
            long(1)
        with self.assertRaises(TypeError):
            damped(1)
        with self.assertRaisesRegex(ValueError, "broadcast"):
            damped(np.ones(3), np.ones(4))
        with self.assertRaisesRegex(ValueError, "raw"):
            left(1, np.arange(3))


SOURCE = """
#include "tessera/task.h"
int smooth(const tsr_task_box *box)
{
  const double scale = box->data ? *(const double *)box->data : 1;
  for (int64_t i = 0; i < box->shape[0]; i++) {
    const char *u = (const char *)box->in[0].data + i * box->in[0].stride_bytes[0];
    double sum = 0;
    int n = 0;
    for (int64_t d = -1; d <= 1; d++)
      if (i + d >= -box->in[0].before[0] && i + d < box->shape[0] + box->in[0].after[0]) {
        sum += *(const double *)(u + d * box->in[0].stride_bytes[0]);
        n++;
      }
    *(double *)((char *)box->out[0].data + i * box->out[0].stride_bytes[0]) = scale * sum / n;
  }
  return 0;
}
int running(const tsr_task_box *box)
{
  if (box->shape[1] != box->domain[1]) return 1;
  for (int64_t i = 0; i < box->shape[0]; i++) {
    double sum = 0;
    for (int64_t j = 0; j < box->shape[1]; j++) {
      sum += *(const double *)((const char *)box->in[0].data + i * box->in[0].stride_bytes[0] +
                               j * box->in[0].stride_bytes[1]);
      *(double *)((char *)box->out[0].data + i * box->out[0].stride_bytes[0] + j * box->out[0].stride_bytes[1]) = sum;
    }
  }
  return 0;
}
int tally(const tsr_task_box *box)
{
  for (int64_t i = 0; i < box->shape[0]; i++) {
    const double u = *(const double *)((const char *)box->in[0].data + i * box->in[0].stride_bytes[0]);
    const int64_t k = (int64_t)(u * u) % 6;
    *(int64_t *)((char *)box->out[0].data + k / 3 * box->out[0].stride_bytes[0] +
                 k % 3 * box->out[0].stride_bytes[1]) += 1;
    *(double *)((char *)box->out[1].data + k * box->out[1].stride_bytes[0]) += u;
  }
  return 0;
}
int fails(const tsr_task_box *box)
{
  return 7 + 0 * box->ndim;
}
"""


class Locals(Case):
    def test_locals_and_outputs_keep_their_types(self):
        """As C's: what is given to a name later is cast, too."""
        a = numpy.array([1, 2, 300], "int32")
        x, i8 = np.asarray(a), a.astype("int8").astype("int64")
        for text, want in (("int8 s = x; y = s", i8), ("int8 s = 1; s = x; y = s", i8),
                           ("int8 s = 1; s = 300; y = s", i8 * 0 + 44),
                           ("int8 s = x; s += 300; y = s", (i8 + 300).astype("int8")),
                           ("uint8 s = 1; s -= 2; y = s", i8 * 0 + 255), ("bool s = 0; s = x; y = s + s", i8 * 0 + 2),
                           ("const int8 s = x; y = s", i8), ("int s = x; s = s * 2; y = s", 2 * a),
                           ("y = x; y = y + 1", a + 1)):
            self.same(np.ElementwiseKernel("int32 x", "int64 y", text)(x), want.astype("int64"), text)
        y, z = np.ElementwiseKernel("int32 x", "int8 y, int64 z", "y = x; z = y; y = 1")(x)
        self.same(y, numpy.ones(3, "int8"))
        self.same(z, i8)


class Tasks(Case):
    @classmethod
    def setUpClass(cls):
        include = os.path.join(os.path.dirname(__file__), "..", "..", "include")
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, "task.c"), os.path.join(folder, "task.so")
            with open(source, "w") as file:
                file.write(SOURCE)
            subprocess.run(["cc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-I", include, source, "-o", library],
                           check=True, env={**os.environ, "LD_PRELOAD": ""})
            cls.library = ctypes.CDLL(library)

    def smoothed(self, a, scale=1):
        wide = numpy.concatenate([[0], a, [0]])
        n = numpy.concatenate([[2], numpy.full(a.size - 2, 3), [2]])
        return scale * (wide[:-2] + wide[1:-1] + wide[2:]) / n

    def test_a_function_of_c(self):
        f = np.task("smooth", "float64 u halo(1)", "float64 v", self.library.smooth)
        x, a = pair("float64", (40000,), 1)
        self.same(f(x), self.smoothed(a))
        self.same(f(x, data=ctypes.c_double(0.5)), self.smoothed(a, 0.5))
        self.same(f(f(x)) + 1, self.smoothed(self.smoothed(a)) + 1)
        y = np.zeros(40000)
        self.assertIs(f(x, out=y), y)
        self.same(y, self.smoothed(a))

    def test_a_whole_axis(self):
        f = np.task("running", "whole(1), float64 u", "float64 v", self.library.running)
        x, a = pair("float64", (300, 200), 3)
        self.same(f(x), numpy.cumsum(a, 1))
        with self.assertRaisesRegex(ValueError, "whole along axis 1, but its points have 1 axis"):
            f(np.ones(3))

    def test_outputs_with_an_extent(self):
        f = np.task("tally", "float64 u", "int64 n[2, 3] sum, float64 weight[6] sum", self.library.tally)
        self.assertEqual(f.nout, 2)
        x, a = pair("float64", (50000,), 4)
        n, weight = f(x)
        k = (a * a).astype("int64") % 6
        self.same(n, numpy.bincount(k, minlength=6).reshape(2, 3))
        want = numpy.bincount(k, a, minlength=6)
        self.assertLess(numpy.abs(numpy.asarray(weight.gather()) - want).max(), 1e-9 * numpy.abs(a).sum())
        with self.assertRaisesRegex(ValueError, "an output with an extent is reduced"):
            np.task("tally", "float64 u", "int64 n[6]", self.library.tally)

    def test_pointers_of_any_kind(self):
        address = ctypes.cast(self.library.smooth, ctypes.c_void_p).value

        class Compiled:  # as Numba's cfunc
            pass

        compiled = Compiled()
        compiled.address = address
        typed = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(address)
        x, a = pair("float64", (100,), 2)
        for function in (address, compiled, typed):
            self.same(np.task("smooth", "float64 u halo(1)", "float64 v", function)(x), self.smoothed(a))
        for function in (None, True, "smooth", 1.5):
            with self.assertRaisesRegex(TypeError, "pointer of ctypes"):
                np.task("smooth", "float64 u", "float64 v", function)
        with self.assertRaisesRegex(TypeError, "a task's function is compiled"):
            np.task("smooth", "float64 u", "float64 v", lambda box: 0)
        with self.assertRaisesRegex(ValueError, "NULL"):
            np.task("smooth", "float64 u", "float64 v", 0)

    def test_pointers_of_cffi(self):
        try:
            import cffi
        except ImportError:
            self.skipTest("cffi is not installed")
        ffi = cffi.FFI()
        address = ctypes.cast(self.library.smooth, ctypes.c_void_p).value
        x, a = pair("float64", (100,), 2)
        pointer = ffi.cast("int (*)(const void *)", address)
        self.same(np.task("smooth", "float64 u halo(1)", "float64 v", pointer)(x), self.smoothed(a))

    def test_a_callback_of_python(self):
        """Runs at its call, with the GIL, on whatever thread; and later operations do not run it again."""
        calls = []

        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(np.TaskBox))
        def double(pointer):
            box = pointer.contents
            calls.append(box.offset[0])
            for i in range(box.shape[0]):
                at = ctypes.c_double.from_address(box.inputs[0].data + i * box.inputs[0].stride_bytes[0])
                to = ctypes.c_double.from_address(box.outputs[0].data + i * box.outputs[0].stride_bytes[0])
                to.value = 2 * at.value
            return 0

        f = np.task("double", "grain(64), float64 u", "float64 v", double)
        x = f(np.arange(300.0) + 1)
        n = len(calls)
        self.assertGreater(n + np.n_ranks(), 1)
        for _ in range(300):
            y = x + 1
        self.same(y, 2 * (numpy.arange(300.0) + 1) + 1)
        self.assertEqual(len(calls), n)

    def test_a_callback_that_calls_tessera(self):
        x = np.arange(4.0) + 0
        np.flush()  # values of a plan that fails are lost
        calls = (lambda: x + 1, lambda: float(x[0]), lambda: x.shape, lambda: np.zeros(3), np.flush,
                 np.finalize, lambda: again(x), lambda: repr(x), lambda: np.exp(x, out=x), lambda: np.rank())
        for inner in calls:
            @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(np.TaskBox))
            def calling(pointer):
                inner()

            again = np.task("calling", "float64 u", "float64 v", calling)
            with self.assertRaises(Exception) as caught:
                again(np.ones(40))
            if np.n_ranks() == 1:
                self.assertIsInstance(caught.exception, RuntimeError)
                self.assertIn("while a task's function runs", str(caught.exception))
        self.same(x, numpy.arange(4.0))
        self.same(np.exp(x), numpy.exp(numpy.arange(4.0)))

    def test_a_callback_that_raises(self):
        """The call raises it on the rank that met it, others are told of a failure; what is there stays, and calls go
        on."""
        does_raise = True

        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(np.TaskBox))
        def fill(pointer):
            box = pointer.contents
            if does_raise:
                raise KeyError("of the callback")
            for i in range(box.shape[0]):
                ctypes.c_double.from_address(box.outputs[0].data + i * box.outputs[0].stride_bytes[0]).value = 4.0

        f = np.task("fill", "float64 u", "float64 v", fill)
        x = np.ones(6) * 3
        np.flush()
        with self.assertRaises(Exception) as caught:
            f(x)
        if np.n_ranks() == 1:
            self.assertIsInstance(caught.exception, KeyError)
            self.assertIn("of the callback", str(caught.exception))
        does_raise = False
        self.same(x, numpy.full(6, 3.0))
        self.same(f(np.ones(6)), numpy.full(6, 4.0))

    def test_errors(self):
        for inputs, outputs, words in (("float64 u halo(-1)", "float64 v", "width"),
                                       ("float64 u, float64 u", "float64 v", "declared"),
                                       ("float64 u", "", "writes nothing")):
            with self.assertRaisesRegex(ValueError, words):
                np.task("smooth", inputs, outputs, self.library.smooth)
        f = np.task("smooth", "float64 u halo(1)", "float64 v", self.library.smooth)
        with self.assertRaisesRegex(ValueError, "1 input"):
            f(np.ones(3), np.ones(3))
        k = np.ElementwiseKernel("T x", "T y", "y = x")
        with self.assertRaisesRegex(ValueError, "takes no data"):
            np._core.call_kernel(k._number, (np.ones(3),), 1, b"abc", False)

    def test_a_function_that_fails(self):
        bad = np.task("bad", "float64 u", "float64 v", self.library.fails)
        kept = np.ones(5) * 3
        np.flush()
        with self.assertRaises((ValueError, RuntimeError)) as caught:
            bad(np.ones(5)).tolist()
        if np.n_ranks() == 1:
            self.assertIn("bad", str(caught.exception))
            self.assertIn("7", str(caught.exception))
        self.same(kept, numpy.full(5, 3.0))
