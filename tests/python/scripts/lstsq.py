"""Least squares by numpy.linalg.lstsq, for one and for several right sides."""
import cupynumeric as np


def run(n, iterations, unknowns=6):
    k = np.arange(n * unknowns)
    A = ((k * 7919 % 1009 + 0.5) / 1009).reshape(n, unknowns)
    B = ((np.arange(3 * n) * 104729 % 1009 + 0.5) / 1009).reshape(n, 3)
    for _ in range(iterations):
        one = np.linalg.lstsq(A, B[:, 0], rcond=None)[0]
        several = np.linalg.lstsq(A, B, rcond=None)[0]
    return one, several, A @ several - B


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 200, 1)
