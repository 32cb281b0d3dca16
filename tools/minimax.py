#!/usr/bin/env python3
"""The polynomial coefficients of kernel/ops/ops_*.h: how they were found.

Run:  pip install mpmath;  tools/minimax.py [name ...]      (all takes some minutes; none: all)

Each fit is the polynomial of a degree that minimises the greatest weighted error on an interval,
by the exchange method of Remez over a dense grid of Chebyshev points in 60 digits. Coefficients
are rounded to their format from the lowest power on, each time fitting the others again. Printed, lowest power first:
coefficients as C hexadecimal constants, and log2 of the greatest weighted error after rounding.
"""
import sys

from mpmath import mp, mpf

mp.dps = 60


def solve(powers, xs, values, weights):
    """p with weights * (p - values) = +E, -E, ... at the len(powers) + 1 points."""
    n = len(powers) + 1
    m = mp.matrix(n, n)
    for i, x in enumerate(xs):
        for j, k in enumerate(powers):
            m[i, j] = x**k
        m[i, n - 1] = (-1) ** i / weights[i]
    s = mp.lu_solve(m, mp.matrix(values))
    return [s[j] for j in range(n - 1)]


def horner(powers, coefficients, x):
    total = mpf(0)
    for k, c in zip(powers, coefficients):
        total += c * x**k
    return total


def remez(powers, grid, values, weights):
    n = len(powers) + 1
    at = [round(i * (len(grid) - 1) / (n - 1)) for i in range(n)]
    for _ in range(40):
        cs = solve(powers, [grid[i] for i in at], [values[i] for i in at], [weights[i] for i in at])
        err = [(horner(powers, cs, x) - v) * w for x, v, w in zip(grid, values, weights)]
        # The greatest error of each run of one sign; then the n of them that alternate best.
        peaks = []
        for i, e in enumerate(err):
            if peaks and (e >= 0) == (err[peaks[-1]] >= 0):
                if abs(e) > abs(err[peaks[-1]]):
                    peaks[-1] = i
            else:
                peaks.append(i)
        while len(peaks) > n:
            peaks.pop(0 if abs(err[peaks[0]]) < abs(err[peaks[-1]]) else -1)
        if len(peaks) < n or peaks == at:
            break
        at = peaks
    return cs, max(abs(e) for e in err)


def least_squares(powers, grid, values, weights):
    n = len(powers)
    rows = [[w * x**k for k in powers] for x, w in zip(grid, weights)]
    m, right = mp.matrix(n, n), mp.matrix(n, 1)
    for row, v, w in zip(rows, values, weights):
        for i in range(n):
            right[i] += row[i] * v * w
            for j in range(n):
                m[i, j] += row[i] * row[j]
    return list(mp.lu_solve(m, right)), None


def rounded(x, bits):
    m, e = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(m, bits)), e - bits)


def c_hex(x, bits):
    if bits > 24:
        return float(x).hex().replace("0000000000000p", "p")
    text = float(x).hex()
    head, exponent = text.split("p")
    head = head[: head.index(".") + 7].rstrip("0").rstrip(".")
    return head + "p" + exponent + "f"


def fit(name, f, a, b, degree, bits, weight=lambda x: mpf(1)):
    """bits: of the coefficients; a list gives the first ones' own."""
    n_points = 24 * (degree + 2)
    a, b = mpf(a), mpf(b)
    grid = [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * (i + mpf(1) / 2) / n_points) for i in range(n_points)]
    values = [f(x) for x in grid]
    weights = [weight(x) for x in grid]
    wide = bits if isinstance(bits, list) else []
    narrow = wide[-1] if wide else bits
    powers, done, left = list(range(degree + 1)), [], values
    while powers:
        # On both sides of 0, powers without the constant are no basis for Remez.
        refit = least_squares if a < 0 and done else remez
        cs = refit(powers, grid, left, weights)[0]
        k = powers.pop(0)
        c = rounded(cs[0], wide[k] if k < len(wide) else narrow)
        done.append(c)
        left = [v - c * x**k for v, x in zip(left, grid)]
    worst = max(abs(v * w) for v, w in zip(left, weights))
    print(f"{name}: degree {degree} on [{mp.nstr(a, 6)}, {mp.nstr(b, 6)}], error 2^{mp.nstr(mp.log(worst, 2), 5)}")
    for k, c in enumerate(done):
        if k < len(wide) and wide[k] > 53:
            high = rounded(c, 53)
            print(f"  {k}: {c_hex(high, 53)} + {c_hex(c - high, 53)}")
        else:
            print(f"  {k}: {c_hex(c, narrow)}")


