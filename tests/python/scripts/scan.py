"""Sums and products along an axis: cumsum, cumprod, and their like without NaN."""
import argparse

import cupynumeric as np
from legate.timing import time


def run(n, iterations):
    k = np.arange(n)
    x = (k * 7919 % 1009 + 0.5) / 1009
    square = x[:n // 4 * 4].reshape(4, -1)
    holes = np.where(k % 5 == 0, np.nan, x)
    for _ in range(iterations):
        results = [np.cumsum(x), np.cumsum(square, axis=0), np.cumsum(square, axis=1), np.cumprod(0.5 + x[:50]),
                   np.nancumsum(holes), np.cumsum(k), np.nancumprod(np.where(k % 5 == 0, np.nan, 0.5 + x)[:40])]
    return tuple(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--num", type=int, default=1000, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=1, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")


if __name__ == "__main__":
    main()
