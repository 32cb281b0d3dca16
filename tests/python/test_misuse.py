"""Objects that change while they are read, and arguments that are wrong: an error or NumPy's result, never a crash."""
import numpy
import tessera as np
from support import Case


class ListsThatChange(Case):
    """What is called for an item empties the list that is being read."""

    def number(self, items, value=1):
        class Number:
            def __index__(self):
                items.clear()
                items.extend(bytes(4096) for _ in range(50))
                return value
        return Number()

    def array(self, items):
        class Array:
            def __array__(self, dtype=None, copy=None):
                items.clear()
                items.extend(bytes(4096) for _ in range(50))
                return numpy.ones(2)
        return Array()

    def test_numbers(self):
        for call in (lambda v: np.zeros(v).shape, lambda v: np.reshape(np.zeros(128), v).shape):
            items = []
            items.extend([self.number(items)] + [2] * 7)
            self.assertEqual(call(items), (1,) + (2,) * 7)
        items = []
        items.extend([self.number(items), 0])
        self.assertEqual(np.sum(np.zeros((2, 3)), axis=tuple(items)).shape, ())
        items = []
        items.extend([self.number(items, 3), 3])
        self.assertEqual(np.random.default_rng(1).random(items).shape, (3, 3))

    def test_pairs(self):
        items = []
        items.extend([(self.number(items), 2), (3, 4)])
        self.assertEqual(np.pad(np.zeros((2, 2)), items).shape, (5, 9))

    def test_arrays(self):
        for call in (np.concatenate, np.stack, np.asarray):
            items = []
            items.extend([self.array(items)] + [numpy.ones(2) for _ in range(20)])
            self.same(call(items), getattr(numpy, call.__name__)([numpy.ones(2)] * 21))
        inner = []
        inner.extend([self.array(inner), numpy.ones(2)])
        self.same(np.asarray([inner, [numpy.ones(2)] * 2]), numpy.ones((2, 2, 2)))

    def test_a_list_in_itself(self):
        items = [np.zeros(2)]
        items.insert(0, items)
        with self.assertRaises(ValueError):
            np.asarray(items)


class Keywords(Case):
    def test_results_in_arrays_of_numpy(self):
        x, y = np.arange(6), numpy.arange(6)
        mask = y % 2 == 0
        for where in (mask, np.asarray(mask), True):
            ours, theirs = numpy.full(6, 9), numpy.full(6, 9)
            self.assertIs(numpy.add(x, 1, out=ours, where=where), ours)
            numpy.add(y, 1, out=theirs, where=numpy.asarray(where))
            numpy.testing.assert_array_equal(ours, theirs)
        ours = numpy.ones(6)
        ours += x
        numpy.testing.assert_array_equal(ours, y + 1.0)
        whole = numpy.ones(6, int)
        with self.assertRaises(TypeError):
            whole += x * 0.5
        for keywords in ({"casting": "unsafe"}, {"order": "F"}, {"subok": False}):
            with self.assertRaises(TypeError, msg=keywords):
                numpy.add(x, 1, out=ours, **keywords)
        numpy.testing.assert_array_equal(ours, y + 1.0)
