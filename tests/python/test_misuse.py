"""Objects that change while they are read, and arguments that are wrong: an error or NumPy's result, never a crash."""
import os
import warnings

import numpy
import tessera as np
from support import Case


class ListsThatChange(Case):
    """What is called for an item empties the list that is being read."""

    def number(self, items, value=1):
        class Number:
            def __index__(self):
                items.clear()
                items.extend(bytes(4096) for _ in range(50))
                return value
        return Number()

    def array(self, items):
        class Array:
            def __array__(self, dtype=None, copy=None):
                items.clear()
                items.extend(bytes(4096) for _ in range(50))
                return numpy.ones(2)
        return Array()

    def test_numbers(self):
        for call in (lambda v: np.zeros(v).shape, lambda v: np.reshape(np.zeros(128), v).shape):
            items = []
            items.extend([self.number(items)] + [2] * 7)
            self.assertEqual(call(items), (1,) + (2,) * 7)
        items = []
        items.extend([self.number(items), 0])
        self.assertEqual(np.sum(np.zeros((2, 3)), axis=tuple(items)).shape, ())
        items = []
        items.extend([self.number(items, 3), 3])
        self.assertEqual(np.random.default_rng(1).random(items).shape, (3, 3))

    def test_pairs(self):
        items = []
        items.extend([(self.number(items), 2), (3, 4)])
        self.assertEqual(np.pad(np.zeros((2, 2)), items).shape, (5, 9))

    def test_arrays(self):
        for call in (np.concatenate, np.stack, np.asarray):
            items = []
            items.extend([self.array(items)] + [numpy.ones(2) for _ in range(20)])
            self.same(call(items), getattr(numpy, call.__name__)([numpy.ones(2)] * 21))
        inner = []
        inner.extend([self.array(inner), numpy.ones(2)])
        self.same(np.asarray([inner, [numpy.ones(2)] * 2]), numpy.ones((2, 2, 2)))

    def test_a_list_in_itself(self):
        items = [np.zeros(2)]
        items.insert(0, items)
        with self.assertRaises(ValueError):
            np.asarray(items)


class NumbersThatDoNotFit(Case):
    def test_copyto(self):
        for dtype, value in (("int8", 300), ("int8", -129), ("uint8", -1), ("uint64", -1), ("int64", 2**63)):
            x = np.ones(2, dtype)
            for casting in ("same_kind", "unsafe"):
                with self.assertRaises(OverflowError, msg=dtype):
                    np.copyto(x, value, casting=casting)
            self.same(x, numpy.ones(2, dtype))
        for dtype, value in (("int8", -128), ("uint64", 2**64 - 1), ("float32", 300), ("bool", True), ("complex64", 3)):
            x, y = np.ones(2, dtype), numpy.ones(2, dtype)
            np.copyto(x, value)
            numpy.copyto(y, value)
            self.same(x, y)

    def test_floats_that_lose_their_fraction(self):
        for value, dtype in ((-2.0**63, "int64"), (-128.9, "int8"), (-128.0, "int8"), (-0.9, "uint8"), (127.9, "int8"),
                             (numpy.nextafter(2.0**63, 0), "int64"), (numpy.nextafter(2.0**64, 0), "uint64"),
                             (-2.0**31, "int32")):
            self.same(np.array([float(value)], dtype), numpy.array([value], dtype), dtype)
        for value, dtype in ((2.0**63, "int64"), (-2.0**63 - 2048, "int64"), (-129.0, "int8"), (-1.0, "uint8"),
                             (128.0, "int8"), (2.0**64, "uint64")):
            with self.assertRaises(OverflowError, msg=dtype):
                np.array([value], dtype)

    def test_initial_values(self):
        for dtype, value, error in (("uint8", 1000, OverflowError), ("int8", -129, OverflowError),
                                    ("uint8", float("nan"), ValueError), ("int64", float("inf"), OverflowError),
                                    ("int64", float("-inf"), OverflowError)):
            x, y = np.ones(3, dtype), numpy.ones(3, dtype)
            for call in (lambda: np.max(x,
                                        initial=value), lambda: x.min(initial=value),
                         lambda: np.maximum.reduce(x, initial=value), lambda: numpy.max(y, initial=value)):
                with self.assertRaises(error, msg=(dtype, value)):
                    call()
            self.same(x, y)


