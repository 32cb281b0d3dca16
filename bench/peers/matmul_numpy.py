"""A product of two matrices of float64: one call of the BLAS library that NumPy has.

    matmul_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per product, the mean of the
                                        product's squares)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()


def matrix(rows, columns, m):
    index = np.arange(n, dtype=np.float64)
    return (rows * index[:, None] + columns * index) % m


a, b, c = matrix(7, 3, 11), matrix(5, 2, 13), np.zeros((n, n))


def run(count):
    for _ in range(count):
        np.matmul(a, b, out=c)


timing.report(run, steps, warmup, lambda: (c * c).mean())
