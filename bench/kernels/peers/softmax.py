"""Softmax along rows."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 2000, 33, 40


def start(n):
    return (pattern((n, n), 0),)


def softmax(a):
    e = np.exp(a - np.max(a, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def step(state, i):
    state[0][:] = softmax(state[0])


def numba_step(state, i):
    a = state[0]
    for j in range(a.shape[0]):
        most = a[j].max()
        for k in range(a.shape[1]):
            a[j, k] = np.exp(a[j, k] - most)
        a[j] /= a[j].sum()


def jax_step(state, i):
    return (softmax(state[0]),)
