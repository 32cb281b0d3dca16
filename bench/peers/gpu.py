"""The cases of bench/gpu.sh in CuPy, PyTorch or JAX, fused by what each of them has for that.

    gpu.py cupy|torch|jax SECONDS SCALE [CASE …]

Arrays are SCALE times smaller along their first axis. Prints `peer NAME CASE us=…` for each case (microseconds per
step: the median of five batches), or `peer NAME CASE failed: …`; what is not begun after SECONDS is left out.
"""
import os
import statistics
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

FRAMEWORK, SECONDS, SCALE = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
ONLY = sys.argv[4:]
BEGIN = time.perf_counter()


def measure(step, wait, least=0.05):
    """Microseconds per step. `wait` returns when all steps are over."""
    for _ in range(3):
        step()
    wait()
    start = time.perf_counter()
    step()
    wait()
    once = max(time.perf_counter() - start, 1e-6)
    n = max(1, min(2000, int(least / once)))
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(n):
            step()
        wait()
        times.append((time.perf_counter() - start) / n)
        if sum(times) * n > 4:
            break
    return 1e6 * statistics.median(times)


def chain(x):
    for _ in range(5):
        x = x * 1.000001 + 1e-6
    return x


# Values of stencils from their operands: centre, then neighbours.
def five(c, n, s, w, e):
    return 0.2 * (c + n + s + w + e)


def seven(c, a, b, n, s, w, e):
    return (c + a + b + n + s + w + e) * (1.0 / 7)


def neighbours(x):
    """The interior and its neighbours along each axis."""
    inside = [slice(1, -1)] * x.ndim
    views = [x[tuple(inside)]]
    for axis in range(x.ndim):
        for part in (slice(None, -2), slice(2, None)):
            views.append(x[tuple(part if k == axis else inside[k] for k in range(x.ndim))])
    return views


def scott_u(c, n, s, w, e, v):
    return c + 0.16 * (n + s + w + e - 4 * c) - c * v * v + 0.035 * (1 - c)


def scott_v(c, n, s, w, e, u):
    return c + 0.08 * (n + s + w + e - 4 * c) + u * c * c - 0.1 * c


def price(s, k, t, xp, erf):
    root = 0.3 * xp.sqrt(t)
    d1 = (xp.log(s / k) + 0.075 * t) / root
    n1 = 0.5 + 0.5 * erf(d1 * 0.7071067811865476)
    n2 = 0.5 + 0.5 * erf((d1 - root) * 0.7071067811865476)
    e = k * xp.exp(-0.03 * t)
    return s * n1 - e * n2, e * (1 - n2) - s * (1 - n1)


# The lid-driven cavity of cavity_numpy.py.
CAVITY_N = 2048 // SCALE
CAVITY_D, CAVITY_R, CAVITY_C = 0.2 * 0.2, 0.2, 2 * 0.2


def flow_operands(u, v, p, turned):
    """What a new inner u depends on; `turned`: a new inner v."""
    def at(x, i, j):
        return x[(j, i) if turned else (i, j)]
    if turned:
        u, v = v, u
    inner, front, back, whole = slice(1, -1), slice(1, None), slice(None, -1), slice(None)
    ahead, behind = slice(2, None), slice(None, -2)
    return [at(u, inner, inner), at(u, inner, ahead), at(u, inner, behind), at(u, ahead, inner), at(u, behind, inner),
            at(p, whole, front), at(p, whole, back), at(v, front, slice(2, -1)), at(v, front, slice(1, -2)),
            at(v, back, slice(2, -1)), at(v, back, slice(1, -2))]


def flow(c, e, w, n, s, pe, pw, a, b, f, g):
    x, y = 0.5 * (e + c), 0.5 * (c + w)
    return c + (CAVITY_D * (e + w + n + s - 4 * c)
                - CAVITY_R * (pe + x * x - (pw + y * y) + 0.25 * (n + c) * (a + b) - 0.25 * (c + s) * (f + g)))


def pressure_operands(u, v):
    return [u[1:-1, 1:], u[1:-1, :-1], v[1:, 1:-1], v[:-1, 1:-1]]