class Keywords(Case):
    def test_options_of_reductions(self):
        x, y = np.arange(6.0).reshape(2, 3), numpy.arange(6.0).reshape(2, 3)
        calls = (lambda m, x, **k: m.sum(x, **k), lambda m, x, **k: x.max(**k), lambda m, x, **k: m.add.reduce(x, **k))
        for call in calls:
            for module, array in ((np, x), (numpy, y)):
                with self.assertRaises(TypeError):
                    call(module, array, where=module.ones((2, 3), "int64"), initial=0)
            self.same(call(np, x, where=[0, 1, 1], initial=0), call(numpy, y, where=[0, 1, 1], initial=0))
        for module, array in ((np, x), (numpy, y)):
            with self.assertRaises(TypeError):
                module.add(array, 1, out=array.copy(), where=module.ones((2, 3), "int64"))
        for ours, theirs in ((np.ones(3), numpy.ones(3)), ([1, 2, 3], [1, 2, 3])):
            for call in calls:
                for module, array, initial in ((np, x, ours), (numpy, y, theirs)):
                    with self.assertRaises(ValueError):
                        call(module, array, axis=0, initial=initial)
        for call in calls:
            self.same(call(np, x, axis=0, where=x > 1, initial=np.array(2.0)),
                      call(numpy, y, axis=0, where=y > 1, initial=2.0))
        with self.assertRaises(ValueError):
            np.subtract.reduce(x, 0, initial=np.ones(3))
        with self.assertRaisesRegex(ValueError, "help: add initial=value\n"):
            np.max(x, where=x > 1)

    def test_the_rank_that_gathers(self):
        for rank in (-5, -1, 99):
            with self.assertRaisesRegex(ValueError, f"there is no rank {rank},"):
                np.ones(3).gather(rank)

    def test_assigning_to_parts(self):
        x = np.arange(4.0)
        x.real = 1
        self.same(x, numpy.ones(4))
        with self.assertRaisesRegex(TypeError, "no imaginary part"):
            x.imag = 1
        for dtype in ("complex64", "complex128"):
            z, want = np.ones((2, 3), dtype), numpy.ones((2, 3), dtype)
            for name, value in (("real", [1.0, -0.0, numpy.inf]), ("imag", numpy.nan), ("imag", [[1], [2**60 + 1]]),
                                ("real", True)):
                setattr(z, name, value)
                setattr(want, name, value)
                setattr(z[:, ::2], name, 5)
                setattr(want[:, ::2], name, 5)
                self.same(z, want)
            with self.assertRaisesRegex(TypeError, "a real number, not a complex one"):
                z.real = 1j
            with self.assertRaises(ValueError):
                z.imag = numpy.ones(4)
            for name in ("real", "imag"):
                with self.assertRaises(AttributeError):
                    delattr(z, name)
            self.same(z, want)
    def test_results_in_arrays_of_numpy(self):
        x, y = np.arange(6), numpy.arange(6)
        mask = y % 2 == 0
        for where in (mask, np.asarray(mask), True):
            ours, theirs = numpy.full(6, 9), numpy.full(6, 9)
            self.assertIs(numpy.add(x, 1, out=ours, where=where), ours)
            numpy.add(y, 1, out=theirs, where=numpy.asarray(where))
            numpy.testing.assert_array_equal(ours, theirs)
        ours = numpy.ones(6)
        ours += x
        numpy.testing.assert_array_equal(ours, y + 1.0)
        whole = numpy.ones(6, int)
        with self.assertRaises(TypeError):
            whole += x * 0.5
        for keywords in ({"casting": "no"}, {"order": "F"}, {"subok": False}):
            with self.assertRaises(TypeError, msg=keywords):
                numpy.add(x, 1, out=ours, **keywords)
        numpy.add(x, 0.5, out=whole, casting="unsafe")
        numpy.testing.assert_array_equal(whole, y)
        numpy.testing.assert_array_equal(ours, y + 1.0)

    def test_the_text_of_an_argument_is_not_asked_for(self):
        x, asked = np.arange(6), []
        before = np.ndarray.__repr__
        np.ndarray.__repr__ = lambda self: asked.append(1) or "None"
        try:
            out = np.zeros(6, dtype=np.int64)
            np.add(x, 1, out=out, where=x > 2)
            with self.assertRaises(TypeError):
                np.matmul(x, x, axes=x > 2)
        finally:
            np.ndarray.__repr__ = before
        self.assertEqual((asked, out.tolist()), ([], [0, 0, 0, 4, 5, 6]))

    def test_a_default_is_equal_not_the_beginning_of_one(self):
        for keywords, error in (({"casting": "same"}, ValueError), ({"casting": "same_kin"}, ValueError),
                                ({"casting": ""}, ValueError), ({"order": ""}, TypeError)):
            with self.assertRaises(error, msg=keywords):
                np.add(np.zeros(2), 1, **keywords)
        self.same(np.add(np.zeros(2), 1, casting="same_kind", order="K", subok=True, where=True, dtype=None),
                  numpy.ones(2))


