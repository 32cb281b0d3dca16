"""A gas on a lattice of nine directions: streams, then relaxes."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 400, 150, 24
DIRECTIONS = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
WEIGHTS = (4 / 9,) + (1 / 9,) * 4 + (1 / 36,) * 4


def start(n):
    return ((1 + 0.1 * pattern((9, n, n), 0)) * np.array(WEIGHTS).reshape(9, 1, 1),)


def velocities(f):
    rho = np.sum(f, axis=0)
    return rho, (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho, (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho


def step(state, i):
    f = state[0]
    for k in range(1, 9):
        f[k] = np.roll(f[k], DIRECTIONS[k], axis=(0, 1))
    rho, ux, uy = velocities(f)
    uu = 1.5 * (ux * ux + uy * uy)
    for k in range(9):
        cu = 3 * (DIRECTIONS[k][0] * ux + DIRECTIONS[k][1] * uy)
        f[k] += 1.2 * (WEIGHTS[k] * rho * (1 + cu + 0.5 * cu * cu - uu) - f[k])


def numba_step(state, i):
    f = state[0]
    n = f.shape[1]
    g = np.empty_like(f)
    for k in range(9):
        for j in range(n):
            for m in range(n):
                g[k, j, m] = f[k, (j - DIRECTIONS[k][0]) % n, (m - DIRECTIONS[k][1]) % n]
    for j in range(n):
        for m in range(n):
            rho, ux, uy = 0.0, 0.0, 0.0
            for k in range(9):
                rho += g[k, j, m]
                ux += DIRECTIONS[k][0] * g[k, j, m]
                uy += DIRECTIONS[k][1] * g[k, j, m]
            ux, uy = ux / rho, uy / rho
            uu = 1.5 * (ux * ux + uy * uy)
            for k in range(9):
                cu = 3 * (DIRECTIONS[k][0] * ux + DIRECTIONS[k][1] * uy)
                f[k, j, m] = g[k, j, m] + 1.2 * (WEIGHTS[k] * rho * (1 + cu + 0.5 * cu * cu - uu) - g[k, j, m])


def jax_step(state, i):
    f = np.stack([np.roll(state[0][k], DIRECTIONS[k], axis=(0, 1)) for k in range(9)])
    rho, ux, uy = velocities(f)
    uu = 1.5 * (ux * ux + uy * uy)
    g = []
    for k in range(9):
        cu = 3 * (DIRECTIONS[k][0] * ux + DIRECTIONS[k][1] * uy)
        g.append(f[k] + 1.2 * (WEIGHTS[k] * rho * (1 + cu + 0.5 * cu * cu - uu) - f[k]))
    return (np.stack(g),)
