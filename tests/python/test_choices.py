"""If statements of kernels: what they give is what Python's function gives, point by point."""
import numpy
import tessera as np
from support import Case


@np.kernel
def leaky(x):
    if x > 0:
        y = x
    elif x > -1:
        y = 0.125 * x
    else:
        y = -1
    return y


@np.kernel
def clipped(x, low=-1.0, high=1.0):
    """Returns early, and changes an input in one case."""
    if x < low:
        return low
    elif x > high:
        return high
    if x != 0.5:
        x *= 2
    else:
        pass
    if x > 1.5:
        x = x + 1
        if x > 2.75:
            return x
        x -= 0.25
    return x


@np.kernel
def turns(x):
    """Within loops, and around one; names that change places."""
    y = 0.0
    for k in range(4):
        if x > k:
            y += x
            z = k
        elif x > k - 0.5:
            z = 7
            y, x = x, y
        else:
            z = -k
        y = y + z
    if y > 3:
        for j in range(3):
            y = y / 2
            if y < 1:
                y += j
    return y, x


def larger(a, b):
    if a > b:
        return a
    return b


@np.kernel
def looked_up(x, k: "int64", table: "raw") -> "float32":
    step = table[0]
    if k == 2:
        step = table[1] if x > 0 else table[2]
    if not x > 0.25:
        return step
    return larger(x, k) + step


class Choices(Case):
    def test_as_the_function_point_by_point(self):
        a = numpy.linspace(-3, 5, 33)
        for kernel in (leaky, clipped, turns):
            want = numpy.array([kernel.__wrapped__(float(v)) for v in a]).T
            made = kernel(np.asarray(a))
            for x, w in zip(made if isinstance(made, tuple) else (made,), want.reshape(-1, len(a))):
                self.same(x, w)
        k, table = numpy.arange(33) % 4, [1.0, 20.0, 300.0]
        self.same(looked_up(np.asarray(a), np.asarray(k), np.asarray(table)),
                  numpy.array([looked_up.__wrapped__(v, n, table) for v, n in zip(a, k)], "float32"))

    def test_nan_and_infinity(self):
        a = numpy.array([numpy.nan, numpy.inf, -numpy.inf, -0.0])
        self.same(leaky(np.asarray(a)), numpy.array([-1, numpy.inf, -1, -0.0]))

    def test_dtypes_are_those_of_both_values(self):
        @np.kernel
        def f(x):
            if x > 1:
                return x
            return 0.5
        self.assertEqual(f(np.arange(3)).dtype.name, "float64")
        self.assertEqual(f(np.ones(3, "float32")).dtype.name, "float32")

    def test_a_number_of_the_program_is_a_condition(self):
        wide = False

        @np.kernel
        def f(x):
            if wide:
                x = x * 100
            return x
        self.same(f(np.arange(3.0)), numpy.arange(3.0))

    def test_it_fuses(self):
        x = np.ones((64, 64)) * 3
        np.flush()
        before = np.n_passes()
        total = float(np.sum(leaky(x) + 1))
        self.assertEqual(total, 4 * 64 * 64)
        self.assertEqual(np.n_passes() - before, 1)

    def test_what_is_refused(self):
        def partly(x):
            if x > 0:
                y = x
            x = x + y
            return x

        def partly_in(x):
            if x > 0:
                if x > 1:
                    y = 1
            else:
                y = 2
            return y

        def endless(x):
            if x > 0:
                return x

        def unequal(x):
            if x > 0:
                return x, x
            return x

        def within(x):
            for k in range(3):
                if x > k:
                    return x
            return x

        def raises(x):
            if x < 0:
                raise ValueError
            return x

        def shows(x):
            if x < 0:
                print(x)
            return x

        def tries(x):
            try:
                return 1 / x
            except ZeroDivisionError:
                return x

        def method(x):
            return x.sum()

        for function, line, words in ((partly, 3, "the name y, which has a value in one case of line"),
                                      (partly_in, 6, "the name y, which has a value in one case of line"),
                                      (endless, 1, "an end without a value .*every way"),
                                      (unequal, 1, "returns 2 values in one case, and 1"),
                                      (within, 3, "a return in a loop .*after the loop"),
                                      (raises, 2, "a raise statement .*nan"), (shows, 2,
                                                                               "a call of print .*print what the "
                                                                               "kernel returns"),
                                                                               (tries, 1, "a try statement .*nan"),
                                      (method, 1, "the method sum of the value x")):
            with self.assertRaisesRegex(SyntaxError, words) as caught:
                np.kernel(function)
            self.assertEqual(caught.exception.lineno, function.__code__.co_firstlineno + line, function.__name__)
