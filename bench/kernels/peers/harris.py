"""How much of a corner each point of an image is, by Harris and Stephens, with Sobel's derivatives."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 1500, 9, 40


def start(n):
    return pattern((n, n), 0), np.zeros((n - 4, n - 4))


def box_sum(a):
    rows = a[:-2] + a[1:-1] + a[2:]
    return rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]


def corners(im):
    gx = im[:-2, 2:] - im[:-2, :-2] + 2 * (im[1:-1, 2:] - im[1:-1, :-2]) + im[2:, 2:] - im[2:, :-2]
    gy = im[2:, :-2] - im[:-2, :-2] + 2 * (im[2:, 1:-1] - im[:-2, 1:-1]) + im[2:, 2:] - im[:-2, 2:]
    xx, yy, xy = box_sum(gx * gx), box_sum(gy * gy), box_sum(gx * gy)
    return xx * yy - xy * xy - 0.04 * (xx + yy)**2


def step(state, i):
    im, corner = state
    corner[:] = corners(im)


def jax_step(state, i):
    return state[0], corners(state[0])
