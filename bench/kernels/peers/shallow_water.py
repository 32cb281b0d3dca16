"""Shallow water in a periodic basin that turns, velocities on the faces of the cells."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 600, 35, 32


def start(n):
    return 1 + 0.1 * pattern((n, n), 0), np.zeros((n, n)), np.zeros((n, n))


def advance(h, u, v, r, f):
    roll = np.roll
    fe = 0.5 * u * (h + roll(h, -1, 1))
    fn = 0.5 * v * (h + roll(h, -1, 0))
    h = h - r * (fe - roll(fe, 1, 1) + fn - roll(fn, 1, 0))
    ke = h + 0.25 * (u**2 + roll(u, 1, 1)**2 + v**2 + roll(v, 1, 0)**2)
    vu = 0.25 * (v + roll(v, 1, 0) + roll(v, -1, 1) + roll(v, (1, -1), (0, 1)))
    u = u - (r * (roll(ke, -1, 1) - ke) - f * vu)
    uv = 0.25 * (u + roll(u, 1, 1) + roll(u, -1, 0) + roll(u, (-1, 1), (0, 1)))
    return h, u, v - (r * (roll(ke, -1, 0) - ke) + f * uv)


def step(state, i):
    for old, new in zip(state, advance(*state, 0.1, 0.01)):
        old[:] = new


def numba_step(state, i):
    h, u, v = state
    n, r, f = h.shape[0], 0.1, 0.01
    fe, fn, ke = np.empty_like(h), np.empty_like(h), np.empty_like(h)
    for j in range(n):
        for k in range(n):
            fe[j, k] = 0.5 * u[j, k] * (h[j, k] + h[j, (k + 1) % n])
            fn[j, k] = 0.5 * v[j, k] * (h[j, k] + h[(j + 1) % n, k])
    for j in range(n):
        for k in range(n):
            h[j, k] -= r * (fe[j, k] - fe[j, k - 1] + fn[j, k] - fn[j - 1, k])
            ke[j, k] = h[j, k] + 0.25 * (u[j, k]**2 + u[j, k - 1]**2 + v[j, k]**2 + v[j - 1, k]**2)
    for j in range(n):
        for k in range(n):
            e = (k + 1) % n
            u[j, k] -= r * (ke[j, e] - ke[j, k]) - f * 0.25 * (v[j, k] + v[j - 1, k] + v[j, e] + v[j - 1, e])
    for j in range(n):
        for k in range(n):
            m = (j + 1) % n
            v[j, k] -= r * (ke[m, k] - ke[j, k]) + f * 0.25 * (u[j, k] + u[j, k - 1] + u[m, k] + u[m, k - 1])


def jax_step(state, i):
    return advance(*state, 0.1, 0.01)
