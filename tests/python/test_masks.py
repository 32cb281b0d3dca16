"""What a mask selects: operands, masks that change, masks of other packages, the ends of what can be computed."""
import operator

import numpy
import tessera as np
from support import Case, pair


class Operands(Case):
    def test_operands_over_the_axes_behind_the_mask(self):
        x, y = pair("float64", (4, 3))
        m, k = x[:, 0] * 1 > -3, y[:, 0] > -3
        for other in (2, 2.5, numpy.float32(2), numpy.arange(3), [1, 2, 3], [[1, 2, 3]], [4], [[4]],
                      numpy.ones((1, 3))):
            self.assertEqual(numpy.asarray(x[m] * other).tolist(), (y[k] * other).tolist(), repr(other))
            self.assertEqual(numpy.asarray(other + x[m]).tolist(), (other + y[k]).tolist(), repr(other))
            self.assertEqual(numpy.asarray(np.asarray(other) + x[m]).tolist(), (other + y[k]).tolist(), repr(other))
        x, y = pair("int64", (4, 5))
        self.assertEqual(numpy.asarray(x[x > 2] - [7]).tolist(), (y[y > 2] - [7]).tolist())

    def test_operands_that_pair_by_number(self):
        x = np.arange(6)
        for other in (np.arange(6), numpy.arange(3), [1, 2, 3], np.zeros((1, 6))):
            for call in (lambda: x[x > 2] + other, lambda: other - x[x > 2], lambda: np.asarray(other) * x[x > 2]):
                with self.assertRaisesRegex(TypeError, "same mask"):
                    call()
        y = np.zeros((4, 3))
        for other in (np.zeros((4, 3)), np.zeros(4), np.zeros((2, 3))):
            with self.assertRaisesRegex(TypeError, "same mask"):
                y[y[:, 0] > -1] + other
        with self.assertRaises(TypeError):
            x[x > 2] + "text"


class WhereAndInitial(Case):
    def test_where_and_initial(self):
        calls = ("sum(initial=5)", "sum(where=x[m] > 0)", "sum(0, where=x[m] > 0, initial=2.)", "prod(initial=2.)",
                 "any(where=x[m] > 5)",
                 "prod(-1, where=x[m] > 0)", "mean(where=x[m] > 0)", "mean(0, where=x[m] > -5)",
                 "mean(-1, where=x[m] > -9)",
                 "all(where=x[m] > 2)", "min(initial=1)", "max(where=x[m] < 0, initial=-20)",
                 "max(0, initial=1, where=x[m] < 3)",
                 "var(where=x[m] > 0)", "std(0, where=x[m] > -5, ddof=1)", "std(where=x[m] > 0, keepdims=True)",
                 "sum(where=True)", "sum(where=False)", "sum(where=[True])")
        for shape, mask in (((7,), "x > -4"), ((4, 5), "x > -4"), ((6, 5), "x[:, 0] > -4")):
            x, y = pair("float64", shape)
            m, k = eval(mask, {"x": x}), eval(mask, {"x": y})
            for call in calls:
                for text in (f"x[m].{call}", "np." + call.replace("(", "(x[m], ").replace(", )", ")")):
                    ours, theirs = eval(text, {"x": x, "m": m, "np": np}), eval(text, {"x": y, "m": k, "np": numpy})
                    numpy.testing.assert_allclose(numpy.asarray(ours), theirs, rtol=1e-12, err_msg=f"{text} of {mask}")
        x, y, m = np.arange(6), numpy.arange(6), np.arange(6) > 2
        self.assertEqual(int(x[x > 9].min(initial=4)), 4)
        for text in ("x[x > 2].min(where=x[x > 2] > 3)", "x[x > 9].max()"):
            for of in (x, y):
                with self.assertRaises(ValueError):
                    eval(text, {"x": of})
        with self.assertRaisesRegex(TypeError, "takes bools"):
            x[m].sum(where=x[m])
        with self.assertRaisesRegex(TypeError, "same mask"):
            x[x > 2].sum(where=[True, False, True])


