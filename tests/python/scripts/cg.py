"""Conjugate gradients for a symmetric matrix, without and with the diagonal as preconditioner."""
import argparse

import cupynumeric as np
from legate.timing import time


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--num", type=int, default=64, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=20, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")


if __name__ == "__main__":
    main()
