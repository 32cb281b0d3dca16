"""Edges of functions, against NumPy: the values, or an exception of the class of NumPy's."""
import os
import tempfile

import numpy
import tessera as np
from support import Case

ALIKE = """np.copysign.reduce(x); np.hypot.reduce(x); np.hypot.reduce(x[:1]); np.hypot.accumulate(x); np.fmod.reduce(x)
np.nextafter.reduce(x); np.heaviside.reduce(x); np.float_power.reduce(f); np.float_power.reduce(x); np.power.reduce(x)
np.float_power.accumulate(f); np.arctan2.accumulate(x); np.arctan2.accumulate(u8); np.arctan2.accumulate(f)
np.arctan2.accumulate(m, axis=1); np.copysign.accumulate(x); np.copysign.reduce(m, axis=0, keepdims=True)
np.gcd.reduce(x); np.floor_divide.reduce(x); np.true_divide.reduce(x); np.subtract.reduce(u8); np.hypot.reduce(x > 1)
np.power.reduce(x > 1); np.hypot.reduce(x, dtype="float32"); np.fmax.reduce(u8); np.left_shift.reduce(x)
np.logaddexp2.reduce(x); np.logaddexp2(u8, u8); np.logaddexp(u8, u8); np.logaddexp2(x, x); np.logaddexp(x, x)
np.logaddexp2(u8, 3); np.logaddexp2(f, f); np.logaddexp2(f, 2.0); np.logaddexp2(x > 1, x > 2); np.logaddexp2(i16, 1)
np.logaddexp(i16, 1); np.logaddexp2(x, np.inf); np.logaddexp2(-np.inf, f); np.logaddexp2(np.nan, f)
np.nanargmax(n, axis=1); np.nanargmin(n, axis=1); np.nanargmax(n); np.nanargmin(n, axis=0); np.nanargmax(n[0])
np.nanargmax(x); np.nanargmax(m, axis=1, keepdims=True); np.modf(f, out=f); np.frexp(f, out=f); np.divmod(x, 2, out=x)
np.modf(f, out=(f,)); np.modf(f, out=[f, f]); np.modf(f, out=(f + 0, f + 0)); np.modf(f, f + 0)
np.modf(f, out=(None, f + 0)); np.broadcast_to(x, (2, 4)).__setitem__(0, 1); np.broadcast_to(x, (4,)).__setitem__(0, 1)
np.broadcast_to(x, (4,)).__iadd__(1); np.broadcast_to(x, (4,))[1:].T.__setitem__(0, 1)
np.broadcast_to(x, (4,)).reshape(2, 2).__setitem__(0, 1); np.broadcast_to(x, (2, 4)).copy()
np.broadcast_to(x, (2, 4)) + 1; x == None; x != None; None == x; m != None; np.unwrap(z); np.unwrap(f); 1 in m; 77 in m
1 in x; x.__contains__(None); m[3]; m[0, 9]; m[0, 0, 0]; x[9]; x[-5]; m[[0, 5]]; np.take(x, 9); np.take(x, [0, 9])
x.item(9); x.__setitem__(9, 1); m.__setitem__((0, 0, 0), 1); m.sum(axis=5); x[4:].max(); np.load("/nowhere/x.npy")
np.load("/"); np.save("/nowhere/x", x); np.random.default_rng(-1); np.random.default_rng(1.5)
np.random.default_rng("a"); np.random.default_rng([1, -2]); np.random.seed(-1); np.random.seed(2**32)
np.random.seed(1.5); np.random.default_rng([1, 2.5]); np.linspace(0, 1, 3, axis=5); np.linspace(x, 9, 3, axis=-1)
np.logspace(x, 2, 3, axis=2); np.geomspace(x, m[0, 1:2], 3, axis=1); np.linspace(f, 3, 4); np.linspace(0, 1j, 3)
np.linspace(x, 1, 2.5); np.geomspace(-x, -9, 3, False); np.linspace(0, 9, 4, retstep=True); np.where(x > 1, x)
np.where(x, 1); np.vander([1, 2], -1); np.einsum(x); np.linalg.norm(m, "a"); np.linalg.norm(m, 3); np.power.reduce(-x)
np.power.reduce([2, 3, 2]); np.power.accumulate(-x); np.power.outer(x, -x); np.add.reduceat(x, 1)
np.power.reduce([-2, 3]); np.power.reduce([2, 3], initial=2); np.power.reduce([-2, 3], initial=2)
np.power.reduce(m.T, -1); np.power.reduce(z); np.power.outer(2, x); np.ndindex(-1)
np.ndindex(2.5); list(np.ndindex(2, 0)); list(np.ndindex()); np.zeros((10**30,)).shape; np.eye(10**30); x[10**30]
np.sum(x, axis=10**30); np.full(3, 10**30, dtype="int8"); np.add.accumulate(m, axis=None)
np.add.reduce(x, where=np.zeros((2, 2), bool)); np.logical_and.reduce(m, initial=False); np.logical_and.reduce(x)
np.logical_or.reduce(m, axis=None, initial=True); np.logical_and.reduce(m, where=m > 3, initial=True); np.lcm.reduce(x)
np.lcm.reduce(x[:0]); np.sin(x, out=np.zeros((2, 2))); np.gcd(f, 2); np.float_power(x, -1); np.gcd.outer(x, m)
np.fmax.reduce(m, (0, 1), keepdims=True); np.nan_to_num(n); np.nan_to_num(x); np.average(m, axis=0, returned=True)
np.linalg.matrix_power(m[:, :3], 0)""".replace("\n", ";")


