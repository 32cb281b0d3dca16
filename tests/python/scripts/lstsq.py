"""Least squares by numpy.linalg.lstsq, for one and for several right sides."""
import argparse

import cupynumeric as np
from legate.timing import time


def run(n, iterations, unknowns=6):
    k = np.arange(n * unknowns)
    A = ((k * 7919 % 1009 + 0.5) / 1009).reshape(n, unknowns)
    B = ((np.arange(3 * n) * 104729 % 1009 + 0.5) / 1009).reshape(n, 3)
    for _ in range(iterations):
        one = np.linalg.lstsq(A, B[:, 0], rcond=None)[0]
        several = np.linalg.lstsq(A, B, rcond=None)[0]
    return one, several, A @ several - B


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--num", type=int, default=200, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=1, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")


if __name__ == "__main__":
    main()
