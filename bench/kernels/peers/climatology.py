"""Monthly means of years of maps with holes, the anomalies from them, and these months' deviations."""
import numpy as np

from peer import pattern

SIZE, STEPS, SMALL = 128, 40, 6


def start(n):
    noise = pattern((10, 12, n, n), 0)
    return np.where(noise < 0.1, -999.0, 30 * noise - 5), np.zeros((12, n, n)), np.zeros((10, 12, n, n)), np.zeros(12)


def statistics(temperature):
    valid = temperature > -900
    mean = np.sum(np.where(valid, temperature, 0), axis=0) / np.maximum(np.sum(valid, axis=0), 1)
    anomaly = np.where(valid, temperature - mean, 0)
    return mean, anomaly, np.sqrt(np.sum(anomaly**2, axis=(0, 2, 3)) / np.sum(valid, axis=(0, 2, 3)))


def step(state, i):
    state[1][:], state[2][:], state[3][:] = statistics(state[0])


def numba_step(state, i):
    temperature, mean, anomaly, deviation = state
    years, months, n, m = temperature.shape
    for month in range(months):
        total, squares = 0, 0.0
        for j in range(n):
            for k in range(m):
                count, s = 0, 0.0
                for year in range(years):
                    if temperature[year, month, j, k] > -900:
                        s += temperature[year, month, j, k]
                        count += 1
                mean[month, j, k] = s / max(count, 1)
                total += count
                for year in range(years):
                    valid = temperature[year, month, j, k] > -900
                    anomaly[year, month, j, k] = temperature[year, month, j, k] - mean[month, j, k] if valid else 0.0
                    squares += anomaly[year, month, j, k]**2
        deviation[month] = np.sqrt(squares / total)


def jax_step(state, i):
    return (state[0],) + statistics(state[0])
