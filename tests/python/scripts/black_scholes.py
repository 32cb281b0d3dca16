"""Prices of European options by the formula of Black and Scholes."""
import cupynumeric as np


def normal_cdf(d):
    a1, a2, a3, a4, a5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
    k = 1.0 / (1.0 + 0.2316419 * np.absolute(d))
    density = 0.39894228040143267793994605993438 * np.exp(-0.5 * d * d)
    tail = density * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))))
    return np.where(d > 0, 1.0 - tail, tail)


def black_scholes(S, X, T, R, V):
    root = np.sqrt(T)
    d1 = (np.log(S / X) + (R + 0.5 * V * V) * T) / (V * root)
    d2 = d1 - V * root
    cdf1, cdf2 = normal_cdf(d1), normal_cdf(d2)
    discount = np.exp((-R) * T)
    call = S * cdf1 - X * discount * cdf2
    put = X * discount * (1.0 - cdf2) - S * (1.0 - cdf1)
    return call, put


def run(n, iterations):
    k = np.arange(n)
    S = 5 + 25 * ((k * 7919 % 1009 + 0.5) / 1009)
    X = 1 + 99 * ((k * 104729 % 1009 + 0.5) / 1009)
    T = 0.25 + 9.75 * ((k * 31 % 1009 + 0.5) / 1009)
    for _ in range(iterations):
        call, put = black_scholes(S, X, T, 0.02, 0.3)
    return call, put


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 10000, 2)
