"""The examples in NumPy: `references.py ERROR CHECK FILE NAME OPTION…` compares with what examples/NAME.c printed as
its check and wrote to FILE as .npy: each within ERROR, relative to the largest (0: equal). Options are those of the C
program, in full.
"""
import sys
from math import erf

import numpy as np


def stencil(o):
    n = o["-n"]
    grid = np.zeros((n + 2, n + 2))
    grid[:, 0] = -273.15
    grid[:, -1] = -273.15
    grid[-1, :] = -273.15
    grid[0, :] = 40.0
    center = grid[1:-1, 1:-1]
    for _ in range(o["-w"] + o["-i"]):
        center[:] = 0.2 * (center + grid[:-2, 1:-1] + grid[1:-1, 2:] + grid[1:-1, :-2] + grid[2:, 1:-1])
    return grid.mean(), grid


def wrap(a):
    a[0, :] = a[-2, :]
    a[-1, :] = a[1, :]
    a[:, 0] = a[:, -2]
    a[:, -1] = a[:, 1]


def laplacian(a):
    return a[:-2, 1:-1] + a[1:-1, :-2] - 4 * a[1:-1, 1:-1] + a[1:-1, 2:] + a[2:, 1:-1]


def gray_scott(o):
    n, feed, kill = o["-n"], o["--feed"], o["--kill"]
    u, v = np.ones((n + 2, n + 2)), np.zeros((n + 2, n + 2))
    side = n // 16 + 1
    for y, x in ((0.5, 0.5), (0.2, 0.3), (0.7, 0.25), (0.35, 0.8)):
        y, x = int(y * n), int(x * n)
        u[y : y + side, x : x + side] = 0.5
        v[y : y + side, x : x + side] = 0.25
    uc, vc = u[1:-1, 1:-1], v[1:-1, 1:-1]
    for _ in range(o["-i"]):
        lu, lv, uvv = laplacian(u), laplacian(v), uc * vc * vc
        uc += 0.16 * lu - uvv + feed * (1 - uc)
        vc += 0.08 * lv + uvv - (feed + kill) * vc
        wrap(u)
        wrap(v)
    return vc.mean(), vc


def images(o):
    h, w = o["--height"], o["--width"]
    a = np.zeros((2, h, w))
    a[0, :, :] = 1
    a[0, ::8, :] = 0
    a[0, :, ::8] = 0
    a[1, :, :] = np.arange(h)[:, None] / h
    a[1, h // 4 :, w // 4 :] += 0.5 * a[0, : h - h // 4, : w - w // 4]
    a[0, :, ::-1] *= a[1]
    mixed = 0.25 * a[0] + 0.75 * a[1]
    return mixed.mean(), mixed


def black_scholes(o):
    n, s, r, sigma = o["-n"], o["--price"], o["--interest"], o["--volatility"]
    cdf = lambda x: 0.5 + 0.5 * np.vectorize(erf)(x * 0.7071067811865476)
    unit = (np.arange(n) + 0.5) / n
    k, t = (s * (0.5 + unit))[:, None], 2 * unit
    root = sigma * np.sqrt(t)
    d1 = (np.log(s / k) + (r + 0.5 * sigma * sigma) * t) / root
    discounted = k * np.exp(-r * t)
    call = s * cdf(d1) - discounted * cdf(d1 - root)
    return call.mean() + (call - s + discounted).mean(), call


def heat3d(o):
    n = o["-n"]
    u = np.zeros((n + 2, n + 2, n + 2))
    u[0] = 100.0
    u[-1] = -20.0
    c = slice(1, -1)
    for _ in range(o["-i"]):
        u[c, c, c] = (
            u[c, c, c] + u[:-2, c, c] + u[2:, c, c] + u[c, :-2, c] + u[c, 2:, c] + u[c, c, :-2] + u[c, c, 2:]
        ) * (1.0 / 7)
    return u.mean(), u[:, n // 2 + 1, :]


def advection(o):
    n, turn = o["-n"], o["--turn"]
    place = (np.arange(n) + 0.5) / (n / 2) - 1
    right, down = -turn * place[:, None], turn * place[None, :]
    u = np.exp(-40 * ((place + 0.4) ** 2 + place[:, None] ** 2))
    for _ in range(o["-i"]):
        p = np.pad(u, 1)
        across = np.where(right > 0, u - p[1:-1, :-2], p[1:-1, 2:] - u)
        along = np.where(down > 0, u - p[:-2, 1:-1], p[2:, 1:-1] - u)
        u = u - (right * across + down * along)
    return u.mean(), u


def cg(o):
    n = o["-n"]
    r, x, p = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n + 2, n + 2))
    side = n // 16 + 1
    for y0, x0, value in ((0.25, 0.3, 1), (0.6, 0.75, 1), (0.7, 0.25, -1.5)):
        y0, x0 = int(y0 * n), int(x0 * n)
        r[y0 : y0 + side, x0 : x0 + side] = value
    inner = p[1:-1, 1:-1]
    inner[:] = r
    rr = (r * r).sum()
    enough = o["--tolerance"] ** 2 * rr
    while rr > enough:
        q = 4 * inner - p[:-2, 1:-1] - p[1:-1, :-2] - p[1:-1, 2:] - p[2:, 1:-1]
        alpha = rr / (inner * q).sum()
        x += alpha * inner
        r -= alpha * q
        rr_new = (r * r).sum()
        inner[:] = r + (rr_new / rr) * inner
        rr = rr_new
    return x.mean(), x


