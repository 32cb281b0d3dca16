"""A sum in NumPy.

    sum_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per sum, the sum)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()
x = np.arange(n, dtype=np.float64)


def run(count):
    for _ in range(count):
        float(x.sum())


timing.report(run, steps, warmup, x.sum)
