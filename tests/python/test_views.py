"""Writes through what NumPy makes as a view: they reach the source, or are errors that say how. None is lost."""
import numpy
import tessera as np
from support import Case

SHARED = """x; x[...]; x[1:3]; x[:, ::2]; x[None]; x.T; x.view(); x.squeeze(); x.swapaxes(0, 1); x.reshape(24)
x.reshape(2, 12); x.reshape(3, 8); x.reshape(8, 3).T; x.ravel(); x.ravel().reshape(4, 6); x.T.reshape(24)
x.T.reshape(12, 2); x.T.ravel(); x.T.T.ravel(); x[1:3].ravel(); x[:, 1:3].ravel(); x[:, 1:3].reshape(8)
x[::2].reshape(12); x[::2].ravel(); x[::2].reshape(2, 3, 2); x[:, ::2].reshape(12); x[:, ::2].reshape(4, 3, 1)
x[::-1].reshape(24); x.real; x.imag; x.real.ravel(); x.real.reshape(24); x.imag.T; x.flatten(); x.copy(); np.real(x)
np.imag(x); np.reshape(x, (8, 3)); np.ravel(x); np.atleast_3d(x); np.moveaxis(x, 0, 1); np.flip(x); np.rot90(x)
np.split(x, 2)[0]; np.asarray(x); np.hsplit(x, 2)[0]; np.nan_to_num(x, copy=False); np.nan_to_num(x)
x.astype(x.dtype, copy=False); x.astype(x.dtype); np.expand_dims(x, 0); np.tile(x, 1); np.repeat(x, 1, 0)
np.concatenate([x]); np.resize(x, (4, 6)); x + 0; np.real(x).T.reshape(24); np.ravel(x)[3:5]
x.ravel()[::-1].reshape(6, 4); x.conj(); np.conj(x); x.conj()[1]"""


