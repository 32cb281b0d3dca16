"""What must be alike on every rank, under mpirun: releases, collected cycles, reads, and what is told where ranks
differ."""
import gc
import weakref

import numpy
import tessera as np
from support import Case


class Ranks(Case):
    def test_values_do_not_depend_on_ranks(self):
        y = numpy.arange(300000, dtype="float64").reshape(500, 600)
        x = np.asarray(y)
        for _ in range(10):
            x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
            y[1:-1, 1:-1] = 0.25 * (y[:-2, 1:-1] + y[2:, 1:-1] + y[1:-1, :-2] + y[1:-1, 2:])
        numpy.testing.assert_allclose(numpy.asarray(x), y, rtol=1e-12)
        self.same(np.sum(x[::-1, ::3].T, axis=0), y[::-1, ::3].T.sum(0), tolerance=1e-11)
        self.assertEqual(x[250].tolist(), numpy.asarray(x)[250].tolist())

    def test_sets_and_dictionaries_drop_in_another_order_on_each_rank(self):
        class Key:  # hashed by its address, which differs between ranks
            def __init__(self, value):
                self.value = value

        for turn in range(20):
            keys = {Key(np.arange(50000) + k) for k in range(30)}
            names = {f"name {k}": np.ones(50000) * k for k in range(30)}
            named = set(names)  # strings are hashed by a seed of the process's
            total = sum(float(np.sum(names[k])) for k in sorted(named))
            self.assertEqual(total, 435.0 * 50000)
            keys.clear()
            for name in list(named):
                del names[name]
            np.flush()
        np.barrier()

    def test_cycles(self):
        np.init()
        self.assertFalse(gc.isenabled())
        for turn in range(500):
            box = [np.ones(30000) * turn]
            box.append(box)
            x = box[0] + 1
            del box
            for _ in range(40):
                x = x + 1
        self.assertEqual(float(x[0]), 499 + 41)
        np.barrier()

    def test_cycles_are_collected(self):
        """Young ones once in 1,024 calls, also where each call follows a drop; one that outlived a collection once in
        16,384."""
        def cycle():
            box = [np.ones(30000)]
            box.append(box)
            return box

        for turn, n in ((0, 10), (1, 10), (0, 14)):
            box, x = cycle(), np.zeros(3)
            dropped = weakref.ref(box[0])
            if n == 14:
                gc.collect(0)
            del box
            for _ in range(1 << n):
                if turn:
                    x.fill(0)
                else:
                    x = x.T
            self.assertIsNone(dropped(), (turn, n))
            self.assertFalse(gc.isenabled())
        self.assertEqual(float(np.sum(np.ones(30000))), 30000)

    def test_what_one_rank_may_ask(self):
        """Shapes and dtypes count as no calls, so windows run at the same places on all ranks."""
        x, y = np.ones((300, 200)), np.ones((300, 200))
        for turn in range(200):
            if np.rank() == turn % np.n_ranks():
                for _ in range(turn):
                    self.assertEqual((x.shape, x.ndim, x.size, len(x), str(x.dtype), x.nbytes),
                                     ((300, 200), 2, 60000, 300, "float64", 480000))
            y[1:, :] = 0.5 * x[:-1, :]
            x[:-1, :] = y[1:, :] + 1
        self.assertAlmostEqual(float(np.sum(x[0])), 400.0)

    def test_masks_and_reads(self):
        y = numpy.random.default_rng(1).normal(size=200000)
        x = np.asarray(y)
        m = x > 0
        x[m] *= 2
        y[y > 0] *= 2
        self.same(x, y)
        self.assertEqual(x[m].size, int((y > 0).sum()))
        self.same(x[[5, 150000, -1]], y[[5, 150000, -1]])
        self.assertEqual(float(np.max(x)), y.max())

    def test_what_every_rank_learns_of_an_error(self):
        with self.assertRaises(ValueError):
            np.zeros(100000) + np.zeros(3)
        self.assertEqual(float(np.sum(np.ones(100000))), 100000.0)

    def test_ranks_and_time(self):
        self.assertGreater(np.n_ranks(), 1)
        self.assertTrue(0 <= np.rank() < np.n_ranks())
        self.assertEqual(np.time() >= 0, True)
        r = np.random.default_rng()  # rank 0's clock gives the seed
        self.assertEqual(len(set(np.sum(r.random(1000)).tolist() for _ in range(1))), 1)
        with self.assertRaises(BufferError):
            memoryview(np.zeros(3))
