"""American puts of many strikes on a binomial tree."""
import numpy as np

SIZE, STEPS, SMALL = 900, 1, 40


def start(n):
    return np.zeros((n, n // 4 + 1)), np.linspace(80.0, 120.0, n).reshape(n, 1)


def tree(m):
    dt = 1 / m
    up, disc = np.exp(0.2 * np.sqrt(dt)), np.exp(-0.03 * dt)
    q = (1 / disc - 1 / up) / (up - 1 / up)
    nodes = 100 * up**(2.0 * np.arange(m + 1) - m)
    return up, disc, q, nodes


def step(state, i):
    v, strike = state
    m = v.shape[1] - 1
    up, disc, q, nodes = tree(m)
    v[:] = np.maximum(strike - nodes, 0)
    for k in range(m - 1, -1, -1):
        v[:, :-1] = np.maximum(strike - up**(m - k) * nodes[:-1], disc * (q * v[:, 1:] + (1 - q) * v[:, :-1]))


def numba_step(state, i):
    v, strike = state
    n, m = v.shape[0], v.shape[1] - 1
    up, disc, q, nodes = tree(m)
    for j in range(n):
        for k in range(m + 1):
            v[j, k] = max(strike[j, 0] - nodes[k], 0.0)
        for k in range(m - 1, -1, -1):
            shift = up**(m - k)
            for c in range(m):
                v[j, c] = max(strike[j, 0] - shift * nodes[c], disc * (q * v[j, c + 1] + (1 - q) * v[j, c]))


def jax_step(state, i):
    import jax
    v, strike = state
    m = v.shape[1] - 1
    up, disc, q, nodes = tree(m)

    def back(k, v):
        value = np.maximum(strike - up**(k + 1) * nodes[:-1], disc * (q * v[:, 1:] + (1 - q) * v[:, :-1]))
        return v.at[:, :-1].set(value)

    return jax.lax.fori_loop(0, m, back, np.maximum(strike - nodes, 0)), strike
