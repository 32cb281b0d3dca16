"""A product of two matrices, stacks of them, or a matrix and a vector: one call of NumPy and its BLAS library.

    matmul_numpy.py M STEPS WARMUP [K N [DTYPE [STACK]]]      prints `us=… check=…` (microseconds per product, the
                                                              mean of the product's squares)
(M, K) times (K, N), of which there are STACK; M or N 0: a vector of K.
"""
import numpy as np

import timing

m, steps, warmup, *words = timing.arguments()
k, n = (int(w) for w in words[:2]) if words else (m, m)
dtype = words[2] if len(words) > 2 else "float64"
stack = int(words[3]) if len(words) > 3 else 0


def matrix(shape, step, modulus):
    total = np.float64(0)
    for length, by in zip(shape, step):
        if length:
            total = np.expand_dims(total, -1) + by * np.arange(length, dtype=np.float64)
    return (total % modulus).astype(dtype)


a, b = matrix((stack, m, k), (1, 7, 3), 11), matrix((stack, k, n), (1, 5, 2), 13)
c = np.matmul(a, b)


def run(count):
    for _ in range(count):
        np.matmul(a, b, out=c)


timing.report(run, steps, warmup, lambda: (c.real.astype(np.float64) ** 2).mean())
