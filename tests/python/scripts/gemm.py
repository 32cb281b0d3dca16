"""Products of matrices, one after the other."""
import argparse

import cupynumeric as np
from legate.timing import time


def run(n, iterations):
    k = np.arange(n * n)
    results = []
    for dtype in (np.float32, np.float64):
        A = ((k * 7919 % 1009 + 0.5) / 1009).reshape(n, n).astype(dtype)
        B = ((k * 104729 % 1009 + 0.5) / 1009).reshape(n, n).astype(dtype)
        C = np.zeros((n, n), dtype=dtype)
        for _ in range(iterations):
            np.dot(A, B, out=C)
            A, B, C = B, C / n, A
        results.append(B)
    return tuple(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--num", type=int, default=64, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=4, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")


if __name__ == "__main__":
    main()