class Views(Case):
    def test_no_write_is_lost(self):
        n_refused = 0
        for dtype in ("float64", "complex128", "int32"):
            for text in SHARED.replace("\n", ";").split(";"):
                theirs = numpy.arange(24).reshape(4, 6).astype(dtype)
                view = eval(text, {"np": numpy, "x": theirs})
                is_view = numpy.shares_memory(theirs, view)
                x = np.copy(np.asarray(numpy.arange(24).reshape(4, 6).astype(dtype)))
                y = eval(text, {"np": np, "x": x})
                self.same(y, view, text)
                if not view.flags.writeable:  # the imaginary part of real numbers
                    continue
                before = x.tolist()
                try:
                    y[...] = 77
                except ValueError as error:
                    self.assertTrue(is_view, f"{text} is a copy of NumPy's: {error}")
                    self.assertIn("TSR0207", str(error))
                    self.assertEqual(x.tolist(), before)
                    self.same(y, view, text)
                    n_refused += 1
                    continue
                view[...] = 77
                self.same(x, theirs, text)
                self.same(y, view, text)
        self.assertGreater(n_refused, 30)

    def test_the_error(self):
        x = np.zeros((4, 6))
        y = x.reshape(24)
        with self.assertRaises(ValueError) as caught:
            y[3] = 1
        text = str(caught.exception)
        self.assertRegex(text, r"a write to a copy that stands for a view would be lost in `x\[\] =`\n"
                               r"  --> .*test_views.py:50 ")
        self.assertRegex(text, r"the copy, \(24,\) float64, was made by reshape at .*test_views.py:48\n")
        self.assertRegex(text, r"the array itself, \(4, 6\) float64, was made by zeros at .*test_views.py:47\n")
        self.assertIn("help: write to the array itself", text)
        self.assertNotIn("tsr_", text)
        for write in (lambda: y.fill(1), lambda: np.copyto(y, 1), lambda: np.add(y, 1, out=y), lambda: y.sort()
                      if hasattr(y, "sort") else y.fill(0), lambda: y.__iadd__(1), lambda: y.__setitem__(y < 1, 2),
                      lambda: np.random.default_rng(1).shuffle(y)):
            with self.assertRaises(ValueError):
                write()
        self.assertEqual((float(x.sum()), float(y.sum())), (0, 0))
        with self.assertRaises(ValueError), y.local(writable=True):
            pass

    def test_pad_takes_arrays_of_widths(self):
        x = numpy.arange(6.).reshape(2, 3)
        for widths in ([[1, 2], [0, 1]], [[1, 2]], [1, 2], 1):
            for of in (numpy.array(widths), np.array(widths)):
                self.same(np.pad(np.array(x), of), numpy.pad(x, widths), widths)
                if widths != [[1, 2], [0, 1]]:  # a mean of no elements is NaN, with a warning
                    self.same(np.pad(np.array(x), 2, "mean", stat_length=of),
                              numpy.pad(x, 2, "mean", stat_length=widths), widths)
        self.same(np.pad(np.array(x), [numpy.array([1, 2]), (0, 1)]), numpy.pad(x, [(1, 2), (0, 1)]),
                  "an array in a list")

    def test_arrays_in_cyclic_garbage_refuse_no_write(self):
        import gc
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            for write in (lambda y: y.__setitem__(0, 5), lambda y: y.__iadd__(5), lambda y: np.add(y, 5, out=y),
                          lambda y: y.fill(5), lambda y: np.random.default_rng(1).shuffle(y),
                          lambda y: y.local(writable=True).__enter__() and None):
                cycle = [np.zeros((4, 6))]
                cycle.append(cycle)
                y = cycle[0].ravel()
                with self.assertRaises(ValueError):
                    write(y)
                del cycle
                write(y)
                del y
            self.assertFalse(gc.isenabled())
        finally:
            if was_enabled:
                gc.enable()

    def test_column_major_arrays(self):
        n_shared = 0
        for make in ("np.zeros((4, 6), order='F')", "np.ones((4, 6), None, 'F')", "np.full((4, 6), 2., order='F')",
                     "np.array([[1., 2.], [3., 4.]], order='F')", "np.zeros((4, 6)).copy(order='F')",
                     "np.zeros((2, 3, 4), order='F')", "np.zeros((2, 1), order='F')", "np.zeros((4, 6))"):
            for text in ("x.ravel()", "x.reshape(-1)", "x.reshape(2, -1)", "x.T.ravel()", "x.T.reshape(-1)",
                         "x[:, 1:].T.ravel()", "x.T[1:].reshape(-1)", "x.T[::2].reshape(-1)", "x[1:].ravel()"):
                x, theirs = eval(make, {"np": np}), eval(make, {"np": numpy})
                y, view = eval(text, {"x": x}), eval(text, {"x": theirs})
                is_view = numpy.shares_memory(theirs, view)
                n_shared += is_view
                try:
                    y[...] = 7
                except ValueError as error:
                    self.assertTrue(is_view, f"{make}: {text} is a copy of NumPy's: {error}")
                    continue
                view[...] = 7
                self.same(x, theirs, f"{make}: {text}")
                self.same(y, view, f"{make}: {text}")
        self.assertGreater(n_shared, 20)

    def test_what_is_no_view_any_more(self):
        x = np.zeros((4, 6))
        y = x.ravel()
        y = y + 1
        y[0] = 5
        y += 1
        self.same(y, numpy.array([6.0] + [2.0] * 23))
        x = x.reshape(24)  # nobody has the source
        x[0] = 1
        x += 1
        self.same(x, numpy.array([2.0] + [1.0] * 23))
        z = np.arange(24.0).reshape(4, 6).reshape(3, 8)
        z[1:, 2:4] = 0
        self.assertEqual(float(z.sum()), 276 - 10 - 11 - 18 - 19)

        def flat():
            return np.ones((4, 6)).ravel()

        y = flat()
        y[3:] += 1
        self.assertEqual(float(y.sum()), 45)

    def test_a_method_that_is_kept(self):
        """A bound method keeps its array: what it gives twice are views of one array."""
        for r in (np.arange(12.0).reshape, (np.arange(6.0) + 1).repeat(2).reshape):
            a, b = r(3, 4), r(2, 6)
            a[1] = 100
            self.assertEqual(float(b[0, 5]), 100)
            self.assertEqual(float(b[1, 0]), 100)
        r = np.zeros((3, 4)).reshape
        y = r(12)
        with self.assertRaises(ValueError):
            y[0] = 1
        for made in map(np.zeros(6).reshape, [(2, 3), (3, 2)]):
            self.assertEqual(made.size, 6)

    def test_a_selection_of_a_copy(self):
        x = np.arange(6.0).reshape(2, 3)
        y = x.T.ravel()  # NumPy's is a copy
        y[y > 2] = 0
        self.same(y, numpy.array([0.0, 0, 1, 0, 2, 0]))

    def test_arrays_in_an_order_that_is_asked_for(self):
        """What lies so is the array itself, which is written through; what does not is a copy."""
        for make in ("np.zeros((4, 6))", "np.zeros((4, 6), order='F')", "np.zeros((4, 6)).T", "np.zeros((4, 6))[:, 1:]",
                     "np.zeros(4)",
                     "np.zeros((4, 1))", "np.zeros((4, 6))[::2]", "np.zeros((4, 6)).T + 1",
                     "np.zeros((2, 3, 4)).transpose(0, 2, 1)"):
            for take in ("np.asarray(x, order='F')", "np.asarray(x, order='C')", "np.asarray(x, order='K')",
                         "np.asarray(x, None, 'A')",
                         "np.ascontiguousarray(x)", "np.asanyarray(x, order='F')", "np.array(x, order='F')",
                         "np.array(x, order='F', copy=None)"):
                made = []
                for module in (np, numpy):
                    x = eval(make, {"np": module})
                    y = eval(take, {"np": module, "x": x})
                    y[0] = 7
                    made.append(numpy.asarray(x))
                numpy.testing.assert_array_equal(*made, err_msg=f"{make} {take}")
        with self.assertRaisesRegex(ValueError, "an order is"):
            np.asarray(np.ones((2, 2)), order="Q")
        with self.assertRaisesRegex(ValueError, "copy=False"):
            np.asarray(np.ones((2, 2)), order="F", copy=False)

    def test_the_order_of_what_is_computed(self):
        """NumPy lays x.T + 1 out column by column, so that its flat one is a copy."""
        x = np.arange(6.0).reshape(2, 3)
        for made in (x.T + 1, -x.T, np.sqrt(x.T), x.T.astype("float32")):
            want = numpy.asarray(made).T.copy().T.ravel()
            want[0] = 5
            y = made.ravel()
            y[0] = 5
            self.same(y, want)

    def test_flat(self):
        for turn in (lambda a: a, lambda a: a.T, lambda a: a[::-1, 1:]):
            made = []
            for module in (np, numpy):
                x = module.arange(12.0).reshape(3, 4)
                v = turn(x)
                n, first, third, last = len(v.flat), float(next(v.flat)), float(v.flat[3]), float(v.flat[-1])
                rows = [float(e) for e in v.flat]
                v.flat[2] = 30
                v.flat[-1] = 40
                v.flat[0:2] = 50
                made.append((x, module.asarray(v.flat[1:4]), n, first, third, last, rows))
                with self.assertRaises(IndexError):
                    v.flat[100]
                with self.assertRaises(IndexError):
                    v.flat[100] = 1
            for ours, theirs in zip(*made):
                self.same(ours, theirs) if isinstance(theirs, numpy.ndarray) else self.assertEqual(ours, theirs)
            x.flat = 7
            self.assertTrue((x == 7).all())
        y = np.zeros((2, 3))
        y.flat = 7
        self.same(y, numpy.full((2, 3), 7.0))

    def test_grids_are_copies(self):
        made = []
        for module in (np, numpy):
            a, b = module.meshgrid(module.arange(3.0), module.arange(2.0))
            a[0], b[0] = 2, 5
            made += [a, b]
        self.same(made[0], made[2])
        self.same(made[1], made[3])
        views = np.meshgrid(np.arange(3.0), np.arange(2.0), copy=False)
        for view, want in zip(views, numpy.meshgrid(numpy.arange(3.0), numpy.arange(2.0), copy=False)):
            self.same(view, want)
