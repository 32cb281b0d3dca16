"""What is measured, as data: our programs, their peers, and the bars.

A bar is the least ratio, the peer's time / ours. A `rate` says how fast a hand-written peer should be beside a STREAM
triad of the same run: units per step, units per byte of the triad, and which triad; measured on two cores.

Steps: enough that the kernels are compiled before the clock starts, and so few that what spreads from a border does not
fade to denormals on its way: the stencil's 0.2^440 is one.
"""
from dataclasses import dataclass, field


@dataclass
class Peer:
    name: str
    command: list  # program or script in peers/, and its arguments
    bar: float = None
    threads: int = None  # None: as many as the case has places
    ranks: int = 1
    needs: str = "numpy"  # the Python module without which there is no line
    rate: tuple = None
    environment: dict = field(default_factory=dict)
    scale: float = 1  # times as much work per thread as the peer does


@dataclass
class Case:
    name: str
    command: list
    peers: list
    threads: int = 2
    ranks: int = 1
    environment: dict = field(default_factory=dict)
    tolerance: float = 1e-9


def numpy(script, arguments, bar):
    return Peer("numpy", [script] + arguments, bar, threads=1)


def stencil_rates(n):
    return {"c": (n * n, 1.71e9 / 28.7e9, "gb_per_s"), "c_nt": (n * n, 2.11e9 / 41.5e9, "nt_gb_per_s")}


def stencil(n, threads, steps, numpy_steps, bars):
    rates = stencil_rates(n) if n >= 8000 else {}
    return Case(f"stencil_{n}", ["stencil_bench", n] + steps, threads=threads, peers=[
        numpy("stencil_numpy.py", [n] + numpy_steps, bars.get("numpy")),
        Peer("c", ["stencil_c", n] + steps, bars.get("c"), rate=rates.get("c")),
        Peer("c_nt", ["stencil_c", n] + steps + ["nt"], bars.get("c_nt"), rate=rates.get("c_nt"))])


def second_level_cache():
    """Bytes of one core's; a megabyte where the system does not tell."""
    try:
        with open("/sys/devices/system/cpu/cpu0/cache/index2/size") as size:
            return 1024 * int(size.read().strip().rstrip("K"))
    except (OSError, ValueError):
        return 1 << 20


def in_cache(command, steps, n_axes, bytes_per_point, threads):
    """The same program on a grid whose arrays fill half of one second-level cache, on one thread: what its kernels
    reach where memory does not matter."""
    at = next(k for k, word in enumerate(command) if isinstance(word, int))
    n = int((second_level_cache() / 2 / bytes_per_point) ** (1 / n_axes))
    return Peer("in_cache", command[:at] + [n] + steps, 0.7, threads=1,
                scale=(command[at] / n) ** n_axes / threads)


def tiled(name, command, n_axes, bytes_per_point, untiled_bar, *peers):
    """Steps tiled over time, beside ours without, in cache, and beside loops by hand that pass memory once per step.
    The arrays of a step have so many bytes per point of the grid, with the versions that it writes; None: the grid is
    not far from a cache's size, so that what it reaches in one says little."""
    untiled = Peer("untiled", command, untiled_bar, environment={"TESSERA_TIME_STEPS": "1"})
    cached = [in_cache(command, [5000, 1000], n_axes, bytes_per_point, 2)] if bytes_per_point else []
    return Case(f"tiled_{name}", command, peers=[untiled, *cached, *peers])


def tiled_ranks(name, command):
    """Steps tiled over time on two ranks, which exchange halos once per several steps, beside two threads."""
    return Case(f"tiled_ranks_{name}", command, threads=1, ranks=2, tolerance=0, peers=[
        Peer("1_rank", command, 0.9, threads=2)])


def stencil_interpreted(n, steps, numpy_steps, bar):
    return Case(f"stencil_interp_{n}", ["stencil_bench", n] + steps, environment={"TESSERA_JIT": "off"},
                peers=[numpy("stencil_numpy.py", [n] + numpy_steps, bar)])


