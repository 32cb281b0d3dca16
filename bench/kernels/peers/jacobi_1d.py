"""Jacobi's iteration on a line, twice a step."""
from peer import pattern

SIZE, STEPS, SMALL = 2_000_000, 150, 1000


def start(n):
    return pattern((n,), 0), pattern((n,), 1)


def step(state, i):
    a, b = state
    b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
    a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


def numba_step(state, i):
    a, b = state
    for k in range(1, a.size - 1):
        b[k] = 0.33333 * (a[k - 1] + a[k] + a[k + 1])
    for k in range(1, a.size - 1):
        a[k] = 0.33333 * (b[k - 1] + b[k] + b[k + 1])


def jax_step(state, i):
    a, b = state
    b = b.at[1:-1].set(0.33333 * (a[:-2] + a[1:-1] + a[2:]))
    a = a.at[1:-1].set(0.33333 * (b[:-2] + b[1:-1] + b[2:]))
    return a, b
