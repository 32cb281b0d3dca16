"""The same program in NumPy.

    stencil_numpy.py N STEPS WARMUP      prints `us=… check=…` (microseconds per step, mean of the grid)
"""
import sys
import time

import numpy as np

n, steps, warmup = (int(a) for a in sys.argv[1:4])
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


run(warmup)
start = time.perf_counter()
run(steps)
elapsed = time.perf_counter() - start
print(f"us={1e6 * elapsed / steps:.4f} check={grid.mean():.12g}")