def metg(pattern, width):
    """The smallest task that is worth a core, beside MPI, threads that spin on each other's counters, and libgomp."""
    command = [pattern, width]
    neighbours = pattern in ("stencil_1d", "nearest")
    if pattern == "trivial":
        bars = (None, None, None)
    elif not neighbours:
        bars = (1 / 1.25, None, None)
    else:
        bars = (1 / 2, None, None) if width == 2 else (1, 1 / 2, 10)
    return Case(f"metg_{pattern}_{width}", ["metg"] + command, peers=[
        Peer("mpi", ["metg_mpi"] + command, bars[0], threads=1, ranks=2),
        Peer("epochs", ["metg_epochs"] + command, bars[1]),
        Peer("omp", ["metg_omp"] + command, bars[2])])


def stream(what, bytes_per_element, per_byte):
    n = 1 << 26
    script = ["stream_python.py", n, 3, 1, what]
    return Case(f"stream_{what}", ["stream", n, 5, 3, what], peers=[
        numpy("stream_python.py", [n, 2, 1, what, "numpy"], None),
        Peer("numexpr", script + ["numexpr"], needs="numexpr"),
        Peer("numba", script + ["numba"], 1.2, needs="numba"),
        Peer("c_nt", ["stream_c", n, 5, 2, what], 0.95, rate=(bytes_per_element * n, per_byte, "nt_gb_per_s"))])


def black_scholes(dtype, tolerance):
    n = 8000000
    return Case(f"black_scholes_{dtype}", ["black_scholes", n, 10, 5, dtype], tolerance=tolerance, peers=[
        Peer("numba", ["black_scholes_numba.py", n, 3, 1, dtype], 5, needs="numba"),
        Peer("c_libmvec", ["black_scholes_c", n, 10, 3, dtype], 0.85)])


def cavity(n, steps, numpy_steps, c_bar, numpy_bar):
    return Case(f"cavity_{n}", ["cavity", n] + steps, peers=[
        numpy("cavity_numpy.py", [n] + numpy_steps, numpy_bar), Peer("c", ["cavity_c", n] + steps, c_bar)])


def matmul(name, threads, n_ranks):
    return Case(name, ["matmul", 4096, 2, 1], threads=threads, ranks=n_ranks, peers=[
        Peer("openblas", ["matmul_numpy.py", 4096, 2, 1], 0.85)])


def product(name, *arguments):
    return Case(f"matmul_{name}", ["matmul", *arguments], peers=[Peer("openblas", ["matmul_numpy.py", *arguments], 1)])


def fold(what, axis):
    """Over an axis of A x B x C, the short one if there are fewer than 16 elements of it."""
    def of(name, a, b, c):
        command = ["fold", what, axis, a, 20, 5, b, c]
        written = ([Peer("written", command + ["written"], 0.95 if axis == 0 else None, threads=1)]
                   if (a, b, c)[axis] < 16 else [])
        return Case(f"{what}_{name}_axis_{axis}", command, threads=1, peers=[
            numpy("fold_numpy.py", command[1:], 1), *written])
    return [of("9x400x800", 9, 400, 800), of("400x9x800", 400, 9, 800), of("400x800x9", 400, 800, 9)]


def two_threads(name, command):
    """A small grid on two threads, which must not be slower than on one."""
    return Case(f"threads_{name}", command, peers=[Peer("1_thread", command, 0.98, threads=1)])


def by_cost(case):
    """A case whose steps are not large: tiling as it is chosen by cost, beside none."""
    untiled = Peer("untiled", case.command, 0.98, threads=case.threads, ranks=case.ranks,
                   environment=dict(case.environment, TESSERA_TIME_STEPS="1"))
    return Case(f"by_cost_{case.name}", case.command, [untiled], case.threads, case.ranks, case.environment,
                case.tolerance)


def ranks(name, n, steps, n_ranks, peer, bar):
    return Case(f"{name}_{n}", ["stencil_bench", n] + steps, threads=1, ranks=n_ranks, tolerance=0,
                peers=[Peer(peer[0], ["stencil_bench", n] + steps, bar, threads=peer[1], ranks=peer[2])])


