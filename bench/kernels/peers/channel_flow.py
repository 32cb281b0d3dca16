"""Flow that a constant force drives along a periodic channel: a projection scheme, ten sweeps for the pressure."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 400, 100, 24


def start(n):
    return tuple(0.01 * pattern((n, n), k) for k in range(3))


def roll(a, by):
    """np.roll(a, by, 1), which Numba does not have."""
    return np.concatenate((a[:, -by:], a[:, :-by]), axis=1)


def across(a, half):
    return half * (roll(a, -1) - roll(a, 1))[1:-1]


def up(a, half):
    return half * (a[2:] - a[:-2])


def laplacian(a, h):
    return (roll(a, -1)[1:-1] + roll(a, 1)[1:-1] + a[2:] + a[:-2] - 4 * a[1:-1]) / (h * h)


def right_side(u, v, h, dt, half):
    ux, uy, vx, vy = across(u, half), up(u, half), across(v, half), up(v, half)
    return h * h * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)


def sweep(p, b):
    return 0.25 * ((roll(p, -1) + roll(p, 1))[1:-1] + p[2:] + p[:-2] - b)


def changes(u, v, p, h, dt, nu, half):
    un, vn = u[1:-1], v[1:-1]
    du = dt * (1 + nu * laplacian(u, h) - un * across(u, half) - vn * up(u, half) - across(p, half))
    return du, dt * (nu * laplacian(v, h) - un * across(v, half) - vn * up(v, half) - up(p, half))


def step(state, i):
    u, v, p = state
    h = 1 / (u.shape[0] - 1)
    dt, nu, half = 0.1 * h, 0.1 * h, 0.5 / h
    b = right_side(u, v, h, dt, half)
    for _ in range(10):
        p[1:-1] = sweep(p, b)
        p[0] = p[1]
        p[-1] = p[-2]
    du, dv = changes(u, v, p, h, dt, nu, half)
    u[1:-1] += du
    v[1:-1] += dv
    u[0] = 0
    u[-1] = 0
    v[0] = 0
    v[-1] = 0


def jax_step(state, i):
    import jax
    u, v, p = state
    h = 1 / (u.shape[0] - 1)
    dt, nu, half = 0.1 * h, 0.1 * h, 0.5 / h
    b = right_side(u, v, h, dt, half)

    def relax(_, p):
        p = p.at[1:-1].set(sweep(p, b))
        return p.at[0].set(p[1]).at[-1].set(p[-2])

    p = jax.lax.fori_loop(0, 10, relax, p)
    du, dv = changes(u, v, p, h, dt, nu, half)
    return u.at[1:-1].add(du).at[0].set(0).at[-1].set(0), v.at[1:-1].add(dv).at[0].set(0).at[-1].set(0), p
