"""Linear regression by descent along the gradient."""
import argparse

import cupynumeric as np
from legate.timing import time


def run(n, iterations, features=8):
    k = np.arange(n * features)
    x = ((k * 7919 % 1009 + 0.5) / 1009).reshape(n, features)
    y = x @ np.arange(1.0, features + 1) + 0.25
    weights = np.zeros(features + 1)
    data = np.hstack((x, np.ones((n, 1))))
    for i in range(iterations):
        error = np.dot(data, weights) - y
        gradient = np.dot(data.T, error) / n
        weights -= 0.1 * gradient
        if i % 10 == 9:
            cost = np.sum(error * error) / n
            if not cost < 1e9:
                raise FloatingPointError("the descent grows")
    return weights, np.sum(error * error)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--num", type=int, default=500, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=40, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")


if __name__ == "__main__":
    main()
