"""Products of matrices, one after the other."""
import cupynumeric as np


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


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 64, 4)
