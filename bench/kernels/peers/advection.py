"""Advection of a field in two directions, second order, with the minmod limiter."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 800, 28, 32
C = 0.3


def start(n):
    return (pattern((n, n), 0),)


def change(q, axis):
    d = np.roll(q, -1, axis) - q
    e = np.roll(d, 1, axis)
    slope = np.where(d * e > 0, np.where(np.abs(d) < np.abs(e), d, e), 0.0)
    flux = C * (q + 0.5 * (1 - C) * slope)
    return np.roll(flux, 1, axis) - flux


def step(state, i):
    q = state[0]
    for axis in (1, 0):
        q += change(q, axis)


def along_rows(q, flux):
    n, m = q.shape
    for j in range(n):
        for k in range(m):
            e, d = q[j, k] - q[j, k - 1], q[j, (k + 1) % m] - q[j, k]
            slope = 0.0
            if d * e > 0:
                slope = d if abs(d) < abs(e) else e
            flux[j, k] = C * (q[j, k] + 0.5 * (1 - C) * slope)
    for j in range(n):
        for k in range(m):
            q[j, k] += flux[j, k - 1] - flux[j, k]


def numba_step(state, i):
    q = state[0]
    flux = np.empty_like(q)
    along_rows(q, flux)
    along_rows(q.T, flux.T)


def jax_step(state, i):
    q = state[0]
    q = q + change(q, 1)
    return (q + change(q, 0),)
