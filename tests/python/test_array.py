"""The array object: making, subscripts, operators, numbers, protocols."""
import array
import copy
import io
import operator
import pickle
import random
import warnings

import numpy
import tessera as np
from support import DTYPES, Case, pair, values


class Making(Case):
    def test_dtypes_are_numpy_s_where_numpy_asks(self):
        for name in DTYPES:
            x = np.zeros(3, name)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                self.assertEqual((numpy.dtype(x.dtype), numpy.zeros(2, x.dtype).dtype), (numpy.dtype(name),) * 2)
                self.assertEqual(numpy.ones(2).astype(x.dtype).dtype.name, name)
        with self.assertRaises(AttributeError) as caught:
            np.zero
        self.assertEqual((caught.exception.name, caught.exception.obj), ("zero", np))

    def test_numbers_and_lists_have_the_defaults_of_the_array_api(self):
        for of in (True, 3, 2.5, 1 + 2j, [1, 2], [[1, 2], [3, 4.5]], [True, False], [], [[], []], [1, 2j], (1, (2)),
                   2**63):
            self.same(np.asarray(of), numpy.asarray(of), repr(of))

    def test_constants(self):
        for name in "e euler_gamma inf newaxis pi".split():
            self.assertEqual(getattr(np, name), getattr(numpy, name), name)

    def test_of_every_dtype(self):
        for dtype in DTYPES:
            theirs = values(dtype, (3, 4))
            ours = np.asarray(theirs)
            self.same(ours, theirs, dtype)
            self.same(np.asarray(theirs.tolist(), dtype=dtype), theirs, dtype)
            self.same(np.asarray(theirs[::-1, ::2]), theirs[::-1, ::2], dtype)
            self.same(np.zeros((2, 3), dtype=dtype), numpy.zeros((2, 3), dtype), dtype)
            self.same(np.full(3, theirs[1, 1], dtype=dtype), numpy.full(3, theirs[1, 1], dtype), dtype)
            self.assertEqual(numpy.asarray(ours).dtype, theirs.dtype)

    def test_a_list_of_arrays_is_a_stack(self):
        x, y = pair("float64", 3)
        self.same(np.asarray([x, x + 1]), numpy.asarray([y, y + 1]))
        self.same(np.asarray([x[0], 2.0, y[2]]), numpy.asarray([y[0], 2.0, y[2]]))

    def test_buffers(self):
        for code in "bBhHiIlLqQfd":
            self.same(np.asarray(array.array(code, [1, 2, 3])), numpy.asarray(array.array(code, [1, 2, 3])), code)
        self.same(np.asarray(b"abc"), numpy.frombuffer(b"abc", "uint8"))
        self.same(np.frombuffer(b"\1\0\2\0", dtype=np.int16), numpy.frombuffer(b"\1\0\2\0", "int16"))

    def test_what_is_no_array(self):
        for of in ("text", object(), [1, "a"], {1: 2}, [[1], [1, 2]]):
            with self.assertRaises((TypeError, ValueError), msg=repr(of)):
                np.asarray(of)
        with self.assertRaises(OverflowError):
            np.asarray(2**64)

    def test_array_copies_and_asarray_does_not(self):
        x = np.zeros(3)
        self.assertIs(np.asarray(x), x)
        y = np.array(x)
        y[0] = 1
        self.assertEqual(x.tolist(), [0, 0, 0])
        self.assertEqual(np.array([1, 2], ndmin=3).shape, (1, 1, 2))

    def test_arange_and_full_take_the_kind_of_their_numbers(self):
        self.same(np.arange(5), numpy.arange(5))
        self.same(np.arange(1, 7, 2), numpy.arange(1, 7, 2))
        self.same(np.arange(2.0, 3.0, 0.25), numpy.arange(2.0, 3.0, 0.25))
        self.same(np.arange(5, dtype=np.float32), numpy.arange(5, dtype="float32"))
        self.same(np.full((2, 2), 1), numpy.full((2, 2), 1))
        self.same(np.full(2, True), numpy.full(2, True))
        self.same(np.full(2, 1j), numpy.full(2, 1j))