class Cupy:
    """Fused by ElementwiseKernel, which writes into views."""

    def __init__(self):
        import cupy
        self.xp = cupy
        self.wait = cupy.cuda.Device().synchronize

    def kernel(self, n_in, text, n_out=1):
        names = "abcdefghjkl"[:n_in]  # `i` is CuPy's
        inputs = ", ".join(f"T {x}" for x in names)
        outputs = ", ".join(f"T r{i}" for i in range(n_out))
        return self.xp.ElementwiseKernel(inputs, outputs, text, "k" + str(abs(hash(text)) % 10**8))

    def full(self, shape, value):
        return self.xp.full(shape, value)

    def draw(self, shape, single):
        """Random numbers from -1 to 1: for equal ones a GPU takes less power, and is faster."""
        return self.xp.random.uniform(-1, 1, shape).astype("f" if single else "d")

    def elementwise(self, function, arrays):
        texts = {triad: "r0 = a + 3.0 * b", mix: "r0 = a * b + c - 0.5 * a",
                 chain: "T x = a; for (int i = 0; i < 5; i++) x = x * 1.000001 + 1e-6; r0 = x"}
        k, out = self.kernel(len(arrays), texts[function]), self.xp.empty_like(arrays[0])
        return lambda: k(*arrays, out)

    def stencil(self, x, ndim):
        text = ("r0 = 0.2 * (a + b + c + d + e)" if ndim == 2
                else "r0 = (a + b + c + d + e + f + g) * (1.0 / 7)")
        k, state = self.kernel(2 * ndim + 1, text), [x, x.copy()]
        inside = (slice(1, -1),) * ndim

        def step():
            k(*neighbours(state[0]), state[1][inside])
            state.reverse()
        return step

    def scott(self, u, v):
        ku = self.kernel(6, "r0 = a + 0.16 * (b + c + d + e - 4 * a) - a * f * f + 0.035 * (1 - a)")
        kv = self.kernel(6, "r0 = a + 0.08 * (b + c + d + e - 4 * a) + f * a * a - 0.1 * a")
        state = [(u, v), (u.copy(), v.copy())]
        inside = (slice(1, -1),) * 2

        def step():
            (a, b), (c, d) = state
            ku(*neighbours(a), b[inside], c[inside])
            kv(*neighbours(b), a[inside], d[inside])
            state.reverse()
        return step

    def cavity(self, u, v, p):
        k = self.kernel(11, "T x = 0.5 * (b + a), y = 0.5 * (a + c);"
                            f" r0 = a + ({CAVITY_D!r} * (b + c + d + e - 4 * a) - {CAVITY_R!r} * (f + x * x - (g + y * "
                            "y) + 0.25 * (d + a) * (h + j) - 0.25 * (a + e) * (k + l)))")
        lid, ends = self.kernel(1, "r0 = 2 - a"), self.kernel(2, "r0 = -a; r1 = -b", 2)
        pressure = self.kernel(5, f"r0 = e - {CAVITY_C!r} * (a - b + c - d)")
        state, inside = [(u, v), (u.copy(), v.copy())], (slice(1, -1),) * 2

        def step():
            old, (u, v) = state
            k(*flow_operands(*old, p, False), u[inside])
            k(*flow_operands(*old, p, True), v[inside])
            self.xp.negative(u[1], out=u[0])
            lid(u[-2], u[-1])
            ends(v[:, 1], v[:, -2], v[:, 0], v[:, -1])
            pressure(*pressure_operands(u, v), p, p)
            state.reverse()
        return step

    def options(self, s, k, t):
        text = ("T q = 0.3 * sqrt(c), d1 = (log(a / b) + 0.075 * c) / q, n1 = 0.5 + 0.5 * erf(d1 * 0.7071067811865476),"
                " n2 = 0.5 + 0.5 * erf((d1 - q) * 0.7071067811865476), w = b * exp(-0.03 * c);"
                " r0 = a * n1 - w * n2; r1 = w * (1 - n2) - a * (1 - n1)")
        kernel, call, put = self.kernel(3, text, 2), s.copy(), s.copy()
        return lambda: kernel(s, k, t, call, put)

    def jit(self, function):
        return function


