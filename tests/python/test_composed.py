"""What the Python files compose, against NumPy."""
import numpy
import tessera as np
from support import Case, pair

CALLS = """
logical_xor(x > 0, y > 0); float_power(i, 2); fabs(x); fix(x); logaddexp2(x, y); isposinf(n); isneginf(n); nan_to_num(n)
nan_to_num(n, nan=1.0, posinf=9.0, neginf=-9.0); isreal(c); iscomplex(c); bitwise_count(i); column_stack([z, z])
column_stack([x, y]); append(z, 3.0 * z); append(x, y, axis=1); hsplit(x, 2); vsplit(x, 2); resize(z, (3, 5)); trace(x)
trace(x, 1); vander(z[:4]); vander(z[:4], 3, increasing=True); take(z, [2, 0, -1]); take(x, [[1, 0], [3, 3]], axis=0)
take(x, [1, -1], axis=1); take(x, 7); take_along_axis(x, i % 4, axis=0); take_along_axis(x, i[:, :2] % 4, 1)
searchsorted(s, x); searchsorted(s, x, side='right'); searchsorted(s, s); digitize(x, s); nancumsum(n[:2])
nancumprod(n[:2] / 9); diff(x > 0); ediff1d(z); ediff1d(z, to_end=1.0, to_begin=[2.0, 3.0]); gradient(z)
gradient(x, 0.5); gradient(x, axis=1); tensordot(x, y.T, 1); tensordot(x, y, axes=([0, 1], [0, 1]))
tensordot(x, y, axes=0); kron(x[:2, :2], y); cross(x[:, :3], y[:, 3:]); matrix_transpose(x); permute_dims(x, (1, 0))
vecdot(x, y); vecdot(c, c); broadcast_shapes((2, 1), (3,), 4 * (1,)); unstack(x); cumulative_sum(z)
cumulative_sum(x, axis=1, include_initial=True); cumulative_prod(z / 4, include_initial=True); isin(i, [1, 2, 30])
isin(i, 4, invert=True); array_equiv(x, x[None]); iscomplexobj(c); isscalar(3.0); std(x, correction=1)
var(x, axis=0, correction=0.5); clip(x, min=-1, max=1); clip(i, 2.0, None); repeat(x, i[:, 0] % 3, axis=0)
ones(3) * e - pi; linalg.norm(x, 'fro'); linalg.norm(x, 1); linalg.norm(x, inf); linalg.norm(x, -1, keepdims=True)
linalg.vector_norm(x, ord=3); linalg.vector_norm(x, axis=0, ord=inf); linalg.matrix_norm(x)
linalg.matrix_norm(x, ord=1); linalg.cross(x[:, :3], y[:, :3]); linalg.matrix_power(x[:, :4] / 9, 5)
linalg.matrix_power(x[:, :4], 0); linalg.outer(z, z); linalg.trace(x); linalg.diagonal(x); fft.fftfreq(7, d=0.5)
fft.rfftfreq(8); fft.fftshift(x); fft.ifftshift(x, axes=1); fromfunction(lambda a, b: a + 2 * b, (3, 4))
"""


class Composed(Case):
    def test_calls(self):
        ours, theirs = {}, {}
        for name, shape, dtype, seed in (("x", (4, 6), "float64", 1), ("y", (4, 6), "float64", 2),
                                         ("i", (4, 6), "int64", 4)):
            ours[name], theirs[name] = pair(dtype, shape, seed)
        theirs["z"] = numpy.abs(theirs["x"][0]) + 0.25
        theirs["s"] = numpy.sort(theirs["x"].ravel()[:13])
        theirs["c"] = theirs["x"] + 1j * (theirs["y"] > 0)
        theirs["n"] = theirs["x"].copy()
        theirs["n"][0, :3] = numpy.nan, numpy.inf, -numpy.inf
        for name in "zscn":
            ours[name] = np.asarray(theirs[name])
        theirs["kron"] = lambda a, b: numpy.kron(a, b)
        for call in (c.strip() for line in CALLS.split("\n") for c in line.split(";") if c.strip()):
            with self.subTest(call=call), numpy.errstate(all="ignore"):
                got = eval(call, {}, {**{n: getattr(np, n) for n in dir(np)}, **ours})
                expected = eval(call, {}, {**{n: getattr(numpy, n) for n in dir(numpy)}, **theirs})
                if isinstance(got, (bool, int, str)) or "broadcast_shapes" in call:
                    self.assertEqual(got, expected, call)
                else:
                    self.same(got, expected, call, tolerance=1e-11)

    def test_searchsorted_of_every_length(self):
        for n in range(12):
            s = numpy.arange(n) * 2.0
            v = numpy.arange(-1, 2 * n + 2) * 1.0
            for side in ("left", "right"):
                self.same(np.searchsorted(np.asarray(s), v, side=side), numpy.searchsorted(s, v, side=side), (n, side))

    def test_random(self):
        r, s = np.random.default_rng(3), np.random.default_rng(3)
        self.assertEqual(r.random(5).tolist(), s.random(5).tolist())
        self.assertNotEqual(r.random(5).tolist(), np.random.default_rng(3).random(5).tolist())
        u = r.uniform(2.0, 4.0, (100, 100))
        self.assertTrue(2 <= float(np.min(u)) and float(np.max(u)) <= 4 and abs(float(np.mean(u)) - 3) < 0.05)
        g = r.normal(1.0, 2.0, 20000)
        self.assertLess(abs(float(np.std(g)) - 2), 0.05)
        k = r.integers(3, 7, size=1000)
        self.assertEqual((sorted(set(k.tolist())), k.dtype), ([3, 4, 5, 6], np.int64))
        self.assertEqual(sorted(r.permutation(20).tolist()), list(range(20)))
        x = np.arange(20)
        r.shuffle(x)
        self.assertEqual(sorted(x.tolist()), list(range(20)))
        self.assertEqual(r.choice(x, 7, replace=False).shape, (7,))
        self.assertEqual(r.exponential(2.0, (2, 3)).shape, (2, 3))
        self.assertEqual(r.normal(np.zeros((4, 1)), np.ones(3)).shape, (4, 3))

    def test_files(self):
        import os
        import tempfile
        path = os.path.join(tempfile.gettempdir(), "tessera-test-python.npy")
        x, y = pair("float32", (5, 7))
        np.save(path, x)
        self.same(np.load(path), y)
        np.barrier()
        if np.rank() == 0:
            os.remove(path)

    def test_namespace(self):
        self.assertIs(np.zeros(1).__array_namespace__(), np)
        info = np.__array_namespace_info__()
        self.assertIs(info.default_dtypes()["integral"], np.int64)
        self.assertEqual(set(info.dtypes(kind="real floating")), {"float32", "float64"})
        self.assertEqual(np.zeros(1).to_device("cpu").tolist(), [0])
        with self.assertRaises(ValueError):
            np.zeros(1, device="gpu")if False else np.asarray(1, device="gpu")
