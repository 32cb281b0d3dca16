"""LU by rows, without pivots, of a matrix of a large diagonal."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL, ROWS = 800, 1, 16, True


def start(n):
    return pattern((n, n), 0) + n * np.eye(n), np.zeros((n, n))


def step(state, i):
    m, a = state
    a[:, :] = m
    for j in range(1, a.shape[0]):
        for k in range(j):
            a[j, k] /= a[k, k]
            a[j, k + 1:] -= a[j, k] * a[k, k + 1:]


def jax_step(state, i):
    import jax
    m, _ = state
    columns = np.arange(m.shape[0])

    def eliminate(k, row, a):
        factor = row[k] / a[k, k]
        return np.where(columns > k, row - factor * a[k], np.where(columns == k, factor, row))

    def one(j, a):
        return a.at[j].set(jax.lax.fori_loop(0, j, lambda k, row: eliminate(k, row, a), a[j]))

    return m, jax.lax.fori_loop(1, m.shape[0], one, m)
