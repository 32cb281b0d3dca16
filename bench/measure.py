"""Runs programs in turn and prints their lines.

`ok` or `MISS` against the bar; `PEER-SLOW` where a hand-written peer that streams from memory runs under 90 % of the
rate that it has beside a STREAM triad: the machine is disturbed, or the peer badly built, and the ratio means nothing;
`NO-PEER` where the peer says that it cannot run here (its time is nan).
"""
import importlib.util
import math
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CORES = len(os.sched_getaffinity(0))
# What some machines set for old BLAS kernels, and what slows NumPy down.
SLOWING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


class Bench:
    """Where the programs are, and how often each runs."""

    def __init__(self, build, repeats):
        self.build, self.repeats = build, repeats

    def path(self, name):
        return os.path.join(HERE, "peers", name) if name.endswith(".py") else os.path.join(self.build, "bench", name)

    def exists(self, command, needs="numpy"):
        script = command[0].endswith(".py")
        return os.path.exists(self.path(command[0])) and (not script or importlib.util.find_spec(needs) is not None)

    def run(self, command, threads=1, ranks=1, environment=None):
        """The program's `key=value` words, as numbers, and the seconds of the whole process as `wall`."""
        n = str(threads)
        variables = {key: value for key, value in os.environ.items() if key not in SLOWING}
        variables.update(OMP_NUM_THREADS=n, OMP_PROC_BIND="true", OPENBLAS_NUM_THREADS=n, NUMBA_NUM_THREADS=n,
                         TESSERA_THREADS=n, **(environment or {}))
        words = ["mpirun", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
        words += [sys.executable] if command[0].endswith(".py") else []
        words += [self.path(command[0])] + [str(argument) for argument in command[1:]]
        start = time.perf_counter()
        text = subprocess.run(words, env=variables, check=True, stdout=subprocess.PIPE, text=True).stdout
        wall = time.perf_counter() - start
        got = {key: float(value) for key, value in (word.split("=") for word in text.split() if "=" in word)}
        return dict(got, wall=wall)

    def median(self, one):
        return statistics.median(one() for _ in range(self.repeats))


def line(name, threads, ranks, ours, peer, theirs, bar=None, slow=False):
    ratio = theirs / ours
    is_missed = bar is not None and ratio < bar
    verdict = "NO-PEER" if math.isnan(theirs) else "PEER-SLOW" if slow else "MISS" if is_missed else "ok"
    print(f"case {name} threads={threads} ranks={ranks} ours_us={ours:.4g} peer={peer} peer_us={theirs:.4g} "
          f"ratio={ratio:.3g} bar={'-' if bar is None else f'{bar:.3g}'} {verdict}", flush=True)
    return verdict


def compare(bench, case, peer, theirs, ours):
    """A peer that took another number of steps, or another size, is compared with ours of the same."""
    numbers = iter([word for word in peer.command if not isinstance(word, str)])
    command = [word if isinstance(word, str) else next(numbers, word) for word in case.command]
    if command != case.command:
        ours = bench.run(command, case.threads, case.ranks, case.environment)["check"]
    if not math.isclose(theirs, ours, rel_tol=case.tolerance) and not math.isnan(theirs):
        raise SystemExit(f"{case.name}: {peer.name} computes {theirs}, ours {ours}")


def is_slow(rate, us, triads):
    if not rate or not triads:
        return False
    units, per_byte, key = rate
    triad = statistics.median(t[key] for t in triads) * 1e9
    return 1e6 * units / us < 0.9 * per_byte * triad


def measure(bench, case):
    """One case: ours and its peers in turn, after a run that fills the cache of kernels."""
    places = case.threads * case.ranks
    peers = [peer for peer in case.peers if bench.exists(peer.command, peer.needs)]
    launcher = any(who.ranks > 1 for who in [case] + peers)
    if (launcher and not shutil.which("mpirun")) or (case.ranks == 1 and places > CORES):
        return []
    ours = [bench.run(case.command, case.threads, case.ranks, case.environment)]
    theirs = {peer.name: [] for peer in peers}
    triads = []
    for _ in range(bench.repeats):
        ours.append(bench.run(case.command, case.threads, case.ranks, case.environment))
        for peer in peers:
            theirs[peer.name].append(bench.run(peer.command, peer.threads or places, peer.ranks, peer.environment))
        if any(peer.rate for peer in peers):
            triads.append(bench.run(["triad", 1 << 26, 2], places))
    us = statistics.median(got["us"] for got in ours[1:])
    verdicts = []
    for peer in peers:
        peer_us = statistics.median(got["us"] for got in theirs[peer.name])
        if math.isnan(peer_us):
            verdicts.append(line(case.name, case.threads, case.ranks, us, peer.name, peer_us, peer.bar))
            continue
        compare(bench, case, peer, theirs[peer.name][0]["check"], ours[0]["check"])
        verdicts.append(line(case.name, case.threads, case.ranks, us, peer.name, peer_us * peer.scale, peer.bar,
                             is_slow(peer.rate, peer_us, triads)))
    return verdicts
