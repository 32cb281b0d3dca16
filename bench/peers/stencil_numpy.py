"""The five-point Jacobi step in NumPy.

    stencil_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of the grid)
"""
import numpy as np

import timing

n, steps, warmup = timing.arguments()
grid = np.zeros((n + 2, n + 2))
grid[:, 0] = -273.15
grid[:, -1] = -273.15
grid[-1, :] = -273.15
grid[0, :] = 40.0
center, north, east = grid[1:-1, 1:-1], grid[:-2, 1:-1], grid[1:-1, 2:]
west, south = grid[1:-1, :-2], grid[2:, 1:-1]


def run(count):
    for _ in range(count):
        center[:] = 0.2 * (center + north + east + west + south)


timing.report(run, steps, warmup, grid.mean)