def exp_tail(r):
    return (mp.expm1(r) - r) / r**2


def log_tail(z):
    """log((1 + s) / (1 - s)) = 2 s + s z log_tail(z), z = s^2."""
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) - 2 * s) / (s * z)


def sin_tail(z):
    r = mp.sqrt(z)
    return (mp.sin(r) - r) / r**3


def cos_tail(z):
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2


def erf_near(z):
    """erf(x) = x + x erf_near(x^2)."""
    x = mp.sqrt(z)
    return mp.erf(x) / x - 1


def erf_far(x):
    """erf(x) = 1 - exp(-erf_far(x))."""
    return -mp.log(mp.erfc(x))


def erf_root(x):
    """erf(x) = 1 - erf_root(x)^8."""
    return mp.root(mp.erfc(x), 8)


def erfc_far(a, b):
    """erfc(x) = exp(-x^2) / (x + b) (1 + erfc_far(t)), t = (x - a) / (x + b)."""

    def f(t):
        x = (a + b * t) / (1 - t)
        return mp.exp(x * x) * mp.erfc(x) * (x + b) - 1

    return f


def fit_erfc_far(name, a, b, x_min, x_max, degree):
    low, high = [(mpf(x) - a) / (mpf(x) + b) for x in (x_min, x_max)]
    f = erfc_far(a, b)
    fit(name, f, low, high, degree, 53, lambda t: 1 / (1 + f(t)))


def atan_tail(z):
    """atan(t) = t + t z atan_tail(z), z = t^2."""
    t = mp.sqrt(z)
    return (mp.atan(t) - t) / t**3


def exp2_tail(r):
    """2^r = 1 + r ln 2 + r^2 exp2_tail(r)."""
    return (mp.expm1(r * mp.log(2)) - r * mp.log(2)) / r**2


def log1p_tail(r):
    """log(1 + r) = r - r^2 / 2 + r^3 log1p_tail(r)."""
    return (mp.log1p(r) - r + r * r / 2) / r**3


def asin_tail(z):
    t = mp.sqrt(z)
    return (mp.asin(t) - t) / t**3


def sinh_tail(z):
    t = mp.sqrt(z)
    return (mp.sinh(t) - t) / t**3


def cosh_tail(z):
    """cosh(t) = 1 + z cosh_tail(z), z = t^2."""
    return (mp.cosh(mp.sqrt(z)) - 1) / z


def sinc_inner(z):
    """sin(pi t) = t (1 - z) sinc_inner(z) pi, z = t^2."""
    t = mp.sqrt(z)
    return mp.sin(mp.pi * t) / (mp.pi * t * (1 - z))


def lgamma_tail(n):
    """log(gamma(n + t)) = psi(n) t + t^2 lgamma_tail(t) for n = 1, 2."""
    return lambda t: (mp.loggamma(n + t) - mp.psi(0, n) * t) / t**2