class Subscripts(Case):
    KEYS = ("0", "-1", "slice(1, 3)", "slice(None, None, 2)", "slice(None, None, -1)", "...", "None", "(0, 1)",
            "(slice(None), 1)", "(..., 2)", "(None, 1, ..., None)",
            "(slice(3, 0, -2), slice(None, None, 2), 0)", "(1, 2, 3)", "(1, ..., 3)", "()", "slice(10, 20)",
            "(slice(0, 0),)", "(slice(-3, -1), slice(-100, 100))", "numpy.int64(1)", "slice(numpy.int32(1), None)")

    def test_views_and_elements(self):
        x, y = pair("float64", (4, 5, 6))
        for key in self.KEYS:
            self.same(x[eval(key)], y[eval(key)], key)

    def test_drawn_keys(self):
        draw = random.Random(7)
        x, y = pair("int64", (5, 4, 6))

        def number():
            return draw.choice([None, draw.randint(-7, 7)])

        for _ in range(200):
            key = tuple(slice(number(), number(), draw.choice([None, 1, 2, 3, -1, -2])) if draw.random() < 0.7 else
                        draw.randint(-4, 3) for _ in range(draw.randint(0, 3)))
            self.same(x[key], y[key], repr(key))

    def test_writes(self):
        for key in self.KEYS:
            x, y = pair("float64", (4, 5, 6))
            x[eval(key)] = 7
            y[eval(key)] = 7
            self.same(x, y, key)
            x[eval(key)] = x[eval(key)] * 2 - 1
            y[eval(key)] = y[eval(key)] * 2 - 1
            self.same(x, y, key)
            x[eval(key)] += 1.5
            y[eval(key)] += 1.5
            self.same(x, y, key)

    def test_overlapping_writes(self):
        x, y = pair("float64", 9)
        x[1:] += x[:-1]
        y[1:] += y[:-1]
        self.same(x, y)
        x[::-1] = x
        y[::-1] = y.copy()
        self.same(x, y)

    def test_parts_of_what_was_reshaped(self):
        """A part can be written where nobody sees the elements in their old shape; else the views are one array, as
        NumPy's."""
        for make in (lambda m: m.arange(24.0).reshape(4, 6), lambda m: (m.arange(24.0) + 1).reshape((2, 2, 6))[1],
                     lambda m: (m.arange(24.0) * 2).reshape((4,
                                                             6)),
                     lambda m: m.asarray(numpy.arange(24.0)).reshape(6, 4).T.reshape(4, 6)):
            x, y = make(np), make(numpy)
            for a in (x, y):
                a[:, 1:] -= a[:, :-1] * 2
                a[::2, ::3] = 7
                a[1] += 1
            self.same(x, y)
        for module in (np, numpy):
            x = module.asarray(numpy.arange(24.0))
            y = x.reshape(4, 6)
            y[...] = 3
            x[5:7] = 1
            z = (x[2:14]).reshape(3, 4)
            x[3] = 9
            self.assertEqual((x.sum(), y[0, 5], y[1, 0], z[0, 1]), (74.0, 1, 1, 9))
            w = x.reshape(24).reshape(2, 12)
            x[0] = -1
            self.assertEqual(w[0, 0], -1)
        x = np.arange(24.0)
        y = x.reshape(4, 6)
        with self.assertRaisesRegex(ValueError, "part of a reshaped view"):
            y[:, 1:] = 0
        self.same(x, numpy.arange(24.0))

    def test_arguments_that_a_tuple_holds(self):
        """The array in a tuple is the program's still: what reshape gives of it is a view."""
        for module in (np, numpy):
            args = (module.zeros(6), (2, 3))
            y = module.reshape(*args)
            y[...] = 1
            self.assertEqual(args[0].tolist(), [1.0] * 6)

    def test_a_slice_is_a_view_and_an_element_is_a_value(self):
        x = np.zeros((2, 2))
        row, element, view = x[0], x[0, 0], x[0, 0, ...]
        x[...] = 5
        self.assertEqual((row.tolist(), element.item(), view.item()), ([5, 5], 0, 5))
        x[0, 0], x[0, 1] = x[0, 1] + 1, x[0, 0]
        self.assertEqual(x.tolist(), [[6, 5], [5, 5]])

    def test_errors(self):
        x = np.zeros((3, 4))
        for key, kind in (("5", IndexError), ("(0, 0, 0)", ValueError), ("'a'", IndexError), ("1.5", IndexError),
                          ("slice(0, 2, 0)", ValueError), ("(0, 'a')", IndexError)):
            with self.assertRaises(kind, msg=key):
                x[eval(key)]
        with self.assertRaises(ValueError):
            x[0] = [1, 2]
        with self.assertRaises(TypeError):
            np.zeros(3, dtype=np.int64)[0] = 1.5j
        with self.assertRaises(TypeError):
            del x[0]

    def test_masks(self):
        for dtype in ("float64", "int32", "complex64"):
            x, y = pair(dtype, (4, 5))
            m, k = (x.real > 0, y.real > 0)
            x[m], y[k] = 2, 2
            self.same(x, y, dtype)
            x[m] += 3
            y[k] += 3
            x[m] = x[m] * x[m] - 1
            y[k] = y[k] * y[k] - 1
            self.same(x, y, dtype)
            self.same(np.sum(x[m]), numpy.sum(y[k]), dtype)
            self.same(x[m].mean(), y[k].mean(), dtype, 1e-6 if dtype == "complex64" else None)
            self.assertEqual((x[m].size, len(x[m])), (y[k].size, len(y[k])))
        x, y = pair("float64", (4, 5))
        rows = numpy.array([True, False, True, True])
        x[np.asarray(rows)] = np.arange(5)
        y[rows] = numpy.arange(5)
        self.same(x, y)
        self.same(np.max(x[x < 3]), numpy.max(y[y < 3]))
        t = x[x < 3]
        x[...] = 0
        self.same(t.sum(), y[y < 3].sum(), "a selection is a copy")

    def test_masks_that_are_not_there_yet(self):
        x = np.arange(6)
        with self.assertRaises(AttributeError):
            x[x > 2].reshape(3)
        with self.assertRaises(ValueError):
            x[x > 2] = np.arange(3)
        with self.assertRaises(TypeError):
            x[x > 2] + x[x > 3]
        with self.assertRaises(IndexError):
            x[np.asarray([True, False])]

    def test_whole_numbers(self):
        x, y = pair("float32", (4, 5, 3))
        i, j = [3, 0, -1], numpy.array([[1, 2], [0, -2]])
        self.same(x[i], y[i])
        self.same(x[:, j], y[:, j])
        self.same(x[..., [0, 2]], y[..., [0, 2]])
        self.same(x[[0, 1], [1, 2], [2, 0]], y[[0, 1], [1, 2], [2, 0]])
        self.same(x[np.asarray(j), 0, 1], y[j, 0, 1])
        for key in ([4], [-5]):
            with self.assertRaises(IndexError):
                x[key]