class ManyNumbers(Case):
    def test_splits(self):
        x, y = np.arange(120), numpy.arange(120)
        for n in (0, 1, 7, 8, 9, 15, 16, 17, 40):
            at = list(range(1, 2 * n + 1, 2))
            for name in ("split", "array_split", "hsplit"):
                self.same(getattr(np, name)(x, at), getattr(numpy, name)(y, at), (name, n))
        self.same(np.array_split(x, 50), numpy.array_split(y, 50))
        self.same(x.repeat(list(range(120))), y.repeat(list(range(120))))

    def test_more_than_axes(self):
        x = np.zeros(6)
        for n in (9, 16, 17, 100):
            many = (1,) * n
            for call in ("zeros(many)", "ones(many)", "full(many, 1)", "reshape(x, many)", "broadcast_to(x, many)",
                         "tile(x, many)",
                         "indices(many)", "roll(x, many, many)", "roll(x, many)", "sum(x, many)",
                         "expand_dims(x, many)",
                         "squeeze(x, many)", "transpose(x, many)", "flip(x, many)", "moveaxis(x, many, many)",
                         "rot90(x, 1, many)",
                         "var(x, many)", "average(x, many)", "count_nonzero(x, many)", "median(x, many)"):
                with self.assertRaises((ValueError, TypeError, IndexError), msg=(call, n)):
                    eval("np." + call)

    def test_widths(self):
        x, y = np.arange(6).reshape(2, 3), numpy.arange(6).reshape(2, 3)
        for width in (1, (2,), (1, 2), ((1, 2),), ((1,),), ((1,), (2,)), [[1, 2], [0, 3]], ((0, 0), (0, 1))):
            self.same(np.pad(x, width), numpy.pad(y, width), width)
        self.same(np.pad(x[0], ((1, 3),)), numpy.pad(y[0], ((1, 3),)))
        for width in ((1, 2, 3, 4), (1, 2, 3), ((1, 2), (3, 4), (5, 6)), ((1, 2, 3), (4, 5, 6)), (1, (2, 3)), (), ((),),
                      [1] * 40, ((1, 2),) * 20):
            with self.assertRaises(ValueError, msg=width):
                np.pad(x, width)
            if width != (1, (2, 3)):
                with self.assertRaises((ValueError, TypeError), msg=width):
                    numpy.pad(y, width)