def kmeans(o):
    n, k = o["-n"], o["-k"]
    unit = np.arange(n) / n
    y, x = unit[:, None], unit
    c = np.stack([1 / (1 + 12 * ((x - b) ** 2 + (y - a) ** 2)) for a, b in ((0.3, 0.3), (0.35, 0.75), (0.75, 0.5))])
    centres = np.array([c[:, (2 * i + 1) * n // (2 * k), 5 * i % k * n // k] for i in range(k)])
    group = np.zeros((n, n), int)
    for _ in range(o["--most"]):
        now = (((c[None] - centres[:, :, None, None]) ** 2).sum(axis=1)).argmin(axis=0)
        changed = (now != group).sum()
        group = now
        for i in range(k):
            mine = group == i
            centres[i] = (c * mine).sum(axis=(1, 2)) / max(mine.sum(), 1)
        if changed == 0:
            break
    return centres.mean() + group.mean(), group


def game_of_life(o):
    n = o["-n"]
    a = np.zeros((n + 2, n + 2), np.int32)
    starts = range(n // 2 if n < 64 else 32, n - 2, 64)
    for y in starts:
        for x in starts:
            for dy, dx in ((0, 1), (0, 2), (1, 0), (1, 1), (2, 1)):
                a[y + dy + 1, x + dx + 1] = 1
    wrap(a)
    for _ in range(o["-i"]):
        around = sum(a[1 + y : n + 1 + y, 1 + x : n + 1 + x] for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x)
        a[1:-1, 1:-1] = (around == 3) | ((around == 2) & (a[1:-1, 1:-1] == 1))
        wrap(a)
    return a[1:-1, 1:-1].sum(), a[1:-1, 1:-1]


def mandelbrot(o):
    """In parts: NumPy's product of complex numbers may fuse a multiplication with an addition."""
    n, columns = o["-n"], o["-n"] + o["-n"] // 2
    top, step = o["--im"] + 0.5 * o["--height"], o["--height"] / o["-n"]
    re = o["--re"] - 0.5 * step * columns + step * (np.arange(columns) + 0.5) + np.zeros((n, 1))
    im = top - step * (np.arange(n)[:, None] + 0.5) + np.zeros(columns)
    x, y, count = np.zeros(re.shape), np.zeros(re.shape), np.zeros(re.shape, np.int32)
    for _ in range(o["-i"]):
        inside = x * x + y * y <= 4
        count += inside
        x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, x * y + y * x + im, y)
    return np.sqrt(count).sum(), np.sqrt(count)


def number(text):
    return float(text) if "." in text or "e" in text else int(text)


def compare(what, ours, expected, error):
    ours, expected = np.asarray(ours), np.asarray(expected)
    if ours.shape != expected.shape or ours.dtype.kind != expected.dtype.kind:
        sys.exit(f"{what}: {ours.shape} {ours.dtype}, not {expected.shape} {expected.dtype}")
    difference = np.abs(ours.astype(float) - expected.astype(float)).max()
    if not difference <= error * np.abs(expected).max():
        sys.exit(f"{what}: differs by {difference:g}")


error, check, path, name, *arguments = sys.argv[1:]
options = {option: number(value) for option, value in zip(arguments[::2], arguments[1::2])}
expected_check, expected = globals()[name](options)
compare("check", float(check), float(expected_check), float(error))
compare(path, np.load(path), expected, float(error))
