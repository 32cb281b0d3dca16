"""Jacobi iterations for a diagonally dominant system of equations."""
import argparse

import cupynumeric as np
from legate.timing import time


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--num", type=int, default=100, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=25, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")


if __name__ == "__main__":
    main()
