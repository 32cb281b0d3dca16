"""An expression over arrays that live in memory, in NumPy, numexpr or Numba.

    stream_python.py N STEPS WARMUP triad|mix numpy|numexpr|numba      prints `us=… check=…` (microseconds per pass,
    mean)
"""
import numpy as np

import timing

n, steps, warmup, what, how = timing.arguments()
a, b, c, d = np.full(n, 1.5), np.full(n, 1.0), np.full(n, 2.0), np.zeros(n)


def in_numpy():
    t = np.empty(n)

    def triad():
        np.multiply(c, 3.0, out=d)
        np.add(b, d, out=d)

    def mix():
        np.multiply(a, b, out=d)
        np.add(d, c, out=d)
        np.multiply(a, 0.5, out=t)
        np.subtract(d, t, out=d)

    return triad if what == "triad" else mix


def in_numexpr():
    import os

    import numexpr

    numexpr.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    text = "b + 3.0*c" if what == "triad" else "a*b + c - 0.5*a"
    return lambda: numexpr.evaluate(text, out=d)


def in_numba():
    import numba

    @numba.njit(parallel=True)
    def triad(d, b, c):
        for i in numba.prange(d.size):
            d[i] = b[i] + 3.0 * c[i]

    @numba.njit(parallel=True)
    def mix(d, a, b, c):
        for i in numba.prange(d.size):
            d[i] = a[i] * b[i] + c[i] - 0.5 * a[i]

    return (lambda: triad(d, b, c)) if what == "triad" else (lambda: mix(d, a, b, c))


one_pass = {"numpy": in_numpy, "numexpr": in_numexpr, "numba": in_numba}[how]()


def run(count):
    for _ in range(count):
        one_pass()


timing.report(run, steps, warmup, d.mean)