def result(numpy_or_ours, text):
    arrays = {"x": numpy.array([3, 1, 2, 7]), "f": numpy.array([1.5, 2.5, 3.5], "float32"),
              "u8": numpy.array([1, 2, 200], "uint8"), "i16": numpy.array([300, 1], "int16"),
              "m": numpy.arange(12).reshape(3, 4), "z": numpy.array(3.0),
              "n": numpy.array([[numpy.nan, numpy.nan], [1.0, 2.0]])}
    try:
        return eval(text, {"np": numpy_or_ours, **{k: numpy_or_ours.asarray(v) for k, v in arrays.items()}})
    except Exception as error:
        return error


class Scripts(Case):
    def test_grids(self):
        for text in ("@[0:3, 0:4]", "@[0:5]", "@[-1:1:5j]", "@[-1:1:5j, 0:3]", "@[0:1:0.25, 2:8:2, :2]", "@[0:3,]",
                     "@[0:0, 0:2]"):
            for name in ("mgrid", "ogrid"):
                self.same(eval(text.replace("@", "np." + name)), eval(text.replace("@", "numpy." + name)),
                          f"{name}: {text}")
        for call in (lambda: np.mgrid[3], lambda: np.mgrid[0:], lambda: np.ogrid[0:2, 1]):
            with self.assertRaises(TypeError):
                call()

    def test_floating_point_errors(self):
        with np.errstate(divide="ignore", invalid="warn"):
            self.assertEqual((np.ones(2) / 0).tolist(), [numpy.inf] * 2)
        self.assertEqual(np.seterr(all="ignore"), np.geterr())
        self.assertEqual(np.errstate(over="ignore")(lambda x, y=1: x + y)(1, y=2), 3)
        for call in (lambda: np.seterr(all="raise"), lambda: np.errstate(divide="call").__enter__()):
            with self.assertRaisesRegex(ValueError, "isfinite"):
                call()
        with self.assertRaises(TypeError):
            np.seterr(nonsense="ignore")

    def test_lists_with_arrays_and_lists(self):
        for text in ("[@.arange(3), [1, 2, 3]]", "[[1, 2, 3], @.arange(3)]",
                     "[[@.ones(2), [1, 2]], [[3, 4], @.ones(2)]]", "[@.asarray(1)[...], 2]", "[@.arange(2), (1, 2.5)]"):
            self.same(np.asarray(eval(text, {"@": 0, "x": 0} | {"np": np}) if "@" not in text
                                 else eval(text.replace("@", "np"))),
                      numpy.asarray(eval(text.replace("@", "numpy"))), text)
        for items in ([np.arange(3), [1, 2]], [[1, 2], np.arange(3)], [np.arange(3), 1]):
            with self.assertRaises(ValueError):
                np.asarray(items)
        self.assertEqual((np.iterable(np.ones(3)), np.iterable(3)), (True, False))


