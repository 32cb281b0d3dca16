"""Every function of NumPy's that tessera has: the calls of numpy_calls.txt against NumPy, and the same bits on any ranks."""
import hashlib
import json
import os
import pathlib
import tempfile
import unittest
import warnings

import numpy
import tessera
from support import Case, pair

here = pathlib.Path(__file__).resolve().parent
# A file of what each call gave on another number of ranks: the first run writes it.
DIGESTS = os.environ.get("TEST_DIGESTS", "")
# NumPy 2.4 has these no longer, or under another module's name.
NOT_IN_NUMPY = {"row_stack": numpy.vstack}


def lines():
    """(names, calls) of each line; a name that is there only partly begins with a question mark."""
    for line in (here / "numpy_calls.txt").read_text().splitlines():
        if line.strip() and line[0] != "#":
            names, _, rest = line.partition(": ")
            yield names.split(), [call.strip() for call in rest.partition(" # ")[0].split("; ")]


def calls():
    """(name, the call's text)."""
    for names, rest in lines():
        for name in (n.removeprefix("?") for n in names):
            for call in rest:
                yield name, call.replace("@", name).replace("$", name.removeprefix("ndarray."))


class Law:
    """Where random numbers lie."""

    def __init__(self, sample):
        self.kind = sample.dtype.name, sample.shape
        self.quantiles = numpy.quantile(numpy.asarray(sample).astype(float), (0.1, 0.25, 0.5, 0.75, 0.9))


def namespace(module, arrays, path):
    names = {name: getattr(module, name) for name in dir(module)}
    if module is numpy:
        names.update(NOT_IN_NUMPY, bitwise_not=numpy.bitwise_not)

    def wrote(a, function):
        a = a.copy()
        function(a)
        return a

    names.update(arrays, wrote=wrote, path=path, law=Law, of=lambda name: getattr(module, name),
                 sort_of=lambda a: numpy.sort(numpy.asarray(a)))
    return names


def digest(value):
    """The bits of a value; of NaN that it is one."""
    if isinstance(value, tessera.ndarray):
        value = value.__array__()
    if isinstance(value, numpy.ndarray):
        if value.dtype.kind in "fc":
            value = value.copy()
            for part in ((value.real, value.imag) if value.dtype.kind == "c" else (value,)):
                part[...] = numpy.where(numpy.isnan(part), numpy.nan, part)
        return hashlib.sha256(repr((value.shape, value.dtype.str)).encode() + value.tobytes()).hexdigest()
    if isinstance(value, (list, tuple)):
        return hashlib.sha256("".join(map(digest, value)).encode()).hexdigest()
    return repr(value.quantiles.tolist() if isinstance(value, Law) else value)


class Numpy(Case):
    def arrays(self):
        draw, theirs = numpy.random.default_rng(7), {}
        for name, of in (("x", "float64"), ("y", "float64"), ("i", "int64"), ("j", "int64"), ("m", "bool"), ("u", "uint8")):
            theirs[name] = pair(of, (4, 6), len(theirs) + 1)[1]
        theirs["c"] = theirs["x"] + 1j * (theirs["y"] * (theirs["y"] > 0))
        theirs["n"] = theirs["x"].copy()
        theirs["n"][0, :3] = numpy.nan, numpy.inf, -numpy.inf
        theirs["n"][2, 4] = numpy.nan
        theirs["w"] = draw.uniform(-0.9, 0.9, (4, 6))
        theirs["z"] = draw.uniform(0.25, 6.0, 6)
        theirs["s"] = numpy.sort(draw.uniform(-9, 9, 13))
        return {name: tessera.asarray(a) for name, a in theirs.items()}, theirs

    def compare(self, got, expected, what):
        if isinstance(expected, Law):
            self.assertEqual(got.kind, expected.kind, what)
            near = 0.06 * (1 + numpy.abs(expected.quantiles)) + (expected.kind[0][:3] == "int")
            self.assertTrue((numpy.abs(got.quantiles - expected.quantiles) < near).all(),
                            f"{what}: {got.quantiles} {expected.quantiles}")
        elif isinstance(got, numpy.ndarray):
            numpy.testing.assert_array_equal(numpy.unique(got).size, numpy.unique(expected).size, what)
            if "choice" not in what:
                numpy.testing.assert_array_equal(got, expected, what)
        elif isinstance(expected, (tuple, list)) and not isinstance(got, tessera.ndarray):
            self.assertEqual(len(got), len(expected), what)
            for a, b in zip(got, expected):
                self.compare(a, b, what)
        elif isinstance(got, tessera.ndarray):
            self.same(got, expected, what, tolerance=1e-11)
        elif isinstance(expected, numpy.dtype):
            self.assertEqual(got.name, expected.name, what)
        else:
            expected = expected.item() if isinstance(expected, numpy.generic) else expected
            self.assertIs(type(got), type(expected), what)
            self.assertEqual(got, expected, what)

    def test_calls(self):
        ours, theirs = self.arrays()
        path = os.path.join(tempfile.gettempdir(), f"tessera-test-numpy-{tessera.n_ranks()}")
        ours, theirs = namespace(tessera, ours, path + ".npy"), namespace(numpy, theirs, f"{path}-{tessera.rank()}-theirs.npy")
        known = json.loads(pathlib.Path(DIGESTS).read_text()) if DIGESTS and os.path.exists(DIGESTS) else {}
        found = {}
        tessera.random.seed(1)
        numpy.random.seed(1)
        for name, call in calls():
            with self.subTest(call=call), numpy.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = eval(call, dict(theirs))
                got = eval(call, dict(ours))
                self.compare(got, expected, call)
                found[call] = digest(got)
                if call in known:
                    self.assertEqual(found[call], known[call], f"other bits than on another number of ranks: {call}")
        tessera.barrier()
        self.assertTrue(not known or known.keys() == found.keys(), "other calls than on another number of ranks")
        if tessera.rank() == 0 and DIGESTS and not known:
            pathlib.Path(DIGESTS).write_text(json.dumps(found))
        for used in (path + ".npy", f"{path}-{tessera.rank()}-theirs.npy"):
            if (tessera.rank() == 0 or "theirs" in used) and os.path.exists(used):
                os.remove(used)

    @unittest.skipUnless(numpy.__version__.startswith("2.4."), "the names are NumPy 2.4's")
    def test_the_names_are_those_of_numpy(self):
        """numpy_names.json has the public callables of NumPy, but for other spellings of some that are Python's own names."""
        known = set(json.loads((here.parents[1] / "tools" / "numpy_names.json").read_text()))
        also = {"abs", "bitwise_not", "iterable", "max", "min", "round", "size", "test", "__array_namespace_info__",
                "ndarray.max", "ndarray.min", "ndarray.round"}
        found = {"random.get_bit_generator", "random.set_bit_generator"}
        for prefix, space in (("", numpy), ("linalg.", numpy.linalg), ("fft.", numpy.fft), ("random.", numpy.random)):
            found |= {prefix + name for name in space.__all__ if callable(getattr(space, name))}
        found |= {"ndarray." + name for name in dir(numpy.ndarray) if name[0] != "_" and callable(getattr(numpy.ndarray, name))}
        self.assertEqual(found - also, known)

    def test_each_name_is_there(self):
        for names, _ in lines():
            for name in (n.removeprefix("?") for n in names):
                of, *parts = tessera, *name.split(".")
                for part in parts:
                    of = getattr(of, part)
                self.assertTrue(callable(of), name)


if __name__ == "__main__":
    unittest.main()
