"""A lower triangular system, one unknown after the other."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL, ROWS = 4000, 80, 30, True


def start(n):
    return np.tril(pattern((n, n), 0)) + n * np.eye(n), pattern((n,), 1), np.zeros(n)


def step(state, i):
    l, b, y = state
    for k in range(b.size):
        y[k] = (b[k] - l[k, :k] @ y[:k]) / l[k, k]


def numba_step(state, i):
    l, b, y = state
    for k in range(b.size):
        s = b[k]
        for j in range(k):
            s -= l[k, j] * y[j]
        y[k] = s / l[k, k]


def jax_step(state, i):
    import jax
    l, b, y = state

    def one(k, y):
        return y.at[k].set((b[k] - l[k] @ y) / l[k, k])

    return l, b, jax.lax.fori_loop(0, b.size, one, jax.numpy.zeros_like(y))
