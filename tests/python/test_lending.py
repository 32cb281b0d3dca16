"""Elements for other code: the lent tile, gathered elements, buffers that are refused."""
import io

import numpy
import tessera as np
from support import Case, pair

SHAPE = (60, 40)


class Local(Case):
    def test_tiles_cover_the_array(self):
        x, a = pair("float64", SHAPE, 1)
        x = x * 2
        with x.local() as tile:
            self.assertEqual((tile.dtype, len(tile.origin), tile.halo), (np.float64, 2, ((0, 0), (0, 0))))
            n = tile.shape[0] * tile.shape[1]
            part = numpy.asarray(tile)
            self.assertEqual(part.shape, tile.shape)
            if n:
                lo, hi = tile.origin, tuple(o + k for o, k in zip(tile.origin, tile.shape))
                numpy.testing.assert_array_equal(part, 2 * a[lo[0]:hi[0], lo[1]:hi[1]])
            del part
        if np.n_ranks() == 1:
            self.assertEqual(n, a.size)
        self.same(x, 2 * a)

    def test_halo(self):
        x, a = pair("float64", SHAPE, 2)
        x = x + 1
        for halo in (1, (2, 0), (0, 3), [1, 1], (100, 100)):
            with x.local(halo=halo) as tile:
                if tile.shape[0] * tile.shape[1] == 0:
                    continue
                (up, left), (down, right) = tile.halo
                widths = (halo, halo) if isinstance(halo, int) else halo
                self.assertEqual((up, left), tuple(min(w, o) for w, o in zip(widths, tile.origin)))
                ends = tuple(n - o - k for n, o, k in zip(SHAPE, tile.origin, tile.shape))
                self.assertEqual((down, right), tuple(min(w, e) for w, e in zip(widths, ends)))
                rows = slice(tile.origin[0] - up, tile.origin[0] + tile.shape[0] + down)
                columns = slice(tile.origin[1] - left, tile.origin[1] + tile.shape[1] + right)
                numpy.testing.assert_array_equal(numpy.array(tile), a[rows, columns] + 1)
                self.assertEqual(numpy.array(tile)[tile.inner].shape, tile.shape)

    def test_what_is_written_counts(self):
        x, a = pair("float32", SHAPE, 3)
        with x.local(halo=1, writable=True) as tile:
            part = numpy.asarray(tile)
            part[tile.inner] += 10 * (1 + tile.origin[0] * 0)
            del part
        self.same(x, a + numpy.float32(10))

    def test_views(self):
        y, b = pair("int64", (30, 50), 4)
        y = y + 0
        for view, want in ((y[::2, 5:], b[::2, 5:]), (y.T, b.T), (y[::-1], b[::-1]), (y[3], b[3]),
                           (np.sum(y), b.sum())):
            with view.local() as tile:
                part = numpy.array(tile)
                at = tuple(slice(o, o + n) for o, n in zip(tile.origin, tile.shape))
                if part.size:
                    numpy.testing.assert_array_equal(part, want[at] if at else want)
                else:
                    self.assertTrue(np.n_ranks() > 1 and 0 in tile.shape + part.shape)

    def test_dtypes(self):
        for dtype in "bool int8 uint16 float16 complex64 complex128".split():
            x, a = pair(dtype, (12,), 5)
            with x.local() as tile:
                at = slice(tile.origin[0], tile.origin[0] + tile.shape[0])
                part = numpy.array(tile)
                self.assertEqual(part.dtype, a.dtype if part.size else part.dtype)
                numpy.testing.assert_array_equal(part, a[at])

    def test_errors(self):
        x = np.zeros((4, 4))
        for halo, kind in ((-1, ValueError), ((1, 2, 3), ValueError), ((1,), ValueError), ("a", TypeError)):
            with self.assertRaises(kind, msg=halo):
                with x.local(halo=halo):
                    pass
        with self.assertRaisesRegex(ValueError, "lent"):
            with x.local():
                x += 1
        tile = x.local()
        for use in (lambda: tile.origin, lambda: memoryview(tile), lambda: tile.inner, lambda: tile.halo,
                    lambda: tile.dtype):
            with self.assertRaisesRegex(BufferError, "with x.local"):
                use()
        with tile:
            self.assertFalse(numpy.asarray(tile).flags.writeable)
            with self.assertRaises((TypeError, BufferError)):
                io.BytesIO(b"12345678").readinto(tile)
            with self.assertRaisesRegex(BufferError, "lent already"):
                tile.__enter__()
        with self.assertRaisesRegex(ValueError, "repeats elements"):
            with np.broadcast_to(np.zeros(3), (4, 3)).local(writable=True):
                pass
        self.same(x + 1, numpy.ones((4, 4)))

    def test_a_buffer_that_outlives_its_block(self):
        x = np.zeros((4, 4)) + 1
        with self.assertRaisesRegex(BufferError, "outlive"):
            with x.local() as tile:
                kept = memoryview(tile)
        kept.release()
        x += 1
        self.same(x, numpy.full((4, 4), 2.0))

    def test_a_buffer_that_outlives_its_block_keeps_the_memory(self):
        """The array is lent until the last buffer goes: nothing else lies where the buffers look."""
        for writable in (False, True):
            x = np.zeros((40, 40)) + 1
            with self.assertRaisesRegex(BufferError, "stays lent until"):
                with x.local(writable=writable) as tile:
                    kept, other = numpy.asarray(tile), memoryview(tile)
                    if writable:
                        kept[...] = 3
            before = kept.copy()
            with self.assertRaisesRegex(ValueError, "lent"):
                x += 1
            with self.assertRaisesRegex(BufferError, "lent already"):
                tile.__enter__()
            with self.assertRaises(BufferError):
                memoryview(tile)
            others = [np.full((40, 40), float(k)).sum().item() for k in range(20)]
            self.assertEqual(others[1], 1600)
            numpy.testing.assert_array_equal(kept, before)
            other.release()
            with self.assertRaisesRegex(ValueError, "lent"):
                x += 1
            del kept
            x += 1
            self.same(x, numpy.full((40, 40), 4.0 if writable else 2.0))
            x = np.zeros((4, 4))
            with self.assertRaisesRegex(BufferError, "outlive"):
                with x.local() as tile:
                    kept = memoryview(tile)
            del x, tile, kept
            self.assertEqual(np.ones(3).sum().item(), 3)

    def test_a_tile_that_is_dropped_ends_the_lending(self):
        x = np.zeros((4, 4))
        tile = x.local(writable=True).__enter__()
        with self.assertRaisesRegex(ValueError, "lent"):
            x += 1
        del tile
        x += 1
        tiles = {x.local().__enter__() for _ in range(5)}
        del tiles
        x += 1
        self.same(x, numpy.full((4, 4), 2.0))

    def test_an_exception_in_a_block_with_a_buffer(self):
        x = np.zeros((4, 4))

        def fails():
            with x.local(writable=True) as tile:
                kept = numpy.asarray(tile)
                kept[...] = 5
                raise KeyError

        with self.assertRaises(KeyError):
            fails()
        x += 1
        self.same(x, numpy.full((4, 4), 6.0))

    def test_an_exception_in_the_block_ends_the_lending(self):
        x = np.zeros((4, 4))
        with self.assertRaises(KeyError):
            with x.local(writable=True):
                raise KeyError
        x += 1
        self.same(x, numpy.ones((4, 4)))


