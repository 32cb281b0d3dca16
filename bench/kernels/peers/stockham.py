"""The Fourier transform of a power of 2, in Stockham's order, radix 2."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 1 << 19, 10, 64


def start(n):
    return (pattern((n,), 0) + 1j * pattern((n,), 1),)


def transform(x):
    n = x.size
    y, h, s = x.reshape(n, 1), n // 2, 1
    while h > 0:
        a, b = y[:h], y[h:]
        w = np.exp(-1j * np.pi / h * np.arange(h)).reshape(h, 1)
        y = np.stack((a + b, (a - b) * w), axis=1).reshape(h, 2 * s)
        h, s = h // 2, s * 2
    return y[0] / np.sqrt(n)


def step(state, i):
    state[0][:] = transform(state[0])


def numba_step(state, i):
    x = state[0]
    n = x.size
    a, b = x.copy(), np.empty_like(x)
    h, s = n // 2, 1
    while h > 0:
        for p in range(h):
            w = np.exp(-1j * np.pi / h * p)
            for q in range(s):
                one, two = a[q + s * p], a[q + s * (p + h)]
                b[q + s * 2 * p] = one + two
                b[q + s * (2 * p + 1)] = (one - two) * w
        a, b = b, a
        h, s = h // 2, s * 2
    x[:] = a / np.sqrt(n)


def jax_step(state, i):
    return (transform(state[0]),)