class Edges(Case):
    def test_powers_of_floats_are_reduced_in_order(self):
        """NumPy 2.4 reduces powers and angles of floats wrongly with AVX-512, but accumulates them rightly."""
        for dtype in ("float32", "float64"):
            values = numpy.array([1.5, 2.5, 0.5, 3.5], dtype)
            for name in ("power", "arctan2"):
                self.same(getattr(np, name).reduce(np.asarray(values)),
                          getattr(numpy, name).accumulate(values)[-1], f"{name}.reduce of {dtype}")
        self.same(np.power.reduce(np.asarray([-3, -1, -2]), dtype=float),
                  numpy.power.accumulate([-3.0, -1, -2])[-1], "power.reduce(x, dtype=float)")

    def test_values_and_exceptions(self):
        n_raised = 0
        for text in ALIKE.split(";"):
            with numpy.errstate(all="ignore"):
                theirs, ours = result(numpy, text.strip()), result(np, text.strip())
            if isinstance(theirs, Exception):
                of = next(c for c in type(theirs).__mro__ if c.__module__ == "builtins")
                self.assertIsInstance(ours, of, f"{text}: {ours!r}, not {theirs!r}")
                n_raised += 1
            elif isinstance(theirs, bool):
                self.assertIs(ours, theirs, text)
            else:
                self.assertNotIsInstance(ours, Exception, f"{text}: {ours!r}")
                self.same(ours, theirs, text)
        self.assertGreater(n_raised, 25)

    def test_a_fold_takes_the_dtype_of_its_first_step(self):
        """NumPy's reduce of arctan2 depends on the processor; its definition does not."""
        for y in (numpy.array([3, 1, 2, 7]), numpy.array([1.5, 2.5, 0.5], "float32")):
            want = y[0].astype(numpy.arctan2(y, y).dtype)
            for v in y[1:]:
                want = numpy.arctan2(want, v)
            self.same(np.arctan2.reduce(np.asarray(y)), want)
            self.same(np.arctan2.reduce(np.asarray(y), keepdims=True), want.reshape(1))

    def test_errors_are_also_tesseras(self):
        for text in ("m[3]", "m[0, 0, 0]", "np.load('/nowhere/x.npy')", "np.load('/')", "m.sum(axis=5)"):
            self.assertIsInstance(result(np, text), np.TesseraError, text)
        error = result(np, "np.load('/nowhere/x.npy')")
        self.assertEqual(error.code, "TSR0502")
        self.assertIn("/nowhere/x.npy", str(error))

    def test_an_index_is_made_when_it_is_asked_for(self):
        indices = np.ndindex(10**9, 10**9)
        self.assertEqual([next(indices) for _ in range(2)], [(0, 0), (0, 1)])
        self.assertEqual(list(np.ndindex(2, 1, 3)), list(numpy.ndindex(2, 1, 3)))

    def test_what_is_no_array(self):
        for x, text in ((None, "numbers and bools"), ("abc", "numbers and bools"), ({1, 2}, "list"),
                        ((k for k in range(3)), "fromiter"), ({1: 2}, "list"), (object(), "numbers and bools"),
                        ([1, None], "numbers and bools")):
            with self.subTest(x), self.assertRaisesRegex(TypeError, text):
                np.array(x)
        with self.assertRaisesRegex(OverflowError, "the integer 1000000000000000000000 is beyond int64"):
            np.roll(np.arange(3), 10**21)

    def test_seeds(self):
        def draws(seed):
            return np.random.default_rng(seed).random(5).tolist()

        seeds = [0, 1, 2**32, 2**63, 2**64, 2**64 + 1, 2**70, 2**128, [1, 2, 3], [1, 2, 4], [1, 0, 2], [2, 1, 3]]
        drawn = [draws(seed) for seed in seeds]
        for k, one in enumerate(drawn):
            self.assertEqual(one, draws(seeds[k]))
            self.assertNotIn(one, drawn[:k])
        for same in (([5], 5), ((5, 1), 5 + 2**32), (numpy.array([5, 7]), [5, 7]), (numpy.int64(3), 3), ([], 0),
                     (np.asarray([5, 7]), [5, 7])):
            self.assertEqual(draws(same[0]), draws(same[1]))
        np.random.seed(3)
        first = np.random.random(3).tolist()
        np.random.seed(numpy.int64(3))
        self.assertEqual(np.random.random(3).tolist(), first)
        np.random.seed([1, 2])

    def test_files_get_their_end(self):
        folder = None
        if np.rank() == 0:
            folder = tempfile.mkdtemp()
        path = os.path.join(np.asarray(numpy.frombuffer((folder or "").encode().ljust(256),
                                                        "uint8")).tobytes().decode().strip(), "a")
        x = np.arange(6.0)
        np.save(path, x)
        self.same(np.load(path + ".npy"), numpy.arange(6.0))
        np.save(path + ".npy", x + 1)
        self.same(np.load(path + ".npy"), numpy.arange(1.0, 7.0))
        np.barrier()
        if np.rank() == 0:
            self.assertEqual(os.listdir(folder), ["a.npy"])
            os.remove(path + ".npy")
            os.rmdir(folder)