class Gathered(Case):
    def test_gather(self):
        for dtype in ("float64", "bool", "complex64"):
            x, a = pair(dtype, SHAPE, 6)
            got = x.gather()
            self.assertIsInstance(got, numpy.ndarray)
            numpy.testing.assert_array_equal(got, a)
            got[0] = 0
        self.same(x, a)

    def test_buffers_of_several_ranks_name_what_there_is(self):
        x = np.zeros(3)
        if np.n_ranks() == 1:
            self.assertEqual(memoryview(x).tolist(), [0, 0, 0])
            return
        for lend in (memoryview, lambda x: x.__dlpack__(), lambda x: x.__dlpack__(max_version=(1, 0)),
                     lambda x: x.__array_interface__):
            with self.assertRaisesRegex(BufferError, r"x\.local\(\).*x\.gather\(\)"):
                lend(x)
        self.assertFalse(hasattr(x, "__array_interface__"), "NumPy goes on to __array__")
        numpy.testing.assert_array_equal(numpy.asarray(x), numpy.zeros(3))

    def test_gather_on_one_rank(self):
        for dtype in ("float64", "bool", "complex64", "float16"):
            x, a = pair(dtype, SHAPE, 7)
            for rank in {0, np.n_ranks() - 1}:
                for ours, want in ((x, a), (x[::-2, 3:].T, a[::-2, 3:].T), (x[:0], a[:0])):
                    got = ours.gather(rank=rank)
                    if np.rank() != rank:
                        self.assertIsNone(got)
                        continue
                    numpy.testing.assert_array_equal(got, want)
                    self.assertEqual(got.dtype, want.dtype)
                    got[...] = 0
            self.same(x, a)
        for rank in (np.n_ranks(), -1, 1 << 40):
            with self.assertRaisesRegex(ValueError, "there is no rank"):
                x.gather(rank=rank)

    def test_array_interface(self):
        if np.n_ranks() > 1:
            return
        for dtype in ("float64", "bool", "complex64", "float16", "uint8"):
            for shape in ((3, 4), (), (0, 2)):
                x, a = pair(dtype, shape, 8)
                x, a = x.T, a.T
                wanted = x.__array_interface__
                self.assertEqual((wanted["version"], wanted["shape"], wanted["typestr"]), (3, a.shape, a.dtype.str))

                class Holder:
                    __array_interface__ = wanted

                got = numpy.asarray(Holder())
                numpy.testing.assert_array_equal(got, a)
                self.assertEqual(got.dtype, a.dtype)

    def test_versions_of_dlpack(self):
        x, a = pair("int16", (4, 5), 9)
        if np.n_ranks() == 1:
            for version, name in ((None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned"),
                                  ((2, 3), "dltensor_versioned")):
                self.assertIn(f'"{name}"', repr(x.__dlpack__(max_version=version)))
                self.same(np.from_dlpack(Lender(x, version)), a)
            numpy.testing.assert_array_equal(numpy.from_dlpack(x), a)
        locked = a[:, ::-2]
        locked.flags.writeable = False
        self.same(np.from_dlpack(locked), locked)
        old = Lender(a, None)
        old.knows_versions = False
        self.same(np.from_dlpack(old), a)
        self.same(np.from_dlpack(x, copy=True), a)
        self.assertIs(np.from_dlpack(x), x)
        with self.assertRaisesRegex(BufferError, "copy=False"):
            np.from_dlpack(a, copy=False)
        with self.assertRaisesRegex(ValueError, "gpu"):
            np.from_dlpack(a, device="gpu")
        far = Lender(a, None)
        far.device = (2, 0)
        self.same(np.from_dlpack(far), a)
        self.assertEqual(far.asked["dl_device"], (1, 0))

    def test_from_tiles(self):
        n, rank = np.n_ranks(), np.rank()
        whole = numpy.arange(60.0 * 40).reshape(SHAPE)
        rows = [60 * r // n for r in range(n + 1)]
        mine = whole[rows[rank]:rows[rank + 1]]
        padded = numpy.pad(mine, 2)[2:-2, 2:-2]
        self.same(np.from_tiles([((rows[rank], 0), padded)], SHAPE), whole)
        halves = [((rows[rank], 13), mine[:, 13:]), ((rows[rank], 0), mine[:, :13])]
        self.same(np.from_tiles(halves, SHAPE, "float64"), whole)
        everything = [((0, 0), whole.astype("int16")[::1])] if rank == n - 1 else []
        self.same(np.from_tiles(everything, SHAPE, "int16"), whole.astype("int16"))
        mine[...] = 0
        with self.assertRaisesRegex(ValueError, r"the element \(0, 39\) is in no"):
            np.from_tiles([((rows[rank], 0), mine[:, :39])], SHAPE)
        for tiles, kind in (([((0,), mine)], ValueError), ([((0, 0), mine.astype("int8"))], TypeError),
                            ([(0, 0)], TypeError), ([5], TypeError), (5, TypeError)):
            with self.assertRaises(kind, msg=tiles):
                np.from_tiles(tiles, SHAPE)

    def test_describe(self):
        x = np.zeros((300, 400)) + 1
        self.assertRegex(x.describe(), r"^\(300, 400\) float64, 937\.5 KiB, made at .*test_lending\.py:\d+ by ")
        self.assertIn("deferred: it is computed when it is needed", x.describe())
        float(np.sum(x))
        y = np.arange(5000.0)
        y += 1
        np.flush()
        self.assertIn("stored", y.describe())
        self.assertIn(f"rank {np.rank()} has ", y.describe())
        self.assertIn("a view of (5000,)", y[::2].describe())


class Lender:
    """An object that lends elements by DLPack, in the version that is asked of it."""
    knows_versions, device, asked = True, (1, 0), None

    def __init__(self, of, version):
        self.of, self.version = of, version

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, **asked):
        if asked and not self.knows_versions:
            raise TypeError("no such argument")
        self.asked = asked
        return self.of.__dlpack__(max_version=self.version)