class WrongArguments(Case):
    def test_what_numpy_refuses_or_takes(self):
        """No class of its own, values of a higher kind around an array, weights of nothing, bytes of no whole
        number."""
        with self.assertRaisesRegex(TypeError, "no class derives from tessera.ndarray.*attribute"):
            class Mine(np.ndarray):
                pass
        for values in ((1.5, 2), [[1j, 2]], 1.5, [(0, numpy.float32(1))]):
            with self.assertRaises(TypeError, msg=values) as caught:
                np.pad(np.arange(3), 1, constant_values=values)
            self.assertIn("TSR0202", str(caught.exception))
        with self.assertRaisesRegex(TypeError, "complex128 around an array of float64"):
            np.pad(np.ones(3), 1, "linear_ramp", end_values=(1j, 2))
        self.same(np.pad(np.arange(3, dtype="uint8"), 1, constant_values=(1, 255)),
                  numpy.array([1, 0, 1, 2, 255], "uint8"))
        self.same(np.pad(np.arange(3), 2, "linear_ramp", end_values=(-1.5, 4)),
                  numpy.pad(numpy.arange(3), 2, "linear_ramp",
                                                                                         end_values=(-1.5, 4)))
        for weights in ([0, 0, 0], (1, -1, 0), numpy.zeros(3)):
            with self.assertRaises(ZeroDivisionError):
                np.average(np.arange(3.0), weights=weights)
        self.assertTrue(numpy.isnan(float(np.average(np.arange(3.0), weights=np.zeros(3)))))
        self.same(np.average(np.ones((2, 2)), 0, [[1, -1], [-2, 2]]), numpy.ones(2))
        for count, data in ((-1, 15), (3, 16)):
            with self.assertRaises(ValueError):
                np.frombuffer(bytes(data), count=count)
        for whole in (numpy.int32(3), numpy.array(3), np.array(3)):
            self.same(np.arange(whole), numpy.arange(3))
        self.same(np.arange(numpy.float32(2.5)), numpy.arange(2.5))
        self.same(np.take([1, 2, 3], []), numpy.take([1, 2, 3], []))
        self.same(np.percentile(np.ones((2, 3)), [], axis=0), numpy.percentile(numpy.ones((2, 3)), [], axis=0))

    def test_casts_that_are_refused(self):
        for call in (lambda: np.add(1.5, 2, dtype=int), lambda: np.sqrt(1j, dtype=float), lambda: np.add([1, 2], 0.5,
                                                                                                         dtype="int8")):
            with self.assertRaisesRegex(TypeError, "an operand of .* is not cast to "):
                call()
        self.same(np.add(1, 2, dtype="uint8"), numpy.add(1, 2, dtype="uint8"))
        self.same(np.add(1.5, True, dtype="float32"), numpy.add(1.5, True, dtype="float32"))
        with self.assertRaisesRegex(ValueError, "copy=False"):
            np.array([1, 2], copy=False)
        x = np.ones(3)
        self.assertIs(np.array(x, copy=False), x)

    def test_dates(self):
        """A date of NumPy's has a buffer of bytes without strides."""
        date = numpy.datetime64("2020-01-01")
        for call in (lambda: np.asarray(date), lambda: np.ones(2)
                     + date, lambda: np.array([date]), lambda: np.sin(date - date),
                     lambda: np.asarray(numpy.array([date]))):
            with self.assertRaises((TypeError, ValueError)):
                call()

    def test_integers_to_negative_powers(self):
        """As NumPy's: an error of integers, whatever the exponents' array is made of."""
        down = np.arange(2, -2, -1)
        for call in (lambda: 2**-np.arange(3), lambda: np.power(np.arange(3),
                                                                down[:3] - 1), lambda: down**down, lambda: True**down,
                     lambda: np.pow(down.astype("int8"),
                                    numpy.array(-1)), lambda: np.power(2, down.astype("int32"), out=down),
                     lambda: [3, 4] ** -np.ones(2, "int16"), lambda: np.ones(4, "uint8") ** down.astype("int8"),
                     lambda: np.power(np.ones(4, "uint32"), down)):
            with self.assertRaisesRegex(ValueError, "TSR0101.*integers to negative integer powers are not allowed"):
                call()
        with self.assertRaisesRegex(ValueError, "negative integer powers"):
            down **= down
        self.same(down, numpy.arange(2, -2, -1))
        wide = down.astype("uint64")[:2]
        for made, wanted in ((2**np.arange(3), [1, 2, 4]), (2.0**down, [4.0, 2.0, 1.0, 0.5]),
                             (wide**-down[:2], [0.25, 1.0]), (2 ** np.zeros((0, 3), "int64"),
                                                              numpy.zeros((0, 3), "int64")),
                                                              ((down > 0) ** abs(down), [1, 1, 1, 0])):
            self.same(made, numpy.array(wanted))

    def test_no_memory_for_all_elements(self):
        for read in (lambda x: x.tolist(), lambda x: x.tobytes(),
                     numpy.asarray, lambda x: float(x.copy()[3:].cumsum()[0])):
            with self.assertRaises(MemoryError) as caught:
                read(np.zeros(10**13))
            self.assertRegex(str(caught.exception), "80000000000000 bytes|TiB|no memory for a copy")
        for make in (lambda: np.zeros(n), lambda: np.arange(n), lambda: np.ones((10, n // 10))
                     + 1, lambda: np.random.default_rng(1).random(n), lambda: np.broadcast_to(1.0, n) * 2):
            for n in (10**15, 10**17, 10**18):
                with self.assertRaisesRegex(MemoryError,
                                            f"shape .* {n * 8} bytes, more than . process|than any machine's"):
                    make()
        self.assertEqual(int(np.arange(3).sum()), 3)

    def test_items(self):
        x = np.arange(6)
        for args in (([True] * 6,), ((x > 3,),), ((True,),), ([1],), (1.5,)):
            with self.assertRaises((TypeError, IndexError, ValueError), msg=args):
                x.item(*args)
        self.assertEqual((x.item(2), x.item((3,)), x.item(numpy.int64(4))), (2, 3, 4))

    def test_devices_of_dlpack(self):
        x = np.arange(3)
        if np.n_ranks() == 1:
            self.assertIsNotNone(x.__dlpack__(dl_device=[1, 0]))
            self.assertIsNotNone(x.__dlpack__(dl_device=(1, 0)))
        for device in (5, "1", [1], (1, 2, 3), ("a", 0)):
            with self.assertRaises(TypeError, msg=device):
                x.__dlpack__(dl_device=device)
        with self.assertRaises(BufferError):
            x.__dlpack__(dl_device=(2, 0))

    def test_indices(self):
        x, y = np.arange(6.0), numpy.arange(6.0)
        for key in ([1.5], numpy.array([1.5]), numpy.float64(1), numpy.array(1.5), 1 << 70, -1 << 70, (1 << 70,),
                    np.asarray([1.5]), (numpy.array([1.5]),), [1j], numpy.zeros(0)):
            for call in (lambda: x[key], lambda: y[key]):
                with self.assertRaises(IndexError, msg=key):
                    call()
        z = np.zeros((2, 3))
        for key in ((slice(None), [True, False, True]), ([True, False], 0), (0, numpy.array([0.5]))):
            with self.assertRaises(IndexError, msg=key):
                z[key]
        for call in (lambda: np.take_along_axis(x, [.5], 0), lambda: np.take(x, [.5])):
            with self.assertRaises(IndexError):
                call()
        with self.assertRaises(IndexError):
            x[1 << 70] = 1
        self.same(x[[]], y[[]])
        x, y = np.arange(300), numpy.arange(300)
        for dtype in ("int8", "int16", "uint8", "uint32", "uint64"):
            i = numpy.array([3, 0, 100], dtype)
            self.same(x[np.asarray(i)], y[i], dtype)
            self.same(np.take(x, i), y[i], dtype)
        self.same(x[numpy.array([-1, 100], "int8")], y[numpy.array([-1, 100], "int8")])
        for i in (numpy.array([(1 << 64) - 1], "uint64"), numpy.array([300], "int16"), numpy.array([-301], "int16")):
            with self.assertRaises(IndexError):
                x[np.asarray(i)]

    def test_numbers_that_a_dtype_does_not_hold(self):
        for of, dtype, kind in (([1j, 2], float, TypeError), (1j, float, TypeError), ([[2, 1j]], "int8", TypeError),
                                ([-1], "uint8", OverflowError), ([300], "uint8", OverflowError),
                                (300, "uint8", OverflowError), (-1, "uint64", OverflowError),
                                ([128], "int8", OverflowError), ([-129], "int8", OverflowError),
                                ([1 << 63], "int64", OverflowError), ([1.5, 300], "uint8", OverflowError)):
            for module in (np, numpy):
                with self.assertRaises(kind, msg=(of, dtype)):
                    module.asarray(of, dtype=dtype)
        for of, dtype in (([-128, 127], "int8"), ([255, 0], "uint8"), ([(1 << 64) - 1], "uint64"),
                          ([-1 << 63], "int64"), ([1j, 0], "bool"), ([1.5, -2], "int16"), ([-1, 300], "float16"),
                          ([1, 2], "complex64"), ([300], "bool")):
            self.same(np.asarray(of, dtype=dtype), numpy.asarray(of, dtype=dtype), (of, dtype))

    def test_arguments_of_composed_functions(self):
        x = np.arange(6)
        for call, kind in (("np.random.default_rng(1).shuffle([1, 2, 3])", TypeError), ("np.repeat(x, -1)", ValueError),
                           ("np.repeat(x, [1, 2, 3, 4, 5, -1])", ValueError), ("np.repeat(x, [-1])", ValueError),
                           ("x.repeat(-1)", ValueError), ("np.clip(x, min=1, a_min=2)", ValueError),
                           ("np.clip(x, max=1, a_max=2)", ValueError), ("x.clip(1, min=2)", ValueError),
                           ("np.fabs(1j * x)", TypeError), ("np.digitize(x, [1, 3, 2])", ValueError),
                           ("np.digitize(x, [[1]])", ValueError)):
            with self.assertRaises(kind, msg=call):
                eval(call)
        self.same(np.clip(x, a_min=1, a_max=3), numpy.clip(numpy.arange(6), 1, 3))
        for dtype in "bool int8 uint8 int16 uint16 int32 int64 float16 float32".split():
            self.same(np.fabs(np.zeros(2, dtype)), numpy.fabs(numpy.zeros(2, dtype)), dtype)

    def test_bins_and_nan(self):
        s = numpy.array([1.0, 2, 2, numpy.nan, numpy.nan])
        v = numpy.array([0, 1, 2, 3, numpy.nan, numpy.inf])
        for dtype in ("float64", "float32"):
            for side in ("left", "right"):
                for n in range(6):
                    self.same(np.searchsorted(s[:n].astype(dtype), v.astype(dtype), side=side),
                              numpy.searchsorted(s[:n].astype(dtype), v.astype(dtype), side=side), (n, side))
        for bins in (s, [3.0, 2, 2, 1], [2.0], [1, 1], [4, 2], [-1.0, 1.0], s[::-1]):
            for right in (False, True):
                self.same(np.digitize(v, bins, right), numpy.digitize(v, bins, right), (bins, right))


class OddCalls(Case):
    def test_give_what_numpy_gives(self):
        """Each call has NumPy's result, or an error of NumPy's class."""
        def names(of):
            return {"np": of, "x": of.asarray([3.0, -1, 2, numpy.nan, 5]),
                    "a": of.asarray(numpy.arange(12).reshape(3, 4)),
                    "f": of.asarray(numpy.linspace(-2, 2, 24).reshape(2, 3, 4)), "z": of.asarray(7),
                    "e": of.zeros((0, 3)), "b": of.asarray([True, False, True]), "c": of.asarray([1 + 2j, 3 - 1j]),
                    "u": of.asarray(numpy.uint8([250, 3, 7])), "i8": of.asarray(numpy.int8([-128, 127, 0])),
                    "h": of.asarray(numpy.float16([1e4, 6e4, 1e-7])), "big": of.asarray([2**62, 2**62, -5]),
                    "inf": numpy.inf, "nan": numpy.nan}

        def outcome(call, of):
            try:
                return eval(call, names(of))
            except (TypeError, ValueError, IndexError, AttributeError, OverflowError, MemoryError) as error:
                return error

        with open(os.path.join(os.path.dirname(__file__), "odd_calls.txt")) as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for call in file.read().replace("\n", " ; ").removesuffix(" ; ").split(" ; "):
                with self.subTest(call=call):
                    got, expected = outcome(call, np), outcome(call, numpy)
                    if isinstance(expected, Exception):
                        kinds = [kind for kind in type(expected).__mro__ if kind.__module__ == "builtins"
                                 and kind not in (Exception, BaseException, object)]
                        self.assertIsInstance(got, tuple(kinds))
                        continue
                    self.assertNotIsInstance(got, Exception)
                    for mine, theirs in zip(*(part if isinstance(part, (tuple, list)) else [part]
                                              for part in (got, expected)), strict=True):
                        if type(mine).__name__ == "Selection":
                            mine = np.asarray(mine.tolist(), mine.dtype).reshape(mine.shape)
                        if hasattr(theirs, "dtype") and hasattr(mine, "dtype"):
                            self.same(mine, theirs, call, tolerance=2e-3 if theirs.dtype == numpy.float16 else 1e-6)
                        else:
                            self.assertEqual(str(mine), str(theirs))

    def test_say_what_to_do(self):
        x, a = np.arange(5.0), np.arange(12).reshape(3, 4)
        for error, text, call in (
                (TypeError, "load.file. takes the file's path", lambda: np.load(3)),
                (TypeError, "each rank", lambda: np.load("x.npy", mmap_mode="r")),
                (TypeError, "save.file, arr. takes", lambda: np.save(a, "q")),
                (TypeError, "ddof is a number", lambda: a.std(ddof="a")),
                (TypeError, "ddof is a number", lambda: np.nanstd(a, 0, None, None, "a")),
                (TypeError, "letters first", lambda: np.einsum(3, a)),
                (AttributeError, "'poisson' yet; dir", lambda: np.random.default_rng(1).poisson(3)),
                (TypeError, "astype.float. makes", lambda: np.asarray(numpy.arange(3, dtype=">f8")))):
            self.assertRaisesRegex(error, text, call)
        y = numpy.arange(5.0)
        self.assertEqual([float(v) for v in x[x > 2]], list(y[y > 2]))
        self.same(x[x > 1][-2:], y[y > 1][-2:])
        self.assertRaisesRegex(IndexError, "length 2", lambda: x[x > 2][7])
