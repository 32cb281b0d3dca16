"""Flow under a sliding lid: a projection scheme, ten sweeps for the pressure in each step."""
import numpy as np

SIZE, STEPS, SMALL = 400, 40, 24


def start(n):
    return np.full((n, n), 0.1), np.full((n, n), 0.1), np.zeros((n, n)), np.zeros((n, n))


def laplacian(u, h):
    return (u[1:-1, 2:] + u[1:-1, :-2] + u[2:, 1:-1] + u[:-2, 1:-1] - 4 * u[1:-1, 1:-1]) / (h * h)


def gradients(u, half):
    return half * (u[1:-1, 2:] - u[1:-1, :-2]), half * (u[2:, 1:-1] - u[:-2, 1:-1])


def right_side(ux, uy, vx, vy, h, dt):
    return h * h * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)


def sweep(p, b):
    return 0.25 * (p[1:-1, 2:] + p[1:-1, :-2] + p[2:, 1:-1] + p[:-2, 1:-1] - b[1:-1, 1:-1])


def constants(u):
    h = 1 / (u.shape[0] - 1)
    return h, 0.1 * h, 0.1 * h, 0.5 / h


def step(state, i):
    u, v, p, b = state
    h, dt, nu, half = constants(u)
    ux, uy = gradients(u, half)
    vx, vy = gradients(v, half)
    b[1:-1, 1:-1] = right_side(ux, uy, vx, vy, h, dt)
    for _ in range(10):
        p[1:-1, 1:-1] = sweep(p, b)
        p[:, -1] = p[:, -2]
        p[:, 0] = p[:, 1]
        p[0, :] = p[1, :]
        p[-1, :] = 0
    px, py = gradients(p, half)
    lu, lv, un, vn = laplacian(u, h), laplacian(v, h), u[1:-1, 1:-1].copy(), v[1:-1, 1:-1].copy()
    u[1:-1, 1:-1] += dt * (nu * lu - un * ux - vn * uy - px)
    v[1:-1, 1:-1] += dt * (nu * lv - un * vx - vn * vy - py)
    u[0, :] = 0
    u[:, 0] = 0
    u[:, -1] = 0
    u[-1, :] = 1
    v[0, :] = 0
    v[-1, :] = 0
    v[:, 0] = 0
    v[:, -1] = 0


def jax_step(state, i):
    import jax
    u, v, p, b = state
    h, dt, nu, half = constants(u)
    ux, uy = gradients(u, half)
    vx, vy = gradients(v, half)
    b = b.at[1:-1, 1:-1].set(right_side(ux, uy, vx, vy, h, dt))

    def relax(_, p):
        p = p.at[1:-1, 1:-1].set(sweep(p, b))
        p = p.at[:, -1].set(p[:, -2])
        p = p.at[:, 0].set(p[:, 1])
        return p.at[0, :].set(p[1, :]).at[-1, :].set(0)

    p = jax.lax.fori_loop(0, 10, relax, p)
    px, py = gradients(p, half)
    lu, lv, un, vn = laplacian(u, h), laplacian(v, h), u[1:-1, 1:-1], v[1:-1, 1:-1]
    u = u.at[1:-1, 1:-1].add(dt * (nu * lu - un * ux - vn * uy - px))
    v = v.at[1:-1, 1:-1].add(dt * (nu * lv - un * vx - vn * vy - py))
    u = u.at[0, :].set(0).at[:, 0].set(0).at[:, -1].set(0).at[-1, :].set(1)
    return u, v.at[0, :].set(0).at[-1, :].set(0).at[:, 0].set(0).at[:, -1].set(0), p, b
