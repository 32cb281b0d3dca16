"""A layer of LSTM cells over a sequence, forwards, and the gradients of the last step."""
import cupynumeric as np


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def run(n, iterations, batch=4):
    def operand(shape, k):
        size = 1
        for length in shape:
            size *= length
        return (((np.arange(size) * 7919 + 104729 * k) % 1009 + 0.5) / 1009 - 0.5).reshape(shape)

    X = operand((iterations, batch, n), 1)
    W = operand((2 * n + 1, 4 * n), 2) / np.sqrt(2.0 * n)
    h, c = np.zeros((batch, n)), np.zeros((batch, n))
    outputs = np.zeros((iterations, batch, n))
    for t in range(iterations):
        joined = np.hstack((np.ones((batch, 1)), X[t], h))
        gates = joined.dot(W)
        squashed = sigmoid(gates[:, :3 * n])
        i, f, o = squashed[:, :n], squashed[:, n:2 * n], squashed[:, 2 * n:]
        g = np.tanh(gates[:, 3 * n:])
        before, c = c, f * c + i * g
        h = o * np.tanh(c)
        outputs[t] = h
    dh = np.ones((batch, n))
    dc = dh * o * (1 - np.tanh(c)**2)
    dgates = np.hstack((dc * g * i * (1 - i), dc * before * f * (1 - f), dh * np.tanh(c) * o * (1 - o),
                        dc * i * (1 - g**2)))
    return outputs, joined.T.dot(dgates), dgates.dot(W.T)


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 16, 6)
