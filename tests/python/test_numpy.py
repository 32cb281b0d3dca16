"""Every function of NumPy's that tessera has: the calls of tools/numpy_calls.py against NumPy, and the same bits on any
ranks."""
import hashlib
import inspect
import json
import os
import pathlib
import tempfile
import unittest
import warnings

import numpy
import numpy_calls
import tessera
from support import Case, needed, pair

here = pathlib.Path(__file__).resolve().parent
# A file of what each call gave on another number of ranks: the first run writes it.
DIGESTS = os.environ.get("TEST_DIGESTS", "")
# NumPy 2.4 has these no longer, or under another module's name.
NOT_IN_NUMPY = {"row_stack": numpy.vstack}

BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
BY_POSITION = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY
# Parameters of NumPy's functions that ours have not.
NOT_BY_NAME = {"matvec": {"axes", "axis", "keepdims"}, "vecmat": {"axes", "axis", "keepdims"},
               **dict.fromkeys(("fix", "isneginf", "isposinf"), {"x"})}


# Calls that NumPy refuses, and the text that our error has.
REFUSED = """
max(x, where=m) > initial; min(x[:0]) > elements; sum(x, out=zeros(3)) > shape; quantile(x, 1.5) > not in
quantile(x, [0.5, 1.5]) > not in .0, 1.; quantile(x, 0.5, method='best') > method; linspace(z, 1, -1) > -1
linspace(0, z, 2.5) > integer; pad(x, -1) > negative; pad(x, 1, 'mirror') > mode
pad(x, 1, 'edge', stat_length=2) > stat_length; pad(x, (1, 2, 3)) > pad_width; pad(x, 1.5) > whole
pad(zeros((0, 3)), 1, 'symmetric') > empty; delete(x, 9, axis=0) > range; delete(x, [True], axis=0) > mask
insert(x, 9, 1, axis=0) > range; block([[x], x]) > depths; block([]) > empty; rollaxis(x, 5) > axis
choose([5], [x, y]) > range; choose(x, [x, y]) > whole; choose([0], [x], mode='any') > mode
select([], []) > conditions; select([x], [x]) > bool; select([m], [x, y]) > choices
piecewise(x, [m], [1, 2, 3]) > functions; gcd(x, y) > whole; spacing(c) > real; copyto(i, x) > cast
copyto(i, [1, 2]) > broadcast; putmask(x, m[:1], 1) > shape; fill_diagonal(z, 1) > axes
unravel_index([99], (2, 3)) > range; ravel_multi_index(([9], [0]), (2, 3)) > range; packbits(x) > whole
unpackbits(i) > uint8; packbits(m, bitorder='up') > bitorder; cov(reshape(x, (2, 3, 4))) > axes
histogram_bin_edges(x, 0) > bins; histogram_bin_edges(x, 'most') > rule; gradient(x, 1, 2, 3) > spacings
gradient(x, edge_order=3) > edge_order; gradient(z[:1]) > length; interp(x, s, s[1:]) > points
polyder(z, -1) > negative; polyint(z, -1) > negative; polyint(z, 3, [1, 2]) > constants
poly(reshape(x, (2, 3, 4))) > vector; einsum('ij,jk', x) > operands; asarray_chkfinite(n) > NaN|infs
common_type(m) > type; linalg.multi_dot([x]) > two; linalg.multi_dot([x, zeros((2, 3, 4)), y]) > matrix
fft.fftfreq(2.5) > whole; add.reduce(x, axis=7) > axis; subtract.reduce(x, axis=(0, 1)) > order
negative.reduce(x) > operands; less.accumulate(x) > bools; divmod.reduce(i) > one result
modf.reduceat(z, [0]) > one result; modf.outer(x, x) > two; ldexp.reduce(x) > exponents
add(x, x, dtype='float32', casting='safe') > float64; add(x, y, out=i) > cast; add(x, y, casting='most') > casting
fabs(x, where=m, dtype='int8') > where|rule; fabs(x, dtype='int64') > same_kind; matmul(x, y.T, dtype='int64') > rule
interp(x, s, s, period=0) > period; isclose(x, y, rtol=[1, 2]) > broadcast; fabs(x, out=3) > out=
minimum.reduce(x[:, :0], axis=1) > elements; trim_zeros(z, 'x') > trim; take(x, [9], axis=1) > range
cross(x, y) > elements; vecdot(x, z[:3]) > length; trace(z) > diagonal; column_stack([x, z[:3]]) > axis|shape|length
asarray([nan], 'int32') > NaN; asarray([inf], 'int64') > infinity; asarray([3e9], 'int32') > bounds
asarray([-1.5], 'uint8') > bounds; asarray([1j], 'float64') > complex; full(3, 300, 'uint8') > bounds
broadcast_to(x, (3, 3)) > broadcast
"""


