"""The lid-driven cavity in NumPy, the scheme of examples/cavity.c.

    cavity_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of |u|)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()
h = 1 / n
dt, viscosity, beta = 0.2 * h, 0.2 * h, 2
d, r, c = viscosity * dt / (h * h), dt / h, beta * dt / h
u, v, p = np.full((n + 2, n + 1), 0.1), np.full((n + 1, n + 2), 0.1), np.zeros((n, n))


def run(count):
    for _ in range(count):
        uv = 0.25 * (u[1:, :] + u[:-1, :]) * (v[:, 1:] + v[:, :-1])
        uc = 0.5 * (u[1:-1, 1:] + u[1:-1, :-1])
        vc = 0.5 * (v[1:, 1:-1] + v[:-1, 1:-1])
        uu = p + uc * uc
        vv = p + vc * vc
        u[1:-1, 1:-1] += (d * (u[1:-1, 2:] + u[1:-1, :-2] + u[2:, 1:-1] + u[:-2, 1:-1] - 4 * u[1:-1, 1:-1])
                          - r * (uu[:, 1:] - uu[:, :-1] + uv[1:, 1:-1] - uv[:-1, 1:-1]))
        v[1:-1, 1:-1] += (d * (v[1:-1, 2:] + v[1:-1, :-2] + v[2:, 1:-1] + v[:-2, 1:-1] - 4 * v[1:-1, 1:-1])
                          - r * (vv[1:, :] - vv[:-1, :] + uv[1:-1, 1:] - uv[1:-1, :-1]))
        u[0, :] = -u[1, :]
        u[-1, :] = 2 - u[-2, :]
        v[:, 0] = -v[:, 1]
        v[:, -1] = -v[:, -2]
        p[:, :] -= c * (u[1:-1, 1:] - u[1:-1, :-1] + v[1:, 1:-1] - v[:-1, 1:-1])


timing.report(run, steps, warmup, lambda: np.abs(u).mean())
