"""tessera.fallback("numpy"): what Tessera lacks is computed by NumPy, and said; without it, an error names it."""
import warnings

import numpy
import tessera as np
from support import Case, pair


class Fallback(Case):
    def setUp(self):
        np._fallback._state["told"].clear()

    def told(self, call):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = call()
        return result, [str(w.message) for w in caught if issubclass(w.category, np.FallbackWarning)], caught

    def only_rank_0(self, n):
        return n if np.rank() == 0 else 0

    def test_without_it_what_is_not_there_is_named(self):
        x = np.ones((3, 3))
        with self.assertRaisesRegex(TypeError, "Tessera has no .*partition"):
            numpy.partition(x, 1)
        with self.assertRaisesRegex(TypeError, "numpy.add.at"):
            numpy.add.at(x, [0], 1)
        with self.assertRaisesRegex(AttributeError, "eigvals"):
            np.linalg.eigvals
        with self.assertRaisesRegex(AttributeError, "partition"):
            np.partition
        with self.assertRaises(AttributeError):
            x.partition

    def test_a_function_is_computed_and_told_once_for_a_line(self):
        x, a = pair("float64", (6, 6), 1)
        with np.fallback("numpy"):
            def all_of_it():
                for _ in range(3):
                    y = np.linalg.eigvalsh(x + x.T)
                return y
            y, texts, caught = self.told(all_of_it)
            self.same(y, numpy.linalg.eigvalsh(a + a.T), tolerance=1e-9)
            self.assertEqual(len(texts), self.only_rank_0(1))
            for text, warning in zip(texts, caught):
                self.assertIn("numpy.linalg.eigvalsh", text)
                self.assertIn("1 array, 288 bytes", text)
                self.assertTrue(warning.filename.endswith("test_fallback.py"))
        with self.assertRaises(AttributeError):
            np.linalg.eigvalsh

    def test_calls_of_numpy_and_methods(self):
        x, a = pair("float64", (50,), 2)
        with np.fallback("numpy"):
            for call, want in ((lambda: numpy.partition(x, 20), numpy.partition(a, 20)),
                               (lambda: np.partition(x, 20), numpy.partition(a, 20)),
                               (lambda: np.polyfit(x, x, 1) * 0, numpy.zeros(2)),
                               (lambda: x.argpartition(3)[:1] * 0, numpy.zeros(1, "int64"))):
                np._fallback._state["told"].clear()
                got, texts, _ = self.told(call)
                self.same(got, want)
                self.assertEqual(len(texts), self.only_rank_0(1), texts)
            m = x > 0
            got, texts, _ = self.told(lambda: np.partition(x[m], 0)[:1])
            self.same(got, numpy.partition(a[a > 0], 0)[:1])
            with self.assertRaises(AttributeError):
                x.no_such_method
            with self.assertRaises(AttributeError):
                np.no_such_function

    def test_what_numpy_would_write_is_not_lost(self):
        x = np.zeros(5)
        with np.fallback("numpy"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with self.assertRaisesRegex(ValueError, "read-only"):
                    numpy.put(x, [1], [2.0])
                y = np.zeros(2)
                self.assertIs(numpy.add.reduceat(np.ones(5), [0, 3], out=y), y)
        self.same(y, numpy.array([3.0, 2.0]))

    def test_on_and_off(self):
        np.fallback("numpy")
        self.assertTrue(np._fallback.is_on())
        with np.fallback(None):
            self.assertFalse(np._fallback.is_on())
        self.assertTrue(np._fallback.is_on())
        np.fallback(None)
        self.assertFalse(np._fallback.is_on())
        for to in ("cupy", True, 0):
            with self.assertRaisesRegex(ValueError, '"numpy" or None'):
                np.fallback(to)

    def test_what_numpy_writes_in_place_is_an_error_that_says_how(self):
        x, a = pair("float64", (6,), 1)
        with np.fallback("numpy"):
            for call in (lambda: x.sort(), lambda: np.put_along_axis(x, numpy.array([0]), 9.0,
                                                                     0), lambda: x.partition(2),
                         lambda: np.place(x, numpy.ones(6, bool), [0.0])):
                with self.assertRaisesRegex(ValueError, r"writes into its argument.*x\[\.\.\.\] = numpy\.sort\(x\)"):
                    self.told(call)
            self.same(x, a)
            x[...] = self.told(lambda: np.sort(x))[0]
        self.same(x, numpy.sort(a))