def calls():
    """(name, the call's text)."""
    for line in numpy_calls.lines():
        for name in (n.removeprefix("?") for n in line.names):
            for call in line.calls:
                yield name, call.replace("@", name).replace("$", name.removeprefix("ndarray."))


class Law:
    """Where random numbers lie."""

    def __init__(self, sample):
        self.kind = sample.dtype.name, sample.shape
        self.quantiles = numpy.quantile(numpy.asarray(sample).astype(float), (0.1, 0.25, 0.5, 0.75, 0.9))


def plain(value):
    """NumPy's array of one of array-api-strict's, which has no methods of NumPy's."""
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return numpy.from_dlpack(value) if hasattr(value, "__dlpack__") else value


# array-api-strict 2.6 inverts the result of a number twice.
NOT_STRICTLY = {"isin(i, 4, invert=True)"}


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
        for name, of in (("x", "float64"), ("y", "float64"), ("i", "int64"), ("j", "int64"), ("m", "bool"),
                         ("u", "uint8")):
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
        ours, theirs = namespace(tessera, ours, path + ".npy"), namespace(numpy, theirs,
                                                                          f"{path}-{tessera.rank()}-theirs.npy")
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

    def test_calls_of_the_standard(self):
        """The calls that the array API's standard has give what array-api-strict gives, which refuses all others."""
        try:
            import array_api_strict as strict
        except ImportError:
            needed(self, "array-api-strict")
        ours, theirs = self.arrays()
        theirs = {name: strict.asarray(a) for name, a in theirs.items()}
        ours, theirs = namespace(tessera, ours, ""), namespace(strict, theirs, "")
        missing = {name for name, _ in calls() if callable(getattr(strict, name, None))}
        self.assertGreater(len(missing), 110)
        for name, call in calls():
            if not hasattr(strict, name) or call in NOT_STRICTLY:
                continue
            with self.subTest(call=call), numpy.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    expected = plain(eval(call, dict(theirs)))
                except Exception:
                    continue
                self.compare(eval(call, dict(ours)), expected, call)
                missing.discard(name)
        self.assertEqual(missing, set(), "functions of which no call is the standard's")

    def test_parameters_have_numpys_names(self):
        """What NumPy's functions take by name, ours take by that name, and by place where NumPy's do."""
        modules = ((tessera, numpy), *((getattr(tessera, m), getattr(numpy, m)) for m in ("linalg", "fft", "random")))
        shared = [(name, getattr(us, name), getattr(them, name)) for us, them in modules
                  for name in set(dir(us)) & set(dir(them))]
        n = 0
        for name, ours, theirs in sorted(shared, key=lambda one: one[0]):
            if name[0] == "_" or isinstance(theirs, type) or not callable(theirs):
                continue
            try:
                theirs = inspect.signature(theirs).parameters.items()
            except ValueError:
                continue
            ours = inspect.signature(ours).parameters.items()
            kinds = {one.kind for _, one in ours}
            with self.subTest(function=name):
                if inspect.Parameter.VAR_KEYWORD not in kinds:
                    left = {k for k, one in theirs if one.kind in BY_NAME} - {k for k, one in ours
                                                                              if one.kind in BY_NAME}
                    self.assertEqual(left, NOT_BY_NAME.get(name, set()))
                if inspect.Parameter.VAR_POSITIONAL not in kinds:
                    self.assertGreaterEqual(sum(one.kind in BY_POSITION for _, one in ours),
                                            sum(one.kind in BY_POSITION for _, one in theirs))
            n += 1
        self.assertGreater(n, 250)

    def test_what_is_refused(self):
        """By NumPy's kind of exception, with a text that says why; the arrays are left as they were."""
        ours, theirs = self.arrays()
        before = {name: digest(a) for name, a in ours.items()}
        ours, theirs = namespace(tessera, ours, ""), namespace(numpy, theirs, "")
        for item in (item.strip() for line in REFUSED.strip().split("\n") for item in line.split("; ")):
            call, _, text = item.partition(" > ")
            with self.subTest(call=call), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with self.assertRaises(Exception) as their:
                    eval(call, dict(theirs))
                of = ValueError, TypeError, IndexError, OverflowError
                kinds = tuple(kind for kind in of if isinstance(their.exception, kind))
                with self.assertRaisesRegex(kinds, text):
                    eval(call, dict(ours))
        self.assertEqual(before, {name: digest(ours[name]) for name in before})

    def test_methods_of_quantiles_without_nan(self):
        x = tessera.arange(5.0)
        self.assertEqual(float(tessera.nanquantile(x, 0.5, method="lower")), 2.0)
        self.assertEqual(float(tessera.nanquantile(x, 0.5, method="linear")), 2.0)

    def test_what_is_not_there_yet_is_named(self):
        ours = namespace(tessera, self.arrays()[0], "")
        for call, text in (("where(m)", "not there yet"), ("frexp(x, casting='no')", "casting="),
                           ("random.choice(s, 3, replace=False, p=s)", "p="), ("x.view('int64')", "int64"),
                           ("linalg.norm(x, 2)", "singular values"), ("poly(x[:, :4])", "eigenvalues"),
                           ("histogram_bin_edges(x, 'stone')", "stone"), ("add.at(x, [0], 1)", "add.at"),
                           ("nanvar(x, mean=1.0)", "mean="), ("modf(x, dtype='float32')", "dtype="),
                           ("sum(x, out=zeros((), int))", "cast"), ("divmod(x, 2, where=m)", "where=")):
            with self.subTest(call=call), self.assertRaisesRegex((TypeError, NotImplementedError), text):
                eval(call, dict(ours))

    def test_weights_of_another_method(self):
        x = tessera.arange(5.0)
        for module, array in ((tessera, x), (numpy, numpy.arange(5.0))):
            with self.assertRaisesRegex(ValueError, "weights"):
                module.quantile(array, 0.5, weights=array + 1)

    def test_numpys_functions_of_our_arrays(self):
        ours, theirs = self.arrays()
        for call in ("add.reduce(x, axis=1)", "multiply.outer(z, z)", "maximum.accumulate(x, axis=1)", "divmod(x, 2)",
                     "modf(x)",
                     "sum(x, where=m)", "pad(x, 1, 'symmetric')", "quantile(x, [0.2, 0.3], method='hazen')",
                     "gcd(i, 12)",
                     "linalg.multi_dot([x, y.T])", "fft.fftshift(x)", "linspace(z, 1.0, 3)", "cov(x)",
                     "insert(x, 1, 2.0, axis=0)",
                     "einsum('ij,kj,kl->il', x, y, y)", "take(x, [1], axis=1)", "logical_xor(x, m)",
                     "add.reduceat(z, [0, 2])", "interp(x, s, s)"):
            with self.subTest(call=call):
                got, expected = (eval("numpy." + call, {"numpy": numpy, **of}) for of in (ours, theirs))
                self.same(got, expected, call, tolerance=1e-11)
        with self.assertRaisesRegex(TypeError, "add.at is not there yet with an array of indices"):
            numpy.add.at(ours["z"], [0, 2], 1)

    @unittest.skipUnless(numpy.__version__.startswith("2.4."), "the names are NumPy 2.4's")
    def test_the_names_are_those_of_numpy(self):
        """numpy_names.json has the public callables of NumPy, but for other spellings of some that are Python's own
        names."""
        known = set(json.loads((here.parents[1] / "tools" / "numpy_names.json").read_text()))
        also = {"abs", "bitwise_not", "iterable", "max", "min", "round", "size", "test", "__array_namespace_info__",
                "ndarray.max", "ndarray.min", "ndarray.round"}
        found = {"random.get_bit_generator", "random.set_bit_generator"}
        for prefix, space in (("", numpy), ("linalg.", numpy.linalg), ("fft.", numpy.fft), ("random.", numpy.random)):
            found |= {prefix + name for name in space.__all__ if callable(getattr(space, name))}
        found |= {"ndarray." + name for name in dir(numpy.ndarray) if name[0] != "_"
                  and callable(getattr(numpy.ndarray, name))}
        self.assertEqual(found - also, known)

    def test_each_name_is_there(self):
        for line in numpy_calls.lines():
            for name in (n.removeprefix("?") for n in line.names):
                of, *parts = tessera, *name.split(".")
                for part in parts:
                    of = getattr(of, part)
                self.assertTrue(callable(of), name)


if __name__ == "__main__":
    unittest.main()
