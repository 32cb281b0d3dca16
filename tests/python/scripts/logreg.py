"""Logistic regression by descent along the gradient."""
import argparse

import cupynumeric as np
from legate.timing import time


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def run(n, iterations, features=6):
    k = np.arange(n * features)
    x = ((k * 7919 % 1009 + 0.5) / 1009).reshape(n, features)
    target = (x[:, 0] + x[:, 1] > 1.0).astype(np.float64)
    weights = np.zeros(features)
    for _ in range(iterations):
        prediction = sigmoid(x.dot(weights))
        weights += 0.5 / n * x.T.dot(target - prediction)
    scores = x.dot(weights)
    likelihood = np.sum(target * scores - np.log(1.0 + np.exp(scores)))
    return weights, likelihood, np.mean(((scores > 0) == (target > 0.5)).astype(np.float64))


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