class Masks(Case):
    def test_a_mask_that_changes_afterwards(self):
        y = np.arange(6)
        m = y > 2
        s = y[m]
        m[...] = False
        self.assertEqual((s.shape, s.size, len(s), int(s.sum()), numpy.asarray(s).tolist()),
                         ((3,), 3, 3, 12, [3, 4, 5]))
        with self.assertRaisesRegex(TypeError, "two masks"):
            s + y[m]
        with self.assertRaisesRegex(TypeError, "two masks"):
            y[m] = s
        m[...] = y > 2
        y[m] = s * 2
        self.assertEqual(y.tolist(), [0, 1, 2, 6, 8, 10])

    def test_every_write_to_a_mask_is_seen(self):
        x, m = np.arange(6), np.arange(6) > 2
        o = np.zeros((6, 6), dtype=bool)
        for write in (lambda: m.fill(True), lambda: np.less(x, 3, out=m), lambda: operator.ixor(m, True),
                      lambda: m[:1].__setitem__(0, True), lambda: operator.imatmul(m[None], o),
                      lambda: np.random.default_rng(4).shuffle(m)):
            m[...] = x == 4
            s, before = x[m], m.tolist()
            write()
            self.assertNotEqual(m.tolist(), before)
            with self.assertRaisesRegex(TypeError, "two masks"):
                s + x[m]

    def test_masks_with_the_same_values(self):
        """As NumPy's idioms write them anew on both sides; a wait each."""
        for change in ("a[a < 0] += a[a < 0]", "a[a > 1] = 2 * a[a > 1]", "a[a > 1] = a[numpy.asarray(a) > 1] + 1",
                       "a[[v > 1 for v in numpy.asarray(a)]] *= a[a > 1]", "a[a < -9] = a[a > 9]",
                       "a[[v > 1 for v in numpy.asarray(a)]] *= a[numpy.asarray(a) > 1]",
                       "a[[bool(v > 1) for v in numpy.asarray(a)]] += a[[v > 1 for v in numpy.asarray(a)]]"):
            x, y = np.arange(-3.0, 4), numpy.arange(-3.0, 4)
            for a in (x, y):
                exec(change, {"a": a, "numpy": numpy})
            self.same(x, y)
        x = np.arange(6)
        for k in (x > 3, numpy.arange(6) > 3, [False] * 4 + [True] * 2):
            for m in (x > 2, numpy.arange(6) > 2, [False] * 3 + [True] * 3):
                with self.assertRaisesRegex(TypeError, "two masks, which select other elements"):
                    x[m] + x[k]

    def test_a_mask_of_itself(self):
        x, y = np.arange(6) > 2, numpy.arange(6) > 2
        x[x] = ~x[x]
        y[y] = ~y[y]
        self.same(x, y)

    def test_masks_of_other_packages(self):
        for mask in (numpy.arange(6) % 2 == 0, [True, False, True, False, True, False]):
            x, y = np.arange(6), numpy.arange(6)
            for a in (x, y):
                a[mask] = a[mask] + 1
                a[mask] += 1
                a[mask] *= a[mask]
            self.same(x, y)
        mask = numpy.arange(6) > 2
        x = np.arange(6)
        s = x[mask]
        mask[0] = True
        self.assertEqual(s.shape, (3,))
        with self.assertRaisesRegex(TypeError, "two masks"):
            x[mask] = s

    def test_gathered(self):
        x, y = pair("float32", (4, 5))
        got = numpy.asarray(x[x > 0])
        self.assertEqual((got.dtype, got.tolist()), (y.dtype, y[y > 0].tolist()))
        self.assertEqual(numpy.asarray(x[x > 0], dtype="float64").dtype, "float64")
        for call in (np.asarray, np.cumsum, numpy.sin):
            with self.assertRaises(TypeError, msg=call):
                call(x[x > 0])


class MeansAndExtremes(Case):
    def test_means(self):
        y = numpy.full(5000, 60000, "float16")
        x = np.asarray(y)
        self.same(x[x > 0].mean(), numpy.mean(y[y > 0]))
        for dtype in ("int8", "bool", "float32"):
            x, y = pair(dtype, (40, 3), 0, 0, 9)
            self.same(x[x[:, 0] > 0].mean(), y[y[:, 0] > 0].mean(), tolerance=1e-6)

    def test_extremes(self):
        for dtype in ("int8", "uint16", "bool", "float64"):
            x, y = pair(dtype, (4, 5))
            self.same(np.max(x[x > 0]), numpy.max(y[y > 0]), dtype)
            self.same(np.min(x[x > 0]), numpy.min(y[y > 0]), dtype)
            for f in (np.max, np.min):
                with self.assertRaisesRegex(ValueError, "no elements"):
                    f(x[x != x])
        x = np.zeros((3, 0))
        with self.assertRaisesRegex(ValueError, "no elements"):
            np.max(x[np.ones(3, dtype=bool)])


