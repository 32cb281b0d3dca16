"""Jacobi's iteration on a square of five points, twice a step."""
from peer import pattern

SIZE, STEPS, SMALL = 1500, 36, 40


def start(n):
    return pattern((n, n), 0), pattern((n, n), 1)


def mean(a):
    return 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])


def step(state, i):
    a, b = state
    b[1:-1, 1:-1] = mean(a)
    a[1:-1, 1:-1] = mean(b)


def numba_step(state, i):
    a, b = state
    n, m = a.shape
    for x, y in ((a, b), (b, a)):
        for j in range(1, n - 1):
            for k in range(1, m - 1):
                y[j, k] = 0.2 * (x[j, k] + x[j, k - 1] + x[j, k + 1] + x[j + 1, k] + x[j - 1, k])


def jax_step(state, i):
    a, b = state
    b = b.at[1:-1, 1:-1].set(mean(a))
    return a.at[1:-1, 1:-1].set(mean(b)), b
