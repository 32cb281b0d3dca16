"""Linear regression by descent along the gradient."""
import cupynumeric as np


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


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 500, 40)
