"""The Gray-Scott step in NumPy.

    gray_scott_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of v)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()
lo, hi = 3 * n // 8, 5 * n // 8
u, v = np.ones((n + 2, n + 2)), np.full((n + 2, n + 2), 0.01)
u[lo:hi, lo:hi] = 0.5
v[lo:hi, lo:hi] = 0.25
f, k = 0.035, 0.065
uc, vc = u[1:-1, 1:-1], v[1:-1, 1:-1]


def laplacian(x):
    return x[:-2, 1:-1] + x[1:-1, :-2] - 4 * x[1:-1, 1:-1] + x[1:-1, 2:] + x[2:, 1:-1]


def periodic(x):
    x[0, :] = x[-2, :]
    x[-1, :] = x[1, :]
    x[:, 0] = x[:, -2]
    x[:, -1] = x[:, 1]


def run(count):
    for _ in range(count):
        lu, lv = laplacian(u), laplacian(v)
        uvv = uc * vc * vc
        uc[:] += 0.16 * lu - uvv + f * (1 - uc)
        vc[:] += 0.08 * lv + uvv - (f + k) * vc
        periodic(u)
        periodic(v)


timing.report(run, steps, warmup, v.mean)
