"""The sum or the maximum of A x B x C over an axis in NumPy.

    fold_numpy.py WHAT AXIS A STEPS WARMUP B C      prints `us=… check=…` (microseconds per fold, the mean of the last)
"""
import sys

import numpy as np

import timing

what, (axis, a, steps, warmup, b, c) = sys.argv[1], (int(word) for word in sys.argv[2:8])
x = (np.arange(a * b * c, dtype=np.float64) % 97).reshape(a, b, c)
fold = x.max if what == "max" else x.sum
out = fold(axis)


def run(count):
    for _ in range(count):
        fold(axis, out=out)


timing.report(run, steps, warmup, out.mean)
