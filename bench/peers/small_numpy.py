"""x += 2*y on small arrays in NumPy.

    small_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of x)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()
x, y = np.zeros(n), np.ones(n)


def run(count):
    global x
    for _ in range(count):
        x += 2 * y


timing.report(run, steps, warmup, x.mean)