class Reductions(Case):
    """Of x[mask], by methods and by functions, with NumPy's arguments."""

    def test_of_all_elements_and_along_axes(self):
        for dtype in ("float64", "float32", "int32", "bool", "complex128"):
            x, y = pair(dtype, (6, 5), 3)
            for mask in (numpy.arange(30).reshape(6, 5) % 3 == 1, numpy.arange(6) % 2 == 0):
                m = np.asarray(mask)
                axes = [{}, {"axis": 0}, {"axis": None}, {"keepdims": True}] + [
                    {"axis": -2}, {"axis": (0, 1)}, {"axis": 0, "keepdims": True}, {"axis": 1}] * (mask.ndim == 1)
                for name in "sum mean prod min max any all std var ptp count_nonzero".split():
                    if (dtype == "complex128" and name in ("min", "max", "ptp")) or (dtype == "bool" and name == "ptp"):
                        continue
                    for keywords in axes:
                        what = f"{name} {dtype} {keywords}"
                        theirs = getattr(numpy, name)(y[mask], **keywords)
                        made = [getattr(np, name)(x[m], **keywords)]
                        if name != "count_nonzero":
                            made.append(getattr(x[m], name)(**keywords))
                        for ours in made:
                            if keywords == {"axis": 1}:  # of the selected rows: a selection
                                ours = np.asarray(numpy.asarray(ours))
                            self.same(ours, theirs, what, 1e-4 if dtype == "float32" else 1e-10)
        x, y = pair("int32", (20,))
        out = np.zeros((), "float64")
        self.assertIs(np.sum(x[x > 0], out=out), out)
        self.same(out, y[y > 0].sum().astype("float64"))
        self.same(np.sum(x[x > 0], dtype="float32"), y[y > 0].sum(dtype="float32"))
        self.same(np.mean(x[x > 0], dtype="float32"), y[y > 0].mean(dtype="float32"))
        self.same(np.std(x[x > 0], ddof=1), y[y > 0].std(ddof=1))

    def test_of_no_elements(self):
        x = np.arange(5.0)
        self.same(np.sum(x[x > 9]), numpy.float64(0))
        for name in ("min", "max"):
            with self.assertRaises(ValueError):
                getattr(np, name)(x[x > 9])
        with self.assertRaises(ValueError):  # numpy.AxisError is one
            x[x > 2].sum(axis=1)

    def test_what_it_says(self):
        x = np.zeros((4, 6), "float32")
        y = numpy.zeros((4, 6), "float32")
        x[1:, ::2], y[1:, ::2] = 2.5, 2.5
        for mine, theirs in ((x[x > 1], y[y > 1]), (x[x > 9], y[y > 9]),
                             (x[:, 0][x[:, 0] > 1] * 2j, y[:, 0][y[:, 0] > 1] * 2j),
                             (x[np.array([True, False, True, False])], y[[True, False, True, False]])):
            self.assertEqual((repr(mine), str(mine), f"{mine}", mine.tolist()),
                             (repr(theirs), str(theirs), f"{theirs}", theirs.tolist()))


class Beside(Case):
    """Keys of one mask, or one array of whole numbers, and slices and numbers beside it."""

    def test_indices(self):
        a = numpy.arange(120).reshape(2, 3, 4, 5)
        x = np.asarray(a)
        for key in ((0, slice(None), [1, 3]), (1, [0, 2], 1), ([0, 1], 1), ([0, 1, 1], 1, ..., 2), (..., [0, 2], 1),
                    (..., 1, [0, 2]), (1, ..., [0, 2]), (1, ..., [[0, 2], [1, 1]]),
                    (1, ..., [[0, 2], [1, 1]], slice(None)), (None, 1, [0, 2]),
                    (1, None, [0, 2]), (slice(None), 1, [0, 2]), ([0, 1], slice(None), 1),
                    ([1], slice(None, None, -1), -1, slice(1, 3)), (numpy.array([0, 1]), numpy.int64(1)),
                    (0, 1, [2, 0], 3), (0, 1, 2, [2, 0])):
            self.same(x[key], a[key], str(key))
        for wrong in ((5, [0, 1]), (1, [0, 7]), ([0, 1], 0.5), ([0, 1], slice(None), [0, 1])):
            with self.assertRaises(IndexError):
                x[wrong]

    def test_one_value(self):
        a = numpy.arange(24.0).reshape(2, 3, 4)
        x, m, b = np.asarray(a), np.asarray([True, False, True]), numpy.array([True, False, True])
        a = a.copy()
        for k, (key, theirs) in enumerate((((slice(None), m), (slice(None), b)), ((1, m), (1, b)),
                                           ((m[:2], 1), (b[:2], 1)), ((..., [True, False, False, True]),) * 2,
                                           ((1, ..., [False, True, True, False]),) * 2,
                                           ((slice(1, None), m, slice(None, None, 2)),
                                            (slice(1, None), b, slice(None, None, 2))),
                                           ((None, slice(None), m), (None, slice(None), b)))):
            x[key], a[theirs] = -k, -k
            self.same(x, a, str(theirs))
        x[:, x[0] == 0], a[:, a[0] == 0] = np.asarray(9.5), 9.5
        self.same(x, a)
        with self.assertRaisesRegex(IndexError, "mask of shape"):
            x[:, m[:2]] = 1
        with self.assertRaisesRegex(IndexError, "one value if slices are beside it"):
            x[:, m] = [1, 2, 3, 4]

    def test_numbers_that_do_not_fit(self):
        x, m = np.zeros((2, 2), "int8"), np.asarray([True, False])
        for write in (lambda: x.__setitem__(m, 300), lambda: x.__setitem__((slice(None), m),
                                                                           -129), lambda: np.putmask(x, x == 0, 300)):
            with self.assertRaises(OverflowError):
                write()
        with self.assertRaises(TypeError):
            x[:, m] = 1.5j
        self.same(x, numpy.zeros((2, 2), "int8"))
