"""Heat in a cube, of seven points, from step to step in one array."""
from peer import pattern

SIZE, STEPS, SMALL = 160, 20, 16


def start(n):
    return (pattern((n, n, n), 0),)


def change(u):
    return 0.125 * (u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
                    + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2] - 6 * u[1:-1, 1:-1, 1:-1])


def step(state, i):
    u = state[0]
    u[1:-1, 1:-1, 1:-1] += change(u)


def numba_step(state, i):
    u = state[0]
    n = u.shape[0]
    old = u.copy()
    for j in range(1, n - 1):
        for k in range(1, n - 1):
            for m in range(1, n - 1):
                u[j, k, m] += 0.125 * (old[j + 1, k, m] + old[j - 1, k, m] + old[j, k + 1, m] + old[j, k - 1, m]
                                       + old[j, k, m + 1] + old[j, k, m - 1] - 6 * old[j, k, m])


def jax_step(state, i):
    u = state[0]
    return (u.at[1:-1, 1:-1, 1:-1].add(change(u)),)
