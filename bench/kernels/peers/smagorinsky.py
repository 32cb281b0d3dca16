"""The viscosity of the scales below the grid, from the strain of a flow in a cube, by Smagorinsky."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 128, 5, 12


def start(n):
    return tuple(pattern((n, n, n), k) for k in range(3)) + (np.zeros((n - 2, n - 2, n - 2)),)


def gradients(u):
    return (0.5 * (u[2:, 1:-1, 1:-1] - u[:-2, 1:-1, 1:-1]), 0.5 * (u[1:-1, 2:, 1:-1] - u[1:-1, :-2, 1:-1]),
            0.5 * (u[1:-1, 1:-1, 2:] - u[1:-1, 1:-1, :-2]))


def viscosity(u, v, w):
    ux, uy, uz = gradients(u)
    vx, vy, vz = gradients(v)
    wx, wy, wz = gradients(w)
    return 0.0289 * np.sqrt(2 * (ux**2 + vy**2 + wz**2) + (uy + vx)**2 + (uz + wx)**2 + (vz + wy)**2)


def step(state, i):
    u, v, w, nu = state
    nu[:] = viscosity(u, v, w)


def jax_step(state, i):
    u, v, w, _ = state
    return u, v, w, viscosity(u, v, w)