class Operators(Case):
    BINARY = "add sub mul truediv floordiv mod pow lt le eq ne gt ge and_ or_ xor lshift rshift".split()

    def operate(self, name, a, b):
        with numpy.errstate(all="ignore"):
            return getattr(operator, name)(a, b)

    def test_binary_of_all_dtypes(self):
        for name in self.BINARY:
            for i, one in enumerate(DTYPES):
                other = DTYPES[(i * 5 + 3) % len(DTYPES)]
                low = 0 if "shift" in name or name == "pow" else 1
                x, y = values(one, (3, 4), 1, low, 5), values(other, 4, 2, max(low, 1), 3)
                try:
                    expected = self.operate(name, x, y)
                except TypeError:
                    with self.assertRaises(TypeError, msg=f"{one} {name} {other}"):
                        self.operate(name, np.asarray(x), np.asarray(y))
                    continue
                self.same(self.operate(name, np.asarray(x), np.asarray(y)), expected, f"{one} {name} {other}",
                          1e-2 if expected.dtype == "float16" else None)

    def test_numbers_of_python_are_weak(self):
        for dtype in DTYPES:
            for scalar in (True, 2, 2.5, 1j):
                for name in ("add", "mul", "truediv", "eq"):
                    y = values(dtype, 5, 3, 1, 5)
                    x = np.asarray(y)
                    what = f"{dtype} {name} {scalar}"
                    tolerance = 1e-2 if dtype == "float16" else None
                    self.same(self.operate(name, x, scalar), self.operate(name, y, scalar), what, tolerance)
                    self.same(self.operate(name, scalar, x), self.operate(name, scalar, y), what, tolerance)

    def test_in_place(self):
        for name in "iadd isub imul itruediv ifloordiv imod ipow".split():
            x, y = pair("float64", (3, 4), 4, 1, 5)
            view = x
            x = getattr(operator, name)(x, 2)
            y = getattr(operator, name)(y, 2)
            self.assertIs(x, view)
            self.same(x, y, name)
        for name in "iand ior ixor ilshift irshift".split():
            x, y = pair("int32", (3, 4), 4, 1, 5)
            x[1:] = getattr(operator, name)(x[1:], 2)
            y[1:] = getattr(operator, name)(y[1:], 2)
            self.same(x, y, name)
        with self.assertRaises(TypeError):
            x = np.arange(3)
            x += 0.5

    def test_unary_and_matmul(self):
        for dtype in DTYPES[1:]:
            x, y = pair(dtype, (3, 4), 5)
            for f in (operator.neg, operator.pos, operator.abs):
                self.same(f(x), f(y), dtype)
            self.same(x @ x.T, y @ y.T, dtype, 1e-2 if dtype == "float16" else None)
        x, y = pair("int16", 4)
        self.same(~x, ~y)
        self.same(divmod(x, 3), divmod(y, 3))
        a, b = pair("float64", (3, 3))
        a @= a.T
        b @= b.T
        self.same(a, b)

    def test_operands_of_other_kinds(self):
        x, y = pair("float64", 3)
        self.same(x + [1, 2, 3], y + [1, 2, 3])
        self.same([1, 2, 3] * x, [1, 2, 3] * y)
        self.same(x - y, y - y)
        self.same(y - x, y - y)
        self.same(x * numpy.float32(2), y * numpy.float32(2))
        self.same(numpy.int64(2) * x, numpy.int64(2) * y)
        for other in (None, "a", object()):
            with self.assertRaises(TypeError):
                x + other
        for other in (None, "a"):  # as NumPy's: of each element
            self.same(x == other, numpy.zeros(3, bool))
            self.same(x != other, numpy.ones(3, bool))
        self.assertFalse(x == object())
        self.assertTrue(x != object())

    def test_chains_and_temporaries(self):
        x, y = pair("float64", 100)
        for _ in range(100):
            x = (x + 1) * 0.5 - x * 0.25
            y = (y + 1) * 0.5 - y * 0.25
        self.same(x, y)


