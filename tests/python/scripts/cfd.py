"""Flow through a channel, a projection scheme: pressure by sweeps, velocities by upwind differences."""
import cupynumeric as np


def source(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = rho * (1 / dt * ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx) + (v[2:, 1:-1] - v[0:-2, 1:-1])
                                     / (2 * dy)) -
                           ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx))**2 -
                           2 * ((u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx)) -
                           ((v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))**2)


def pressure(p, b, dx, dy, sweeps):
    for _ in range(sweeps):
        pn = p.copy()
        p[1:-1, 1:-1] = (((pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2) /
                         (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1])
        p[-1, :] = p[-2, :]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[:, -1] = 0


def advanced(w, u, v, dt, dx, dy, nu):
    inner = w[1:-1, 1:-1]
    return (inner - u[1:-1, 1:-1] * dt / dx * (inner - w[1:-1, 0:-2]) - v[1:-1, 1:-1] * dt / dy
            * (inner - w[0:-2, 1:-1]) +
            nu * (dt / dx**2 * (w[1:-1, 2:] - 2 * inner + w[1:-1, 0:-2]) + dt / dy**2
                  * (w[2:, 1:-1] - 2 * inner + w[0:-2, 1:-1])))


def run(n, iterations):
    dx = dy = 2 / (n - 1)
    rho, nu, dt = 1.0, 0.1, 0.1 * dx
    u, v, p, b = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for _ in range(iterations):
        source(b, rho, dt, u, v, dx, dy)
        pressure(p, b, dx, dy, 10)
        un, vn = u.copy(), v.copy()
        u[1:-1, 1:-1] = advanced(un, un, vn, dt, dx, dy, nu) - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2]) + dt
        v[1:-1, 1:-1] = advanced(vn, un, vn, dt, dx, dy, nu) - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
        for side in (u, v):
            side[0, :] = 0
            side[-1, :] = 0
    return u, v, p


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 41, 20)
