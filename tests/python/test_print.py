"""Arrays as text without NumPy, in NumPy's layout."""
import os
import subprocess
import sys

import numpy
import tessera as np
from support import DTYPES, Case, pair
from tessera import _ndarray, _print


class Printing(Case):
    def check(self, x, a):
        for separator, margin, prefix in ((" ", 0, ""), (", ", 6, "array(")):
            left_out = x.size > 1000
            shown = _ndarray._corners(x) if left_out else x
            ours = _print.text(shown.tolist(), x.shape, x.dtype, separator, margin, left_out)
            self.assertEqual(ours, numpy.array2string(a, separator=separator, prefix=prefix), a.dtype)

    def test_every_dtype_and_shape(self):
        for dtype in DTYPES:
            for shape in ((), (1,), (7,), (40,), (3, 4), (2, 3, 4), (2, 1, 2, 3), (0,), (2, 0), (20, 9)):
                self.check(*pair(dtype, shape, 3))

    def test_what_repr_tells(self):
        newest = tuple(int(n) for n in numpy.__version__.split(".")[:2]) >= (2, 2)
        for dtype in ("float64", "float32", "int8", "bool", "complex64"):
            for shape in ((), (0,), (0, 3), (3, 0), (5,), (14,), (17,), (18,), (19,), (3, 4), (2000,), (3, 500),
                          (40, 30), (2, 600)):
                x, a = pair(dtype, shape, 3)
                a = numpy.asarray(a)
                if newest or a.size <= 1000:
                    self.assertEqual(repr(x), numpy.array_repr(a))
                self.assertEqual(str(x), str(a))
        with self.assertRaisesRegex(TypeError, "format '.2f' is for one number"):
            format(np.arange(3), ".2f")

    def test_floats(self):
        nan, inf = float("nan"), float("inf")
        for dtype in ("float64", "float32", "float16"):
            for values in ([0.1, 0.25, 3], [1e-5, 2], [1, 1000], [1, 1001.5], [0, 0], [-0.0, 1.5], [1 / 3, 2 / 3],
                           [nan, 1.5], [inf, 1], [-inf, nan], [nan], [123.456, -0.001], [1e4, 1.25], [100, 200.5],
                           [3.14159265, 2.718281828459045], [0.1 + 0.2], [5e4, 12.5]):
                a = numpy.array(values, dtype)
                self.check(np.asarray(a), a)
        for values in ([1e8, 1], [1e300, 1e-300], [123456789.123], [99999999.5, 1e7], [1e16, 1], [1e-10, 1e-20],
                       [5e-324, 1], [1.7976931348623157e308], [nan, 1e10, -inf]):
            a = numpy.array(values)
            self.check(np.asarray(a), a)

    def test_drawn_values(self):
        draw = numpy.random.default_rng(5)
        for k in range(200):
            a = draw.normal(size=draw.integers(1, 30)) * 10.0**draw.integers(-6, 10)
            self.check(np.asarray(a), a)
            a = a.astype("float32")
            self.check(np.asarray(a), a)

    def test_the_middle_is_left_out(self):
        for shape in ((2000,), (40, 50), (3, 700), (7, 8, 30), (2, 3, 500)):
            a = numpy.arange(numpy.prod(shape)).reshape(shape)
            self.check(np.asarray(a), a)

    def test_a_program_without_numpy(self):
        if np.n_ranks() > 1:
            self.skipTest("programs are started on one rank")
        text = ("import sys; sys.modules['numpy'] = None\nimport tessera as np\nx = np.linspace(0, 1, 5)\n"
                "print(x); print(repr(x))\nprint(np.arange(10000).reshape(100, 100)); print(np.asarray(2.5), "
                "repr(np.zeros((2, 2), 'float32')))")
        env = {**os.environ, "LD_PRELOAD": os.environ.get("TEST_PRELOAD", "")}
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = numpy.arange(10000).reshape(100, 100)
        self.assertEqual(done.stdout, "[0.   0.25 0.5  0.75 1.  ]\narray([0.  , 0.25, 0.5 , 0.75, 1.  ])\n"
                         + str(whole) +
                         "\n2.5 array([[0., 0.],\n       [0., 0.]], dtype=float32)\n")


class Options(Case):
    def test_numpys_options_are_those_of_both(self):
        for options in ({"precision": 3}, {"threshold": 5}, {"threshold": 10, "edgeitems": 2},
                        {"suppress": True, "linewidth": 40}):
            with np.printoptions(**options):
                self.assertEqual(np.get_printoptions(), numpy.get_printoptions())
                for shape in ((20,), (4, 9), (3,)):
                    x, a = pair("float64", shape, 3)
                    self.assertEqual((str(x), repr(x)), (str(a), repr(a)))
        np.set_printoptions(precision=4)
        self.assertEqual(str(np.asarray([1 / 3])), "[0.3333]")
        np.set_printoptions(precision=8)
