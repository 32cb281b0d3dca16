"""Conjugate gradients in NumPy, as bench/cg.c.

    cg_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per step, last residual squared)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()
b = 1 + 0.001 * np.arange(n)
x, r, p, q = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
done, rr = 0, 0.0


def run(count):
    global done, rr, x, r
    for _ in range(count):
        if done % 100 == 0:
            x[:] = 0
            r[:] = b
            p[:] = b
            rr = r @ r
        done += 1
        np.multiply(p, 2, out=q)
        q[1:] -= p[:-1]
        q[:-1] -= p[1:]
        alpha = rr / (p @ q)
        x += alpha * p
        r -= alpha * q
        rr_new = r @ r
        p[:] = r + (rr_new / rr) * p
        rr = rr_new


timing.report(run, steps, warmup, lambda: rr)
