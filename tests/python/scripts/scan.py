"""Sums and products along an axis: cumsum, cumprod, and their like without NaN."""
import cupynumeric as np


def run(n, iterations):
    k = np.arange(n)
    x = (k * 7919 % 1009 + 0.5) / 1009
    square = x[:n // 4 * 4].reshape(4, -1)
    holes = np.where(k % 5 == 0, np.nan, x)
    for _ in range(iterations):
        results = [np.cumsum(x), np.cumsum(square, axis=0), np.cumsum(square, axis=1), np.cumprod(0.5 + x[:50]),
                   np.nancumsum(holes), np.cumsum(k), np.nancumprod(np.where(k % 5 == 0, np.nan, 0.5 + x)[:40])]
    return tuple(results)


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 1000, 1)