class Numbers(Case):
    def test_methods_of_ufuncs_beside_masks_and_scalars(self):
        bits = numpy.array([True, False, True])
        for name in ("logical_xor", "bitwise_xor", "bitwise_or", "bitwise_and"):
            for where in (bits, ~bits, numpy.array([False] * 3)):
                wanted = getattr(numpy, name).reduce(bits, where=where)
                got = getattr(np, name).reduce(np.asarray(bits), where=np.asarray(where))
                self.assertEqual((str(got.dtype), bool(got)), ("bool", bool(wanted)), (name, where))
        x = numpy.array([1, 2, 3])
        wanted = numpy.subtract.reduce(x, axis=(), where=bits, initial=10)
        self.assertEqual(np.subtract.reduce(np.asarray(x), axis=(), where=np.asarray(bits), initial=10).tolist(),
                         wanted.tolist())
        for call in (lambda: np.power.outer(np.asarray(x),
                                            -1), lambda: np.power.outer(np.asarray(x), np.asarray([-1]))):
            with self.assertRaisesRegex(ValueError, "negative integer powers"):
                call()
        self.assertEqual(list(np.ndindex(2 * 10 ** 9, 0)), [])
        for a, b in ((True, True), (-2 ** 63, 2 ** 62), (numpy.float32(1), 2)):
            wanted = numpy.logaddexp2(a, b)
            self.assertEqual(float(np.logaddexp2(a, b)), float(wanted), (a, b))
        with self.assertRaisesRegex(TypeError, "array of Tessera"):
            np.outer(np.asarray(x), np.asarray(x), out=numpy.zeros((3, 3)))

    def test_spaces_of_whole_numbers(self):
        for a, b in ((numpy.uint8(5), numpy.uint8(0)), (False, True), (numpy.array([5, 7], "u1"), 3)):
            wanted, got = numpy.linspace(a, b, 3, retstep=True), np.linspace(a, b, 3, retstep=True)
            self.assertEqual((numpy.asarray(got[0]).tolist(), numpy.asarray(got[1]).tolist()),
                             (wanted[0].tolist(), numpy.asarray(wanted[1]).tolist()))
        wanted = numpy.linspace(0, 2 ** 63 + 2 ** 62, 4, dtype=numpy.uint64)
        self.assertEqual(np.linspace(0, 2 ** 63 + 2 ** 62, 4, dtype=numpy.uint64).tolist(), wanted.tolist())
        self.assertEqual(np.linspace(-1.5, 1.5, 4, dtype=int).tolist(),
                         numpy.linspace(-1.5, 1.5, 4, dtype=int).tolist())
        with self.assertRaisesRegex(TypeError, "device='gpu'"):
            np.linspace(1, 2, 3, device="gpu")

    def test_round_takes_a_number(self):
        x = np.array([1.256, -2.5])
        self.assertEqual((round(x[0], 2), round(x[1]), round(np.array(1250), -2)), (1.26, -2, 1200))
        with self.assertRaisesRegex(TypeError, "np.round"):
            round(x)

    def test_conversions(self):
        x = np.asarray([2.5])
        self.assertEqual((bool(x), int(x), float(x), complex(x)), (True, 2, 2.5, 2.5 + 0j))
        self.assertEqual([10, 20, 30][np.asarray(1)], 20)
        self.assertEqual((np.asarray(2**63).item(), np.asarray(1 + 2j).item(), np.asarray(True).item()),
                         (2**63, 1 + 2j, True))
        y = np.arange(12).reshape(3, 4)
        self.assertEqual((y.item(5), y.item(1, 2), y.item((2, -1)), y.item(-1)), (5, 6, 11, 11))
        self.assertEqual((len(y), [r.tolist() for r in y], y.tolist()[2]), (3, numpy.arange(12).reshape(3, 4).tolist(),
                                                                          [8, 9, 10, 11]))
        self.assertEqual(sum(np.arange(4)).item(), 6)
        self.assertIn(3, np.arange(4).tolist())
        for f, kind in ((bool, ValueError), (int, TypeError), (float, TypeError), (operator.index, TypeError),
                        (hash, TypeError)):
            with self.assertRaises(kind, msg=f):
                f(y)
        for f in (len, iter):
            with self.assertRaises(TypeError):
                f(np.asarray(1))
        with self.assertRaises(ValueError):
            y.item()

    def test_text(self):
        for dtype in DTYPES:
            x, y = pair(dtype, (3, 4))
            self.assertEqual(str(x), str(y), dtype)
            self.assertEqual(eval(repr(x), {"array": numpy.array, **{d: numpy.dtype(d) for d in DTYPES}}).tolist(),
                             numpy.array(
                eval(repr(y), {"array": numpy.array, **{d: numpy.dtype(d) for d in DTYPES}})).tolist(), dtype)
        for shape in ((3000,), (60, 70), (2, 1001), (0,), (2, 0), (3, 20, 30)):
            x, y = pair("float64", shape)
            self.assertEqual(str(x), str(y), shape)
            x, y = pair("int64", shape)
            self.assertEqual(str(x), str(y), shape)
        self.assertEqual(f"{np.asarray(2.5):.3f} {np.asarray(3)}", "2.500 3")

    def test_attributes(self):
        x, y = pair("int32", (2, 3, 4))
        for name in "shape ndim size itemsize nbytes".split():
            self.assertEqual(getattr(x, name), getattr(y, name), name)
        for name in "T mT real imag".split():
            self.same(getattr(x, name), getattr(y, name), name)
        self.assertEqual((x.dtype, x.device, np.ndim(x), np.shape(x), np.size(x, 1)),
                         (np.int32, "cpu", 3, (2, 3, 4), 3))
        with self.assertRaises(AttributeError):
            x.shape = 24
        with self.assertRaises(AttributeError):
            x.nothing

    def test_methods(self):
        x, y = pair("float64", (3, 4))
        for call in ("sum()", "sum(0)", "sum(axis=1, keepdims=True)", "mean(axis=(0, 1))", "std(ddof=1)", "var(1)",
                     "min()",
                     "max(0)", "argmax()", "argmin(axis=1)", "any()", "all(axis=0)", "prod()", "cumsum(0)",
                     "cumprod(axis=1)",
                     "reshape(4, 3)", "reshape((2, -1))", "reshape(12)", "ravel()", "flatten()", "transpose()",
                     "transpose(1, 0)", "transpose((1, 0))", "swapaxes(0, 1)", "squeeze()", "diagonal()",
                     "repeat(2, axis=1)",
                     "astype('float32')", "astype(float)", "copy()", "clip(-1, 2)", "round(1)", "conj()", "conjugate()",
                     "dot(numpy.ones(4))"):
            self.same(eval("x." + call), eval("y." + call), call)

    def test_copies_and_pickles(self):
        for dtype in DTYPES:
            x, y = pair(dtype, (2, 3))
            self.same(copy.copy(x), y)
            self.same(copy.deepcopy([x])[0], y)
            self.assertEqual(x.tobytes(), y.tobytes())
            self.assertIs(pickle.loads(pickle.dumps(x.dtype)), x.dtype)
            if np.n_ranks() == 1:
                self.same(pickle.loads(pickle.dumps(x)), y, dtype)
            else:
                with self.assertRaises(TypeError):
                    pickle.dumps(x)

    def test_lent_elements(self):
        for dtype in DTYPES:
            x, y = pair(dtype, (3, 4))
            x, y = x[::-1, 1::2], y[::-1, 1::2]
            if np.n_ranks() > 1:
                for call in (memoryview, bytes, numpy.from_dlpack):
                    with self.assertRaises((BufferError, RuntimeError), msg=call):
                        call(x)
                continue
            lent = memoryview(x)
            self.assertEqual((lent.shape, lent.readonly, lent.itemsize), (y.shape, False, y.itemsize))
            self.assertEqual(lent.tobytes(), y.tobytes(), dtype)
            numpy.testing.assert_array_equal(numpy.asarray(x), y)
            numpy.testing.assert_array_equal(numpy.from_dlpack(x), y)
            with self.assertRaises((BufferError, TypeError)):
                io.BytesIO(b"1234").readinto(x)
            self.same(np.from_dlpack(y.copy().T), y.T, dtype)
            self.same(np.from_dlpack(x, copy=True), y, dtype)
            x[...] = 0
            self.assertEqual(lent.tobytes(), y.tobytes(), "the copy stays")
            with self.assertRaises(BufferError):
                np.from_dlpack(y.copy(), copy=False)

    def test_an_array_of_numpy_is_a_copy_to_write_to(self):
        x = np.arange(4)
        for y in (numpy.asarray(x), numpy.array(x), x.__array__()):
            y += 1
            self.assertEqual((y.tolist(), x.tolist()), ([1, 2, 3, 4], [0, 1, 2, 3]))

    def test_iteration_makes_one_part_at_a_time(self):
        x = np.zeros((3, 2))
        for line in (x, x[:, 0]):
            seen = []
            line[...] = 0
            for k, part in enumerate(line):
                line[...] = k + 1
                seen.append(part.tolist())
            self.assertEqual(seen, [[1, 1], [2, 2], [3, 3]] if line is x else [0, 1, 2])
        a, b, c = x
        b[...] = 7
        self.assertEqual(x.tolist(), [[3, 3], [7, 7], [3, 3]])
        self.assertEqual([v.tolist() for v in reversed(np.arange(4).reshape(2, 2))], [[2, 3], [0, 1]])
        with self.assertRaisesRegex(TypeError, "without axes"):
            reversed(np.array(5))
        rows = iter(np.ones(3))
        del x
        self.assertEqual([float(v) for v in rows], [1, 1, 1])

    def test_functions_of_numpy(self):
        x, y = pair("float64", (3, 4), 0, 1, 5)
        self.same(numpy.sin(x), numpy.sin(y))
        self.same(numpy.add(y, x), y + y)
        self.same(numpy.sum(x, axis=0), numpy.sum(y, axis=0))
        self.same(numpy.concatenate([x, x]), numpy.concatenate([y, y]))
        self.same(numpy.linalg.norm(x), numpy.linalg.norm(y))
        with self.assertRaisesRegex(TypeError, "linalg.svd"):
            numpy.linalg.svd(x)
        self.same(numpy.add.reduceat(x, [0, 1]), numpy.add.reduceat(y, [0, 1]))
        with self.assertRaisesRegex(TypeError, "add.at"):
            numpy.add.at(x, [0, 1], 1)


