"""Row after row by a slice that moves, in NumPy.

    moving_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per row of N, mean of all rows)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()
rows = max(steps, warmup) + 1
h, x = np.zeros((rows, n)), np.full((rows, n), 3.0)
x[100:, :] = 5.0


def run(count):
    for t in range(1, count + 1):
        h[t, :] = 0.5 * x[t - 1, :]


timing.report(run, steps, warmup, h.mean)
