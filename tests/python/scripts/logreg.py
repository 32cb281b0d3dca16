"""Logistic regression by descent along the gradient."""
import cupynumeric as np


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


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 500, 40)