class DTypes(Case):
    def test_what_stands_for_a_dtype(self):
        for name in DTYPES:
            d = getattr(np, name)
            for of in (name, d, numpy.dtype(name), getattr(numpy, name), numpy.dtype(name).str):
                self.assertIs(np.dtype(of), d)
                self.assertEqual(d, of)
            self.assertEqual((d.name, d.itemsize, d.kind, str(d), repr(d)), (
                name, numpy.dtype(name).itemsize, numpy.dtype(name).kind, name, "tessera." + name))
            self.same(d(1), numpy.ones((), name))
            self.assertEqual(len({d, np.dtype(name)}), 1)
        self.assertEqual([np.dtype(t) for t in (bool, int, float, complex)],
                         [np.bool, np.int64, np.float64, np.complex128])
        self.assertNotEqual(np.float64, None)
        self.assertNotEqual(np.float64, "nothing")
        for of in ("float128", object, 3, "i3"):
            with self.assertRaises(TypeError):
                np.dtype(of)

    def test_promotion(self):
        for one in DTYPES:
            for other in DTYPES:
                self.assertEqual(np.promote_types(one, other), str(numpy.promote_types(one, other)))
                self.assertEqual(np.result_type(np.zeros(2, one), other),
                                 str(numpy.result_type(numpy.zeros(2, one), other)))
                for rule in ("no", "safe", "same_kind", "unsafe"):
                    self.assertEqual(np.can_cast(one, other, rule), numpy.can_cast(one, other, rule),
                                     (one, other, rule))
            for scalar in (True, 1, 1.0, 1j):
                self.assertEqual(np.result_type(np.zeros(2, one), scalar),
                                 str(numpy.result_type(numpy.zeros(2, one), scalar)))

    def test_limits(self):
        for name in DTYPES[1:11]:
            kind = "finfo" if "float" in name else "iinfo"
            for field in ("bits max min" + (" eps smallest_normal" if kind == "finfo" else "")).split():
                self.assertEqual(getattr(getattr(np, kind)(name), field), getattr(getattr(numpy, kind)(name), field),
                                 name)
        with self.assertRaises(ValueError):
            np.iinfo(np.float64)
        self.assertTrue(np.isdtype(np.int8, "integral") and not np.isdtype(np.int8, ("bool", "real floating")))


