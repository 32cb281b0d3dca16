"""Implicit heat in alternating directions: rows one after the other, then columns, by Thomas' algorithm."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL, ROWS = 1000, 32, 24, True
R = 0.4


def start(n):
    return pattern((n, n), 0), np.zeros((n, n))


def coefficients(n):
    c, w = [R / (1 + 2 * R)], [1 / (1 + 2 * R)]
    for j in range(1, n):
        w.append(1 / (1 + 2 * R - R * c[j - 1]))
        c.append(R * w[j])
    return np.array(c), np.array(w)


def thomas(d):
    n = d.shape[0]
    c, w = coefficients(n)
    d[0] *= w[0]
    for j in range(1, n):
        d[j] = w[j] * (d[j] + R * d[j - 1])
    for j in range(n - 2, -1, -1):
        d[j] += c[j] * d[j + 1]


def step(state, i):
    u, d = state
    d[:, :] = (1 - 2 * R) * u
    d[:, 1:] += R * u[:, :-1]
    d[:, :-1] += R * u[:, 1:]
    thomas(d)
    u[:, :] = (1 - 2 * R) * d
    u[1:, :] += R * d[:-1, :]
    u[:-1, :] += R * d[1:, :]
    thomas(u.T)


def jax_thomas(d):
    import jax
    c, w = coefficients(d.shape[0])

    def forward(before, row):
        wj, dj = row
        now = wj * (dj + R * before)
        return now, now

    def backward(after, row):
        cj, dj = row
        now = dj + cj * after
        return now, now

    zero = np.zeros_like(d[0])
    _, d = jax.lax.scan(forward, zero, (w, d))
    return jax.lax.scan(backward, zero, (c, d), reverse=True)[1]


def jax_step(state, i):
    u, _ = state
    d = ((1 - 2 * R) * u).at[:, 1:].add(R * u[:, :-1]).at[:, :-1].add(R * u[:, 1:])
    d = jax_thomas(d)
    u = ((1 - 2 * R) * d).at[1:].add(R * d[:-1]).at[:-1].add(R * d[1:])
    return jax_thomas(u.T).T, d
