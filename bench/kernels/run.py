"""Whole programs of science, ours beside NumPy, Numba and JAX: one line per program and peer, and the geometric means.

    bench/run.sh kernels [NAME] [--small]      programs whose name starts with NAME; --small: only whether all agree

Each runs warm, after as many steps as are measured, ours and the peers in turn; and cold, the first step of a new
process: ours with an empty cache of kernels, Numba and JAX with what their compilers take. Ours has BENCH_THREADS
threads (1) on each of BENCH_RANKS ranks (1); the peers are confined to as many cores, of which NumPy's loops and
Numba's use one. A peer that is not installed is left out.
"""
import argparse
import math
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE)]

import measure  # noqa: E402
import peer as programs  # noqa: E402

KINDS = ("numpy", "numba", "jax")
# Sums in another order, and divisions by constants that compilers multiply by.
TOLERANCE = 1e-8


def installed():
    found = [kind for kind in KINDS if measure.importlib.util.find_spec(kind) is not None]
    for kind in sorted(set(KINDS) - set(found)):
        print(f"kernels: {kind} is not installed, and left out")
    return found


class Runs:
    """Runs ours and the peers of one program."""

    def __init__(self, bench, name, threads, ranks):
        self.bench, self.name, self.threads, self.ranks = bench, name, threads, ranks

    def one(self, kind, n, steps, warmup, environment=None):
        if kind == "ours":
            return self.bench.run(["kernels", self.name, n, steps, warmup], self.threads, self.ranks, environment)
        script, cores = os.path.join(HERE, "peer.py"), self.threads * self.ranks
        return self.bench.run([script, self.name, kind, n, steps, warmup, cores], cores)

    def cold(self, kind, n):
        with tempfile.TemporaryDirectory() as cache:
            return self.one(kind, n, 1, 0, {"TESSERA_CACHE": cache})["us"]


def agree(name, kind, theirs, ours):
    if not math.isclose(theirs, ours, rel_tol=TOLERANCE):
        print(f"kernel {name} peer={kind} check={theirs:.12g} ours={ours:.12g} DISAGREES", flush=True)
        return False
    return True


def check(runs, kinds, n):
    """Do all agree after three steps, ours with the same bits as it is compiled and as it is interpreted?"""
    ours, compiled = (runs.one("ours", n, 2, 1, {"TESSERA_JIT": mode})["check"] for mode in ("off", "eager"))
    if ours != compiled:
        print(f"kernel {runs.name} check={ours:.12g} compiled={compiled:.12g} DISAGREES", flush=True)
        return False
    same = [kind for kind in kinds if agree(runs.name, kind, runs.one(kind, n, 2, 1)["check"], ours)]
    if same:
        print(f"kernel {runs.name} threads={runs.threads} ranks={runs.ranks} n={n} check={ours:.12g} "
              f"agrees={','.join(same)}", flush=True)
    return len(same) == len(kinds)


def compare(runs, kinds, n, steps):
    """Prints a line per peer; the ratios, warm and cold, by peer, of those that agree."""
    everyone = ["ours"] + kinds
    got = {kind: [] for kind in everyone}
    runs.one("ours", n, steps, steps)
    for _ in range(runs.bench.repeats):
        for kind in everyone:
            got[kind].append(runs.one(kind, n, steps, steps))
    warm = {kind: measure.statistics.median(one["us"] for one in got[kind]) for kind in everyone}
    cold = {kind: runs.cold(kind, n) for kind in everyone}
    ratios = {}
    for kind in kinds:
        if not agree(runs.name, kind, got[kind][0]["check"], got["ours"][0]["check"]):
            continue
        ratios[kind] = warm[kind] / warm["ours"], cold[kind] / cold["ours"]
        print(f"kernel {runs.name} threads={runs.threads} ranks={runs.ranks} ours_us={warm['ours']:.4g} peer={kind} "
              f"peer_us={warm[kind]:.4g} ratio={ratios[kind][0]:.3g} ours_cold_us={cold['ours']:.4g} "
              f"peer_cold_us={cold[kind]:.4g} cold_ratio={ratios[kind][1]:.3g}", flush=True)
    return ratios


def means(table, kinds):
    """The geometric means, over programs that do not go from row to row."""
    for kind in kinds:
        pairs = [ratios[kind] for ratios in table if kind in ratios]
        if pairs:
            warm, cold = (math.exp(sum(math.log(pair[k]) for pair in pairs) / len(pairs)) for k in range(2))
            print(f"kernels peer={kind} programs={len(pairs)} geometric_mean={warm:.3g} cold_geometric_mean={cold:.3g}")


def main():
    parser = argparse.ArgumentParser(prog="bench/run.sh kernels")
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("name", nargs="?", default="", metavar="NAME")
    parser.add_argument("--small", action="store_true", help="only whether all agree")
    options = parser.parse_args()
    threads, ranks = (int(os.environ.get(key, "1")) for key in ("BENCH_THREADS", "BENCH_RANKS"))
    if ranks > 1 and not shutil.which("mpirun"):
        raise SystemExit("kernels: several ranks need mpirun")
    names = sorted(name[:-3] for name in os.listdir(os.path.join(HERE, "peers")) if name.endswith(".py"))
    chosen = [options.name] if options.name in names else [name for name in names if name.startswith(options.name)]
    if not chosen:
        raise SystemExit(f"no kernel starts with {options.name}: " + ", ".join(names))
    kinds, all_agree, table = installed(), True, []
    bench = measure.Bench(options.build, int(os.environ.get("BENCH_REPEATS", "5")))
    for name in chosen:
        module, runs = programs.load(name), Runs(bench, name, threads, ranks)
        if options.small:
            all_agree &= check(runs, kinds, module.SMALL)
            continue
        ratios = compare(runs, kinds, module.SIZE, module.STEPS)
        all_agree &= len(ratios) == len(kinds)
        if not getattr(module, "ROWS", False):
            table.append(ratios)
    means(table, kinds)
    return 0 if all_agree else 1


if __name__ == "__main__":
    sys.exit(main())