class Errors(Case):
    def test_an_error_has_a_class_a_code_and_the_place(self):
        with self.assertRaises(ValueError) as caught:
            np.zeros((2, 3)) + np.zeros(4)
        e = caught.exception
        self.assertIsInstance(e, np.TesseraError)
        self.assertEqual(e.code, "TSR0203")
        self.assertIn("test_array.py", str(e))
        self.assertIn("test_an_error_has", str(e))
        self.assertIn("help:", str(e))

    def test_classes(self):
        x = np.zeros((2, 3))
        for call, kind, code in (("np.sum(x, axis=5)", np.AxisError, "TSR0205"),
                                 ("x.reshape(5)", ValueError, "TSR0204"),
                                 ("np.load('/nowhere.npy')", OSError, "TSR0502"), ("x & x", TypeError, "TSR0201"),
                                 ("np.zeros(-1)", ValueError, "TSR0204"), ("np.zeros(1 << 62)", ValueError, "TSR0401")):
            with self.assertRaises(kind, msg=call) as caught:
                eval(call)
            self.assertEqual(caught.exception.code, code, call)
        self.same(x + 1, numpy.ones((2, 3)), "the session goes on after an error")

    def test_arguments(self):
        x = np.zeros(3)
        for call, text in (("np.add(x)", "add"), ("np.add(x, x, x, x)", "add"), ("np.sum(x, axes=1)", "axes"),
                           ("np.sum(x, 0, axis=0)", "axis"), ("np.add(x, x, where=[True, False, True])", "out"),
                           ("np.matmul(x, x, axes=[1])", "axes"), ("np.multiply.at(x, [0], 1)", "multiply.at"),
                           ("np.add(x, 1, dtype=np.int8)", "dtype"), ("np.add([1, 2], x[:2], casting='no')", "casting"),
                           ("np.reshape(x)", "shape"), ("np.add(x, x, out=3)", "out"), ("np.sum()", "a"),
                           ("np.add(x1=x, x2=x)", "x1")):
            with self.assertRaisesRegex(TypeError, text, msg=call):
                eval(call)
        with self.assertRaisesRegex(AttributeError, "svd"):
            np.linalg.svd
        with self.assertRaisesRegex(AttributeError, "sort"):
            np.sort

    def test_where_and_dtype_of_elementwise_functions(self):
        x, y = pair("float64", (3, 4))
        for call in ("add(x, 2, out=o, where=x > 0)", "exp(x, where=x[0] < 3, out=o)", "add(x, x[0], dtype='float32')",
                     "multiply(x, 3, dtype=complex)", "sqrt(abs(x), dtype='float32', out=o)"):
            o, p = np.ones((3, 4)), numpy.ones((3, 4))
            with self.subTest(call=call):
                self.same(eval("np." + call), eval("numpy." + call, {"numpy": numpy, "x": y, "o": p}), call, 1e-6)
                self.same(o, p, call, 1e-6)
        i, j = pair("int32", 5)
        self.same(np.add(i, 1, dtype=np.int64), numpy.add(j, 1, dtype="int64"))
        self.same(np.true_divide(i, 2, dtype=np.float32), numpy.true_divide(j, 2, dtype="float32"))

    def test_out(self):
        x, y = pair("float64", (3, 4))
        for call in ("add(x, x, out=o)", "sum(x, axis=0, out=o[0])", "sqrt(abs(x), o)", "clip(x, 0, 1, out=o)"):
            o, p = np.zeros((3, 4)), numpy.zeros((3, 4))
            eval("np." + call)
            eval("numpy." + call, {"numpy": numpy, "x": y, "o": p})
            self.same(o, p, call)
