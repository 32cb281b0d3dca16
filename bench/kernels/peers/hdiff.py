"""Horizontal diffusion of a field of the atmosphere, fourth order, with limited fluxes."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 256, 8, 16


def start(n):
    return pattern((n + 4, n + 4, 16), 0), 0.1 * pattern((n, n, 16), 1)


def change(field, coefficient):
    lap = 4.0 * field[1:-1, 1:-1] - (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2])
    res = lap[1:, 1:-1] - lap[:-1, 1:-1]
    flx = np.where(res * (field[2:-1, 2:-2] - field[1:-2, 2:-2]) > 0, 0.0, res)
    res = lap[1:-1, 1:] - lap[1:-1, :-1]
    fly = np.where(res * (field[2:-2, 2:-1] - field[2:-2, 1:-2]) > 0, 0.0, res)
    return coefficient * (flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1])


def step(state, i):
    field, coefficient = state
    field[2:-2, 2:-2] -= change(field, coefficient)


def jax_step(state, i):
    field, coefficient = state
    return field.at[2:-2, 2:-2].add(-change(field, coefficient)), coefficient
