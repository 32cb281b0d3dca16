"""What the tests share: comparing with NumPy."""
import os
import unittest

import numpy
import tessera

DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128").split()
TOLERANCE = {"float16": 4e-3, "float32": 4e-6, "float64": 1e-13, "complex64": 1e-5, "complex128": 1e-12}


def needed(test, package):
    """Skips a test whose package is not installed for this Python; where all are needed, it fails."""
    (test.fail if os.environ.get("TEST_NEEDS_ALL") else test.skipTest)(f"{package} is not installed for this Python")


class Case(unittest.TestCase):
    def same(self, ours, theirs, what="", tolerance=None):
        """The same shape, dtype and values; floats within some units of the last place."""
        if isinstance(theirs, (tuple, list)) and not isinstance(ours, tessera.ndarray):
            self.assertEqual(len(ours), len(theirs), what)
            for a, b in zip(ours, theirs):
                self.same(a, b, what, tolerance)
            return
        theirs = numpy.asarray(theirs)
        self.assertIsInstance(ours, tessera.ndarray, what)
        self.assertEqual(ours.shape, theirs.shape, what)
        self.assertEqual(ours.dtype.name, theirs.dtype.name, what)
        got = numpy.array(ours.tolist(), dtype=theirs.dtype).reshape(theirs.shape)
        if theirs.dtype.kind in "fc":
            rtol = max(tolerance or 0, TOLERANCE[theirs.dtype.name])
            numpy.testing.assert_allclose(got, theirs, rtol=rtol, atol=rtol, err_msg=what)
        else:
            numpy.testing.assert_array_equal(got, theirs, err_msg=what)


def values(dtype, shape, seed=0, low=-9, high=9):
    """Elements that no operation of the tests overflows."""
    draw = numpy.random.default_rng(seed)
    kind = numpy.dtype(dtype).kind
    if kind == "b":
        return draw.integers(0, 2, shape).astype(bool)
    if kind == "u":
        return draw.integers(max(low, 0), high, shape).astype(dtype)
    if kind == "i":
        return draw.integers(low, high, shape).astype(dtype)
    real = draw.uniform(low, high, shape)
    if kind == "c":
        return (real + 1j * draw.uniform(low, high, shape)).astype(dtype)
    return real.astype(dtype)


def pair(dtype, shape, seed=0, low=-9, high=9):
    """The same elements, ours and NumPy's."""
    theirs = values(dtype, shape, seed, low, high)
    return tessera.asarray(theirs), theirs