class Torch(Cupy):
    """Fused by torch.compile."""

    def __init__(self):
        import torch
        self.xp = torch
        torch.set_grad_enabled(False)
        torch.set_float32_matmul_precision("highest")
        self.wait = torch.cuda.synchronize

    def full(self, shape, value):
        return self.xp.full(shape if isinstance(shape, tuple) else (shape,), value, dtype=self.xp.float64,
                            device="cuda")

    def draw(self, shape, single):
        return 2 * self.xp.rand(shape, dtype=self.xp.float32 if single else self.xp.float64, device="cuda") - 1

    def jit(self, function):
        return self.xp.compile(function)

    def elementwise(self, function, arrays):
        compiled = self.jit(function)
        return lambda: compiled(*arrays)

    def stencil(self, x, ndim):
        inside = (slice(1, -1),) * ndim

        def whole(x, y):
            y[inside] = (five if ndim == 2 else seven)(*neighbours(x))
        compiled, state = self.jit(whole), [x, x.clone()]

        def step():
            compiled(*state)
            state.reverse()
        return step

    def scott(self, u, v):
        inside = (slice(1, -1),) * 2

        def whole(u, v, to_u, to_v):
            to_u[inside] = scott_u(*neighbours(u), v[inside])
            to_v[inside] = scott_v(*neighbours(v), u[inside])
        compiled, state = self.jit(whole), [(u, v), (u.clone(), v.clone())]

        def step():
            compiled(*state[0], *state[1])
            state.reverse()
        return step

    def cavity(self, u, v, p):
        inside = (slice(1, -1),) * 2

        def whole(u, v, p, to_u, to_v):
            to_u[inside] = flow(*flow_operands(u, v, p, False))
            to_v[inside] = flow(*flow_operands(u, v, p, True))
            to_u[0] = -to_u[1]
            to_u[-1] = 2 - to_u[-2]
            to_v[:, 0] = -to_v[:, 1]
            to_v[:, -1] = -to_v[:, -2]
            a, b, c, d = pressure_operands(to_u, to_v)
            p -= CAVITY_C * (a - b + c - d)
        compiled, state = self.jit(whole), [(u, v), (u.clone(), v.clone())]

        def step():
            compiled(*state[0], p, *state[1])
            state.reverse()
        return step

    def options(self, s, k, t):
        compiled = self.jit(lambda s, k, t: price(s, k, t, self.xp, self.xp.erf))
        return lambda: compiled(s, k, t)


