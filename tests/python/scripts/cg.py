"""Conjugate gradients for a symmetric matrix, without and with the diagonal as preconditioner."""
import cupynumeric as np


def run(n, iterations):
    k = np.arange(n * n)
    A = ((k * 7919 % 1009 + 0.5) / 1009).reshape(n, n)
    A = 0.5 * (A + A.T) + n * np.eye(n)
    b = (np.arange(n) * 104729 % 1009 + 0.5) / 1009
    return solve(A, b, iterations, False), solve(A, b, iterations, True)


def solve(A, b, iterations, preconditioned):
    M = 1.0 / np.diag(A) if preconditioned else np.ones(b.shape)
    x = np.zeros_like(b)
    r = b - A.dot(x)
    z = M * r
    p = z
    rz = r.dot(z)
    for i in range(iterations):
        Ap = A.dot(p)
        alpha = rz / p.dot(Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        if i % 5 == 0 and np.sqrt(r.dot(r)) < 1e-12:
            break
        z = M * r
        rznew = r.dot(z)
        p = z + (rznew / rz) * p
        rz = rznew
    return x


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 64, 20)
