"""How many passes over memory a step takes: passes.py NAME N STEPS prints `passes=…`, as the program bench/kernels
does.

The functions do just what their C twins in bench/kernels do, with names for the same values."""
import sys

import tessera as np


def pattern(shape, k):
    size = 1
    for length in shape:
        size *= length
    return (((np.arange(size) * 7919 + 104729 * k) % 1009 + 0.5) / 1009).reshape(shape)


def nbody_start(n):
    return [pattern((n,), k) for k in range(7)]


def nbody(state, n):
    px, py, pz, vx, vy, vz, m = state
    dx, dy, dz = px - px[:, None], py - py[:, None], pz - pz[:, None]
    pull = m * (dx * dx + dy * dy + dz * dz + 0.01)**-1.5 / n
    for p, v, d in ((px, vx, dx), (py, vy, dy), (pz, vz, dz)):
        v += 0.01 * np.sum(pull * d, axis=1)
        p += 0.01 * v


def cavity_flow_start(n):
    return [np.full((n, n), 0.1), np.full((n, n), 0.1), np.zeros((n, n)), np.zeros((n, n))]


def laplacian(u, h):
    return (u[1:-1, 2:] + u[1:-1, :-2] + u[2:, 1:-1] + u[:-2, 1:-1] - 4 * u[1:-1, 1:-1]) / (h * h)


def gradients(u, half):
    return half * (u[1:-1, 2:] - u[1:-1, :-2]), half * (u[2:, 1:-1] - u[:-2, 1:-1])


def cavity_flow(state, n):
    u, v, p, b = state
    h = 1 / (n - 1)
    dt, nu, half = 0.1 * h, 0.1 * h, 0.5 / h
    ux, uy = gradients(u, half)
    vx, vy = gradients(v, half)
    b[1:-1, 1:-1] = h * h * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)
    for _ in range(10):
        p[1:-1, 1:-1] = 0.25 * (p[1:-1, 2:] + p[1:-1, :-2] + p[2:, 1:-1] + p[:-2, 1:-1] - b[1:-1, 1:-1])
        p[:, -1] = p[:, -2]
        p[:, 0] = p[:, 1]
        p[0, :] = p[1, :]
        p[-1, :] = 0
    lu, lv = laplacian(u, h), laplacian(v, h)
    un, vn = u[1:-1, 1:-1].copy(), v[1:-1, 1:-1].copy()
    u[1:-1, 1:-1] += dt * (nu * lu - un * ux - vn * uy - half * (p[1:-1, 2:] - p[1:-1, :-2]))
    v[1:-1, 1:-1] += dt * (nu * lv - un * vx - vn * vy - half * (p[2:, 1:-1] - p[:-2, 1:-1]))
    u[0, :] = 0
    u[:, 0] = 0
    u[:, -1] = 0
    u[-1, :] = 1
    v[0, :] = 0
    v[-1, :] = 0
    v[:, 0] = 0
    v[:, -1] = 0


def channel_flow_start(n):
    return [0.01 * pattern((n, n), k) for k in range(3)]


def channel_flow(state, n):
    u, v, p = state
    h = 1 / (n - 1)
    dt, nu, half = 0.1 * h, 0.1 * h, 0.5 / h
    ue, uw = np.roll(u, -1, 1), np.roll(u, 1, 1)
    ve, vw = np.roll(v, -1, 1), np.roll(v, 1, 1)
    ux, uy = half * (ue - uw)[1:-1], half * (u[2:] - u[:-2])
    vx, vy = half * (ve - vw)[1:-1], half * (v[2:] - v[:-2])
    b = h * h * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)
    for _ in range(10):
        p[1:-1] = 0.25 * ((np.roll(p, -1, 1) + np.roll(p, 1, 1))[1:-1] + p[2:] + p[:-2] - b)
        p[0] = p[1]
        p[-1] = p[-2]
    lu = (ue[1:-1] + uw[1:-1] + u[2:] + u[:-2] - 4 * u[1:-1]) / (h * h)
    lv = (ve[1:-1] + vw[1:-1] + v[2:] + v[:-2] - 4 * v[1:-1]) / (h * h)
    px = half * (np.roll(p, -1, 1) - np.roll(p, 1, 1))[1:-1]
    un, vn = u[1:-1].copy(), v[1:-1].copy()
    u[1:-1] += dt * (1 + nu * lu - un * ux - vn * uy - px)
    v[1:-1] += dt * (nu * lv - un * vx - vn * vy - half * (p[2:] - p[:-2]))
    u[0] = 0
    u[-1] = 0
    v[0] = 0
    v[-1] = 0


def hdiff_start(n):
    return [pattern((n + 4, n + 4, 16), 0), 0.1 * pattern((n, n, 16), 1)]


def hdiff(state, n):
    f, c = state
    lap = 4.0 * f[1:-1, 1:-1] - (f[2:, 1:-1] + f[:-2, 1:-1] + f[1:-1, 2:] + f[1:-1, :-2])
    rx = lap[1:, 1:-1] - lap[:-1, 1:-1]
    flx = np.where(rx * (f[2:-1, 2:-2] - f[1:-2, 2:-2]) > 0, 0.0, rx)
    ry = lap[1:-1, 1:] - lap[1:-1, :-1]
    fly = np.where(ry * (f[2:-2, 2:-1] - f[2:-2, 1:-2]) > 0, 0.0, ry)
    f[2:-2, 2:-2] -= c * (flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1])


def main():
    name, n, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    state = globals()[name + "_start"](n)
    for turn in range(2 * steps):
        if turn == steps:
            np.barrier()
            before = np.n_passes()
        globals()[name](state, n)
    np.barrier()
    print(f"passes={(np.n_passes() - before) / steps:.3f}")


if __name__ == "__main__":
    main()