class Jax(Cupy):
    """Fused by jax.jit."""

    def __init__(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        self.jax, self.xp = jax, jax.numpy
        self.last = None

    def draw(self, shape, single):
        dtype = self.xp.float32 if single else self.xp.float64
        return self.jax.random.uniform(self.jax.random.PRNGKey(1), shape, dtype, -1, 1)

    def wait(self):
        self.jax.block_until_ready(self.last)

    def jit(self, function):
        compiled = self.jax.jit(function)

        def call(*arrays):
            self.last = compiled(*arrays)
            return self.last
        return call

    def elementwise(self, function, arrays):
        compiled = self.jit(function)
        return lambda: compiled(*arrays)

    def repeated(self, function, *state):
        compiled = self.jax.jit(function, donate_argnums=tuple(range(len(state))))
        box = [state]

        def step():
            box[0] = compiled(*box[0])
            self.last = box[0]
        return step

    def stencil(self, x, ndim):
        inside = (slice(1, -1),) * ndim
        return self.repeated(lambda x: (x.at[inside].set((five if ndim == 2 else seven)(*neighbours(x))),), x)

    def scott(self, u, v):
        inside = (slice(1, -1),) * 2
        return self.repeated(lambda u, v: (u.at[inside].set(scott_u(*neighbours(u), v[inside])),
                                           v.at[inside].set(scott_v(*neighbours(v), u[inside]))), u, v)

    def cavity(self, u, v, p):
        inside = (slice(1, -1),) * 2

        def whole(u, v, p):
            u, v = (u.at[inside].set(flow(*flow_operands(u, v, p, False))),
                    v.at[inside].set(flow(*flow_operands(u, v, p, True))))
            u = u.at[0].set(-u[1])
            u = u.at[-1].set(2 - u[-2])
            v = v.at[:, 0].set(-v[:, 1])
            v = v.at[:, -1].set(-v[:, -2])
            a, b, c, d = pressure_operands(u, v)
            return u, v, p - CAVITY_C * (a - b + c - d)
        return self.repeated(whole, u, v, p)

    def options(self, s, k, t):
        compiled = self.jit(lambda s, k, t: price(s, k, t, self.xp, self.jax.scipy.special.erf))
        return lambda: compiled(s, k, t)


def triad(b, c):
    return b + 3.0 * c


def mix(a, b, c):
    return a * b + c - 0.5 * a


def many(peer, function, n_arrays):
    return peer.elementwise(function, [peer.full((1 << 28) // SCALE, 1.0 + i / 8) for i in range(n_arrays)])


def reduction(peer, shape, function, n_arrays=1):
    arrays = [peer.full(shape, 1.0 + i / 8) for i in range(n_arrays)]
    compiled = peer.jit(function)
    return lambda: compiled(*arrays)


def product(peer, n, single=False):
    n //= SCALE
    a, b = peer.draw((n, n), single), peer.draw((n, n), single)
    compiled = peer.jit(lambda a, b: a @ b) if FRAMEWORK == "jax" else lambda a, b: a @ b
    return lambda: compiled(a, b)


def read(value):
    return float(value)


def gradients(peer):
    n, xp = 1000000, peer.xp
    state = [peer.full(n, 0.0), peer.full(n, 1.0), peer.full(n, 1.0), 1.0 * n]

    def first(x, r, p, rr):
        z = p[:1] * 0
        q = 2 * p - xp.concatenate([z, p[:-1]]) - xp.concatenate([p[1:], z])
        alpha = rr / (p * q).sum()
        r = r - alpha * q
        return x + alpha * p, r, (r * r).sum()

    def second(r, p, beta):
        return r + beta * p
    one, two = peer.jit(first), peer.jit(second)

    def step():
        x, r, p, rr = state
        x, r, rr_new = one(x, r, p, rr)
        rr_new = read(rr_new)
        state[:] = [x, r, two(r, p, rr_new / rr), rr_new]
    return step


def square(n):
    return n // SCALE + 2, n + 2


# In the order of their value.
CASES = {
    "triad": lambda p: many(p, triad, 2),
    "five_point": lambda p: p.stencil(p.full(square(16384), 1.0), 2),
    "sum": lambda p: reduction(p, ((1 << 28) // SCALE,), lambda x: x.sum()),
    "stencil_100": lambda p: p.stencil(p.full((102, 102), 1.0), 2),
    "product_sum": lambda p: many(p, mix, 3),
    "chain": lambda p: many(p, chain, 1),
    "seven_point": lambda p: p.stencil(p.full((766 // SCALE + 2, 768, 768), 1.0), 3),
    "gray_scott": lambda p: p.scott(p.full(square(8192), 1.0), p.full(square(8192), 0.1)),
    "matmul": lambda p: product(p, 4096),
    "matmul_8192": lambda p: product(p, 8192),
    "matmul32": lambda p: product(p, 8192, True),
    "options": lambda p: p.options(*[p.full((1 << 26) // SCALE, x) for x in (40.0, 45.0, 1.0)]),
    "dot": lambda p: reduction(p, ((1 << 28) // SCALE,), lambda x, y: p.xp.dot(x, y), 2),
    "rows": lambda p: reduction(p, (16384 // SCALE, 16384), lambda x: x.sum(1)),
    "columns": lambda p: reduction(p, (16384 // SCALE, 16384), lambda x: x.sum(0)),
    "argmin": lambda p: reduction(p, ((1 << 28) // SCALE,), lambda x: x.argmin()),
    "cg": gradients,
    "cavity": lambda p: p.cavity(p.full((CAVITY_N + 2, CAVITY_N + 1), 0.1), p.full((CAVITY_N + 1, CAVITY_N + 2), 0.1),
                                 p.full((CAVITY_N, CAVITY_N), 0.0)),
}


def main():
    peer = {"cupy": Cupy, "torch": Torch, "jax": Jax}[FRAMEWORK]()
    print(f"peer {FRAMEWORK} imported in {time.perf_counter() - BEGIN:.1f} s", flush=True)
    for name, make in CASES.items():
        if ONLY and name not in ONLY:
            continue
        if time.perf_counter() - BEGIN > SECONDS:
            print(f"peer {FRAMEWORK} {name} left out for want of time", flush=True)
            continue
        try:
            print(f"peer {FRAMEWORK} {name} us={measure(make(peer), peer.wait):.3f}", flush=True)
        except Exception as error:  # the others go on
            print(f"peer {FRAMEWORK} {name} failed: {type(error).__name__} {str(error)[:150]!r}", flush=True)
        if FRAMEWORK == "cupy":
            peer.xp.get_default_memory_pool().free_all_blocks()
        elif FRAMEWORK == "torch":
            peer.xp.cuda.empty_cache()


main()