def stirling_tail(z):
    """log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 + stirling_tail(z) / x, z = x^-2."""
    x = 1 / mp.sqrt(z)
    return x * (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


def asin_terms(z):
    """Of M(z + d) = asin(s) / s - 1, s^2 = z + d: up to d^3, with what d^4 adds to them on a row."""
    terms = [mp.nsum(lambda n: mp.binomial(2 * n, n) / (4**n * (2 * n + 1)) * mp.binomial(n, k) * mpf(z) ** (n - k),
                     [k, 120]) if z else mp.binomial(2 * k, k) / (mpf(4) ** k * (2 * k + 1)) for k in range(5)]
    h = mpf("0.5") / mpf("125.875")
    return [terms[0] - 1 - (terms[4] * h**4 / 8 if z else 0), terms[1], terms[2] + terms[4] * h**2, terms[3]]


def log_inverses():
    """1 / m nearly, of at most 6 bits, for m in intervals of 2^19 float32 numbers from bits 0x3f340000 on."""
    at = lambda i: mpf(1) / 2 * (1 + mpf((0x340000 + (i << 19)) % 2**23) / 2**23) * (1 if i < 10 else 2)
    out = []
    for i in range(16):
        low, high = at(i), at(i + 1)
        ulp = mpf(2) ** (-23 if high > 1 else -24)
        best = mpf(1), mpf(1)
        for e in range(-8, 1):
            for j in range(2**7):
                c = j * mpf(2) ** e
                r = max(abs(low * c - 1), abs(high * c - 1))
                if r < best[0] and r < 2**24 * ulp * mpf(2) ** e and j % 2:
                    best = r, c
        out.append(mpf(1) if low < 1 < high else best[1])
    return out


def rows(name, values, bits=None):
    """A table of twofold numbers; the first parts are multiples of 2^-bits."""
    first = [rounded(mpf(v), 24) if bits is None else mp.nint(v * 2**bits) / mpf(2) ** bits for v in values]
    for part, column in ((name, first), (name + "_lo", [rounded(mpf(v) - f, 24) for v, f in zip(values, first)])):
        print("  %s: %s" % (part, ", ".join(c_hex(v, 24) if v else "0x0p+0f" for v in column)))


def twofold_tables():
    """The tables of ops_twofold.h and of the functions that use it."""
    rows("exp2: power", [mpf(2) ** (mpf(j) / 32) for j in range(32)])
    inverses = log_inverses()
    rows("log: inverse", inverses)
    rows("log2: of_row", [-mp.log(c, 2) for c in inverses], 16)
    rows("log10: of_row", [-mp.log(c, 10) for c in inverses], 18)
    angles = [mp.atan(mpf(j) / 16) for j in range(16)]
    rows("arctan: angle", angles + [mp.pi / 2 - a for a in angles])
    rows("arctan2: beyond", [mp.pi - a for a in angles] + [mp.pi / 2 + a for a in angles])
    centers = [mp.nint(j / mpf("125.875") * 2**16) / 2**16 for j in range(32)]
    rows("arcsin: center", centers)
    for k, column in enumerate(zip(*[asin_terms(c) for c in centers])):
        rows("arcsin: " + ("more", "first", "second", "third")[k], column)


TINY = "1e-16"
HALF_LN2 = mp.log(2) / 2 * mpf("1.0001")
S2 = (3 - 2 * mp.sqrt(2)) ** 2 * mpf("1.0001")  # s^2 at m = sqrt(2)
PI4_2 = (mp.pi / 4) ** 2 * mpf("1.0001")

FITS = {
    "exp_f32": lambda: fit("exp_f32", exp_tail, -HALF_LN2, HALF_LN2, 5, 24),
    "exp_mid": lambda: fit("exp_mid", exp_tail, -HALF_LN2, HALF_LN2, 5, 53),
    "exp_f64": lambda: fit("exp_f64", exp_tail, -HALF_LN2, HALF_LN2, 10, 53),
    "log_f64": lambda: fit("log_f64", log_tail, TINY, S2, 6, 53, lambda z: z),
    "log_f32": lambda: fit("log_f32", log_tail, TINY, S2, 2, 24, lambda z: z),
    "log_mid": lambda: fit("log_mid", log_tail, TINY, S2, 4, 53, lambda z: z),
    "log_dd": lambda: fit("log_dd", log_tail, TINY, S2, 8, [106, 53], lambda z: z),
    "sin_f64": lambda: fit("sin_f64", sin_tail, TINY, PI4_2, 5, 53, lambda z: z),
    "cos_f64": lambda: fit("cos_f64", cos_tail, TINY, PI4_2, 5, 53, lambda z: z * z),
    "sin_f32": lambda: fit("sin_f32", sin_tail, TINY, PI4_2, 2, 24, lambda z: z),
    "cos_f32": lambda: fit("cos_f32", cos_tail, TINY, PI4_2, 2, 24, lambda z: z * z),
    "erf_near_f64": lambda: fit("erf_near_f64", lambda w: erf_near(w + 1.25), mpf(TINY) - 1.25, 1, 14, 53),
    "erf_near_f32": lambda: fit("erf_near_f32", erf_near, TINY, mpf("0.75") ** 2, 5, 24),
    "erf_root": lambda: fit("erf_root", erf_root, "1.5", "5.95", 15, 53, lambda x: 8 * erf_root(x) ** 7),
    "erf_far_f32": lambda: fit("erf_far_f32", erf_far, "0.75", "3.95", 6, 24, mp.erfc),
    "erfc_far_f64": lambda: fit_erfc_far("erfc_far_f64", 4, 4, "0.75", "27.3", 19),
    "cbrt": lambda: fit("cbrt", mp.cbrt, mp.sqrt(0.5), mp.sqrt(2), 5, 24),
    "atan": lambda: fit("atan", atan_tail, TINY, "0.25001", 12, 53, lambda z: z),
    "asin": lambda: fit("asin", asin_tail, TINY, "0.25001", 12, 53, lambda z: z),
    "sinh": lambda: fit("sinh", sinh_tail, TINY, 1, 7, 53, lambda z: z),
    "cosh_short": lambda: fit("cosh_short", cosh_tail, TINY, HALF_LN2**2, 3, 53, lambda z: z),
    "sinh_short": lambda: fit("sinh_short", sinh_tail, TINY, HALF_LN2**2, 2, 53, lambda z: z),
    "log_short": lambda: fit("log_short", log_tail, TINY, S2, 3, 53, lambda z: z / 2),
    "atanh_short": lambda: fit("atanh_short", log_tail, TINY, "0.0411", 4, 53, lambda z: z / 2),
    "atan_short": lambda: fit("atan_short", atan_tail, TINY, "1.00001", 14, 53, lambda z: z),
    "exp2_twofold": lambda: fit("exp2_twofold", exp2_tail, "-0.0156251", "0.0156251", 2, 24, lambda r: r * r + 1e-12),
    "log_twofold": lambda: fit("log_twofold", log1p_tail, "-0.0342", "0.0342", 3, 24, lambda r: r * r + 1e-12),
    "atan_twofold": lambda: fit("atan_twofold", atan_tail, TINY, "0.00152", 2, 24, lambda z: z),
    "twofold_tables": twofold_tables,
    "sinc_short": lambda: fit("sinc_short", sinc_inner, TINY, "0.99999", 7, 53),
    "cbrt_short": lambda: fit("cbrt_short", lambda m: 1 / mp.cbrt(m), mp.sqrt(0.5), mp.sqrt(2), 4, 53),
    "sin_short": lambda: fit("sin_short", sin_tail, TINY, PI4_2, 3, 53, lambda z: z),
    "cos_short": lambda: fit("cos_short", cos_tail, TINY, PI4_2, 3, 53, lambda z: z * z),
    "lgamma_1": lambda: fit("lgamma_1", lgamma_tail(1), "-0.25", "0.25", 17, 53, abs),
    "lgamma_2": lambda: fit("lgamma_2", lgamma_tail(2), "-0.25", "0.25", 13, 53, abs),
    "stirling": lambda: fit("stirling", stirling_tail, "1e-6", mpf(1) / 64, 6, 53),
    "erfc_near_mid": lambda: fit("erfc_near_mid", erf_near, TINY, mpf("0.5") ** 2, 4, 53),
    "erfc_far_mid": lambda: fit_erfc_far("erfc_far_mid", 3, 2, "0.5", "10.1", 9),
}


def two_over_pi(bits, count):
    """The binary digits of 2 / pi in pieces, each times 2^-bits: the constants of ops_trig.h."""
    mp.prec = bits * count + 200
    x, out = 2 / mp.pi, []
    for _ in range(count):
        x = mp.ldexp(x, bits)
        piece = mp.floor(x)
        x -= piece
        out.append(float(mp.ldexp(piece, -bits)).hex())
    print(f"2/pi in pieces of {bits} bits:\n  " + "\n  ".join(out))


def lgamma_zero(n, e):
    """The zero of log |gamma(x)| near e - n."""
    at = lambda e: mp.log(abs(mp.gamma(e - n)))
    return mp.findroot(at, (e * mpf("0.8"), e / mpf("0.8")), solver="anderson") - n


def lgamma_between(u):
    """log |gamma(u - 165 / 64)| over the products of its distances from both zeros there."""
    x = u - mpf(165) / 64
    return mp.log(abs(mp.gamma(x))) / ((x - BETWEEN[0]) * (x - BETWEEN[1]))


def lgamma_zeros():
    """The rows of ops_zeros.h, one for each zero x = e - n of log |gamma(x)| below -3 that has float64
    numbers near it: x in two parts, psi(x) in two, then the coefficients of t^2 to t^9 in
    log |gamma(x + t)| + log |1 + t / e|."""
    mp.dps = 200
    for n in range(3, 17):
        for side in (1, -1)[n == 3 :]:
            x = lgamma_zero(n, side / mp.factorial(n))
            e, slope = x + n, mp.psi(0, x)
            row = [x, x - mpf(float(x)), slope, slope - mpf(float(slope))]
            row += [mp.psi(k - 1, x) / mp.factorial(k) - 1 / (k * (-e) ** k) for k in range(2, 10)]
            print("  " + ", ".join(float(c).hex() for c in row) + ",")


BETWEEN = [lgamma_zero(2, mpf("-0.457")), lgamma_zero(3, mpf("0.252"))]
FITS["lgamma_between"] = lambda: fit("lgamma_between", lgamma_between, "-0.225", "0.225", 30, [106, 53])
FITS["lgamma_zeros"] = lgamma_zeros

if __name__ == "__main__":
    for fit_name in sys.argv[1:] or FITS:
        FITS[fit_name]()
    if not sys.argv[1:]:
        two_over_pi(53, 23)
        two_over_pi(28, 9)
