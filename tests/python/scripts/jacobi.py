"""Jacobi iterations for a diagonally dominant system of equations."""
import cupynumeric as np


def run(n, iterations):
    k = np.arange(n * n)
    A = ((k * 7919 % 1009 + 0.5) / 1009).reshape(n, n) + n * np.eye(n)
    b = (np.arange(n) * 104729 % 1009 + 0.5) / 1009
    x = np.zeros(b.shape)
    d = np.diag(A)
    R = A - np.diag(d)
    for _ in range(iterations):
        x = (b - np.dot(R, x)) / d
    return x, np.dot(A, x) - b


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 100, 25)