CASES = [
    stencil(100, 1, [20000, 5000], [5000, 100], {"c": 0.5, "numpy": 5}),
    stencil(1000, 2, [300, 100], [50, 5], {"c": 0.95}),
    stencil(8000, 2, [10, 5], [2, 1], {"c_nt": 0.95}),
    stencil_interpreted(100, [20000, 1000], [5000, 100], 1),
    stencil_interpreted(1000, [300, 20], [50, 5], 3),
    stencil_interpreted(8000, [10, 5], [2, 1], 8),
    Case("heat3d_512", ["heat3d", 512, 10, 5], peers=[
        Peer("c_nt", ["heat3d_c", 512, 10, 5, "nt"], 0.95, rate=(512**3, 1.42e9 / 41.5e9, "nt_gb_per_s"))]),
    tiled("stencil_8000", ["stencil_bench", 8000, 96, 96], 2, 16, None, Peer("c", ["stencil_c", 8000, 96, 10], 2.5),
          Peer("c_nt", ["stencil_c", 8000, 96, 10, "nt"], 2), Peer("c_tiled", ["stencil_tiled_c", 8000, 96, 16], 0.9)),
    tiled("stencil_1000", ["stencil_bench", 1000, 1000, 200], 2, None, 0.98,
          Peer("c", ["stencil_c", 1000, 1000, 200], 1.15)),
    tiled("heat3d_512", ["heat3d", 512, 48, 24], 3, 16, 1.35, Peer("c", ["heat3d_c", 512, 48, 5], 1.9),
          Peer("c_nt", ["heat3d_c", 512, 48, 5, "nt"], None)),
    tiled("pressure_2048", ["steps", "pressure", 2048, 100, 100], 2, 24, 1.6),
    tiled("wave_4096", ["steps", "wave", 4096, 48, 48], 2, 24, None),
    tiled("line_67108864", ["steps", "line", 1 << 26, 48, 48], 1, 16, None, Peer("c", ["line_c", 1 << 26, 48, 5], 2.5)),
    tiled("cavity_2048", ["cavity", 2048, 48, 48], 2, 56, 1.15),
    tiled("gray_scott_2048", ["gray_scott", 2048, 96, 96], 2, 32, 1.05),
    # Arrays that a last-level cache of 32 MB holds, or nearly.
    tiled("heat3d_112", ["heat3d", 112, 1200, 800], 3, None, 0.98),
    tiled("pressure_1000", ["steps", "pressure", 1000, 1000, 400], 2, None, 0.98),
    tiled("gray_scott_768", ["gray_scott", 768, 400, 200], 2, None, 0.98),
    tiled("cavity_512", ["cavity", 512, 200, 100], 2, None, 0.98),
    tiled_ranks("stencil_8000", ["stencil_bench", 8000, 96, 96]),
    tiled_ranks("heat3d_512", ["heat3d", 512, 48, 24]),
    tiled_ranks("cavity_2048", ["cavity", 2048, 48, 48]),
    tiled_ranks("pressure_2048", ["steps", "pressure", 2048, 200, 200]),
    tiled_ranks("wave_4096", ["steps", "wave", 4096, 96, 100]),
    Case("gray_scott_1024", ["gray_scott", 1024, 200, 100], peers=[
        numpy("gray_scott_numpy.py", [1024, 10, 2], 10), Peer("c", ["gray_scott_c", 1024, 200, 100], 0.95)]),
    cavity(512, [200, 100], [20, 5], 0.8, None),
    cavity(41, [5000, 5000], [2000, 100], None, 1),
    stream("triad", 24, 1.0),
    stream("mix", 32, 41.4 / 41.5),
    black_scholes("float32", 1e-5),
    black_scholes("float64", 1e-9),
    Case("small_1024", ["small", 1024, 100000, 10000], threads=1, peers=[
        numpy("small_numpy.py", [1024, 100000, 10000], 1)]),
    Case("moving_1000", ["moving", 1000, 10000, 10000], threads=1, peers=[
        numpy("moving_numpy.py", [1000, 10000, 10000], 1)]),
    Case("cg_1000", ["cg", 1000, 10000, 2000], threads=1, tolerance=1e-6, peers=[
        numpy("cg_numpy.py", [1000, 5000, 500], 1)]),
    Case("cg_1000000", ["cg", 1000000, 100, 100], tolerance=1e-6, peers=[
        numpy("cg_numpy.py", [1000000, 50, 10], 3)]),
    Case("sum_67108864", ["sum", 1 << 26, 10, 3], peers=[
        numpy("sum_numpy.py", [1 << 26, 3, 1], None),
        Peer("c", ["sum_c", 1 << 26, 10, 3], 0.95, rate=(8 << 26, 28.6 / 28.7, "gb_per_s"))]),
    Case("sum_4096", ["sum", 4096, 100000, 10000], threads=1, peers=[
        numpy("sum_numpy.py", [4096, 100000, 10000], 1)]),
    Case("random_uniform", ["random", 1 << 24, 20, 5, 1], threads=1, tolerance=1e-3, peers=[
        numpy("random_numpy.py", [1 << 24, 4, 1, 1], 1)]),
    Case("random_normal", ["random", 1 << 24, 20, 5, 2], threads=1, tolerance=5e-3, peers=[
        numpy("random_numpy.py", [1 << 24, 4, 1, 2], 1)]),
    matmul("matmul_4096", 2, 1),
    matmul("matmul_ranks_4096", 1, 2),
    product("vm_4000", 0, 30, 10, 4000, 4000),
    product("mv_4000", 4000, 30, 10, 4000, 0),
    product("vm_300", 0, 3000, 500, 300, 300),
    product("mv_300", 300, 3000, 500, 300, 0),
    product("100", 100, 3000, 300),
    product("16x100000x16", 16, 20, 5, 100000, 16),
    product("64x4096x64", 64, 200, 50, 4096, 64),
    product("50x128", 128, 60, 10, 128, 128, "float64", 50),
    product("float32_1024", 1024, 10, 3, 1024, 1024, "float32"),
    product("complex128_512", 512, 10, 3, 512, 512, "complex128"),
    product("complex64_512", 512, 10, 3, 512, 512, "complex64"),
    ranks("ranks_2", 8000, [10, 5], 2, ("1_rank", 2, 1), 0.9),
    ranks("ranks_4", 100, [20000, 5000], 4, ("2_ranks", 1, 2), 1 / 1.5),
    ranks("ranks_4", 300, [3000, 500], 4, ("2_ranks", 1, 2), 1 / 1.5),
    ranks("ranks_4", 1000, [300, 100], 4, ("2_ranks", 1, 2), 1 / 1.5),
    ranks("ranks_4", 4000, [40, 20], 4, ("2_ranks", 1, 2), 1 / 1.5),
]

CASES += [case for what in ("sum", "max") for axis in range(3) for case in fold(what, axis)]
CASES += [by_cost(case) for case in CASES if not case.name.startswith("tiled_")]
CASES += [
    two_threads("stencil_100", ["stencil_bench", 100, 20000, 5000]),
    two_threads("stencil_300", ["stencil_bench", 300, 3000, 500]),
    two_threads("cavity_41", ["cavity", 41, 5000, 5000]),
    two_threads("gray_scott_64", ["gray_scott", 64, 5000, 2000]),
    two_threads("heat3d_32", ["heat3d", 32, 5000, 2000]),
    two_threads("wave_128", ["steps", "wave", 128, 5000, 2000]),
    two_threads("pressure_64", ["steps", "pressure", 64, 5000, 2000]),
    two_threads("line_34000", ["steps", "line", 34000, 10000, 2000]),
    two_threads("cg_1000", ["cg", 1000, 10000, 2000]),
]

# Only when they are asked for, since each program runs for ten seconds and more.
METG = [metg(pattern, width) for pattern in ("trivial", "stencil_1d", "nearest", "fft", "all_to_all")
        for width in (2, 8, 32)]
