"""Electromagnetic waves in a plane, on Yee's grid."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 1200, 70, 40


def start(n):
    return tuple(pattern((n, n), k) for k in range(3))


def step(state, i):
    ex, ey, hz = state
    ey[0, :] = np.sin(0.1 * i)
    ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
    ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
    hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def numba_step(state, i):
    ex, ey, hz = state
    n = ex.shape[0]
    for k in range(n):
        ey[0, k] = np.sin(0.1 * i)
    for j in range(1, n):
        for k in range(n):
            ey[j, k] -= 0.5 * (hz[j, k] - hz[j - 1, k])
    for j in range(n):
        for k in range(1, n):
            ex[j, k] -= 0.5 * (hz[j, k] - hz[j, k - 1])
    for j in range(n - 1):
        for k in range(n - 1):
            hz[j, k] -= 0.7 * (ex[j, k + 1] - ex[j, k] + ey[j + 1, k] - ey[j, k])


def jax_step(state, i):
    ex, ey, hz = state
    ey = ey.at[0, :].set(np.sin(0.1 * i))
    ey = ey.at[1:, :].add(-0.5 * (hz[1:, :] - hz[:-1, :]))
    ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
    hz = hz.at[:-1, :-1].add(-0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]))
    return ex, ey, hz
