"""Runs the benchmark cases: each program several times in turn, medians, one line per case and peer.

ratio = peer's time / our time. `ok` or `MISS` against the bar; `PEER-SLOW` where the hand-written peer runs under 90 % of
the rate that it has beside a STREAM triad of known rate, scaled by the triad of this run: the machine is disturbed, or
the peer badly built, and the ratio means nothing. Only from memory (n = 8000) does the triad say something.
"""
import math
import os
import shutil
import statistics
import subprocess
import sys

BUILD, ONLY = sys.argv[1], sys.argv[2]
HERE = os.path.dirname(os.path.abspath(__file__))
REPEATS = int(os.environ.get("BENCH_REPEATS", "5"))
CORES = len(os.sched_getaffinity(0))

# Points per second of the hand-written stencil per byte per second of the triad, both from memory on two cores:
# 1.71 G with normal stores beside 28.7 GB/s, 2.11 G with non-temporal ones beside 41.5 GB/s.
POINTS_PER_BYTE = {"c": 1.71e9 / 28.7e9, "c_nt": 2.11e9 / 41.5e9}
TRIAD_KEY = {"c": "gb_per_s", "c_nt": "nt_gb_per_s"}

# Our ratio to NumPy that must be reached on two threads.
NUMPY_BAR = {100: 1, 1000: 3, 8000: 8}
STEPS = {100: 20000, 1000: 400, 8000: 10}
NUMPY_STEPS = {100: 5000, 1000: 50, 8000: 2}


def run(command, threads, **more):
    """The program's `key=value` words, as numbers."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="true", OPENBLAS_NUM_THREADS="1",
                       TESSERA_THREADS=str(threads), **more)
    text = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {key: float(value) for key, value in (word.split("=") for word in text.split() if "=" in word)}


def program(name):
    return os.path.join(BUILD, "bench", name)


def line(name, threads, ranks, ours, peer, theirs, bar=None, slow=False):
    ratio = theirs / ours
    verdict = "PEER-SLOW" if slow else "MISS" if bar is not None and ratio < bar else "ok"
    print(f"case {name} threads={threads} ranks={ranks} ours_us={ours:.4g} peer={peer} peer_us={theirs:.4g} "
          f"ratio={ratio:.3g} bar={'-' if bar is None else bar} {verdict}", flush=True)
    return verdict


def stencil(n, threads, ranks):
    name = f"stencil_{n}"
    places = threads * ranks
    arguments = [str(n), str(STEPS[n]), "5"]
    launch = ["mpirun", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    commands = {
        "ours": (launch + [program("stencil_bench")] + arguments, threads),
        "numpy": ([sys.executable, os.path.join(HERE, "peers", "stencil_numpy.py"), str(n), str(NUMPY_STEPS[n]), "2"], 1),
    }
    if os.path.exists(program("stencil_c")):
        commands["c"] = ([program("stencil_c")] + arguments, places)
        commands["c_nt"] = ([program("stencil_c")] + arguments + ["nt"], places)
    seconds = {peer: [] for peer in commands}
    triads = []
    checks = {}
    for _ in range(REPEATS):
        for peer, (command, n_threads) in commands.items():
            got = run(command, n_threads)
            seconds[peer].append(got["us"])
            checks[peer] = got["check"]
        if n == 8000 and "c" in commands:
            triads.append(run([program("triad"), str(1 << 26), "2"], places))
    for peer in ("c", "c_nt"):
        if peer in checks and not math.isclose(checks[peer], checks["ours"], rel_tol=1e-9) \
           and not math.isnan(checks[peer]):
            raise SystemExit(f"{name}: {peer} computes {checks[peer]}, ours {checks['ours']}")
    us = {peer: statistics.median(values) for peer, values in seconds.items()}
    verdicts = []
    for peer in commands:
        if peer == "ours" or math.isnan(us[peer]):
            continue
        slow = False
        if peer in POINTS_PER_BYTE and triads:
            triad = statistics.median(t[TRIAD_KEY[peer]] for t in triads) * 1e9
            slow = 1e6 * n * n / us[peer] < 0.9 * POINTS_PER_BYTE[peer] * triad
        bar = NUMPY_BAR[n] if peer == "numpy" and threads == 2 else None
        verdicts.append(line(name, threads, ranks, us["ours"], peer, us[peer], bar, slow))
    return verdicts


def record():
    results = [run([program("record")], 1) for _ in range(REPEATS)]
    verdicts = []
    for key, limit in (("op_us", 0.5), ("slice_us", None), ("slice_dollar_us", None)):
        ours = statistics.median(r[key] for r in results)
        name = "record_" + key[:-3]
        if limit is None:
            print(f"case {name} threads=1 ranks=1 ours_us={ours:.4g} peer=- peer_us=- ratio=- bar=- ok", flush=True)
        else:
            verdicts.append(line(name, 1, 1, ours, "limit", limit, 1))
    return verdicts


def memory_line(name, ours, peer, theirs, bar, n_threads):
    """Bytes instead of microseconds; the bar is the most that ours may be of theirs."""
    ratio = ours / theirs
    verdict = "ok" if ratio <= bar else "MISS"
    print(f"case {name} threads={n_threads} ranks=1 ours_bytes={ours:.0f} peer={peer} peer_bytes={theirs:.0f} "
          f"ratio={ratio:.3g} bar={bar} {verdict}", flush=True)
    return verdict


def memory():
    got = run([program("memory"), "stencil", "8000", "4"], min(2, CORES))
    return [memory_line("memory_8000", got["peak_bytes"], "grid", got["grid_bytes"], 2.2, min(2, CORES))]


def loop():
    """A million steps of a small loop: what the process holds must not grow by more than a megabyte."""
    got = run([program("memory"), "loop", "16", "1000000"], 1)
    return [memory_line("loop_1000000", max(got["growth_bytes"], 0), "limit", float(1 << 20), 1, 1)]


def main():
    configurations = [(1, 1)]
    if CORES >= 2:
        configurations.append((2, 1))
    if shutil.which("mpirun"):
        configurations.append((1, 2))
    cases = [(f"stencil_{n}", (lambda n=n, t=t, r=r: stencil(n, t, r))) for n in (100, 1000, 8000)
             for t, r in configurations]
    cases += [("record", record), ("memory_8000", memory), ("loop_1000000", loop)]
    chosen = [case for name, case in cases if name == ONLY] or [case for name, case in cases if name.startswith(ONLY)]
    if not chosen:
        raise SystemExit(f"no case starts with {ONLY}: " + ", ".join(dict.fromkeys(name for name, _ in cases)))
    verdicts = [verdict for case in chosen for verdict in case()]
    return 1 if "MISS" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
