"""Bodies that attract each other, all pairs."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 1200, 25, 30


def start(n):
    return tuple(pattern((n,), k) for k in range(7))


def move(state):
    px, py, pz, vx, vy, vz, m = state
    dx = px - px.reshape(-1, 1)
    dy = py - py.reshape(-1, 1)
    dz = pz - pz.reshape(-1, 1)
    pull = m * (dx * dx + dy * dy + dz * dz + 0.01)**-1.5 / m.size
    vx = vx + 0.01 * np.sum(pull * dx, axis=1)
    vy = vy + 0.01 * np.sum(pull * dy, axis=1)
    vz = vz + 0.01 * np.sum(pull * dz, axis=1)
    return px + 0.01 * vx, py + 0.01 * vy, pz + 0.01 * vz, vx, vy, vz, m


def step(state, i):
    for old, new in zip(state, move(state)):
        old[:] = new


def numba_step(state, i):
    px, py, pz, vx, vy, vz, m = state
    n = m.size
    for j in range(n):
        ax = ay = az = 0.0
        for k in range(n):
            dx, dy, dz = px[k] - px[j], py[k] - py[j], pz[k] - pz[j]
            pull = m[k] * (dx * dx + dy * dy + dz * dz + 0.01)**-1.5 / n
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        vx[j] += 0.01 * ax
        vy[j] += 0.01 * ay
        vz[j] += 0.01 * az
    px += 0.01 * vx
    py += 0.01 * vy
    pz += 0.01 * vz


def jax_step(state, i):
    return move(state)
