"""A five-point stencil on a square with fixed borders."""
import cupynumeric as np


def run(n, iterations):
    grid = np.zeros((n + 2, n + 2))
    grid[:, 0] = -273.15
    grid[:, -1] = -273.15
    grid[-1, :] = -273.15
    grid[0, :] = 40.0
    center, north, south = grid[1:-1, 1:-1], grid[0:-2, 1:-1], grid[2:, 1:-1]
    east, west = grid[1:-1, 2:], grid[1:-1, 0:-2]
    for _ in range(iterations):
        average = center + north + east + west + south
        work = 0.2 * average
        center[:] = work
    return grid,


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 100, 50)
