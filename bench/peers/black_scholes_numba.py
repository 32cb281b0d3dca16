"""Black and Scholes in Numba.

    black_scholes_numba.py N STEPS WARMUP float32|float64

prints `us=… check=…` (microseconds for all N, mean of calls and puts)
"""
from math import erf, exp, log, sqrt

import numba
import numpy as np

import timing

n, steps, warmup, dtype = timing.arguments()
unit = np.arange(n) / n
s, k, t = ((x).astype(dtype) for x in (20 + 60 * unit, 70 - 40 * unit, 0.5 + unit))
call, put = np.zeros(n, dtype), np.zeros(n, dtype)
one, half, scale = (np.dtype(dtype).type(x) for x in (1, 0.5, 0.7071067811865476))
r, sigma = (np.dtype(dtype).type(x) for x in (0.03, 0.3))


@numba.njit(parallel=True)
def price(s, k, t, r, sigma, call, put):
    for i in numba.prange(s.size):
        root = sigma * sqrt(t[i])
        d1 = (log(s[i] / k[i]) + (r + half * sigma * sigma) * t[i]) / root
        n1 = half + half * erf(d1 * scale)
        n2 = half + half * erf((d1 - root) * scale)
        discounted = k[i] * exp(-r * t[i])
        call[i] = s[i] * n1 - discounted * n2
        put[i] = discounted * (one - n2) - s[i] * (one - n1)


def run(count):
    for _ in range(count):
        price(s, k, t, r, sigma, call, put)


timing.report(run, steps, warmup, lambda: call.mean(dtype="f8") + put.mean(dtype="f8"))
