"""The table of bench/gpu.sh.

    gpu_table.py RESULTS PROBE KERNELS SCALE

RESULTS has lines `ours CASE us=…` and `peer NAME CASE us=…`; PROBE those of tests/gpu/probe.c; KERNELS those of
bench/gpu_kernels.c, which are beside kernels by hand. Exit status 1 if a case failed.
"""
import re
import sys
from typing import NamedTuple, Optional, Tuple

N, SQUARE, CUBE = 1 << 28, 16384**2, 768**3
HAND = 0.97  # of the speed of a kernel by hand


class Case(NamedTuple):
    """What a case must reach; `peer` is the fastest peer's time by ours."""
    n_bytes: Optional[int] = None  # that must be moved
    copy: Optional[float] = None  # as a share of a copy's GB/s
    us: Optional[float] = None  # at most
    above: str = ""  # `us` counts from the time of that case
    times: Optional[Tuple[str, float]] = None  # at most so many times that case
    peer: float = 1.0


CASES = {
    "triad": Case(24 * N, 0.95), "product_sum": Case(32 * N, 0.92), "chain": Case(16 * N, 0.92),
    "five_point": Case(16 * SQUARE, 0.88), "seven_point": Case(16 * CUBE, 0.85), "gray_scott": Case(8 * SQUARE, 0.85),
    "sum": Case(8 * N, 0.90), "argmin": Case(8 * N, 0.90), "dot": Case(16 * N, 0.90),
    "rows": Case(8 * SQUARE, 0.85), "columns": Case(8 * SQUARE, 0.85), "options": Case(40 * (1 << 26)),
    "matmul": Case(peer=0.8), "matmul_8192": Case(peer=0.8), "matmul32": Case(peer=0.7),
    "stencil_100": Case(us=3.0), "stencil_100_cpu": Case(), "stencil_100_chosen": Case(times=("stencil_100_cpu", 1.05)),
    "cg": Case(us=80.0), "cavity": Case(), "over_memory": Case(16 * SQUARE, 0.8),
    "first_context": Case(), "first_new": Case(us=200e3, above="first_context"),
    "first_cached": Case(us=60e3, above="first_context"),
}


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except OSError:
        return []


def compare_kernels(lines):
    """The rendered kernels beside the best of those by hand, whose time they may exceed by 3 %."""
    times = {}
    for line in lines:
        found = re.match(r"kernel (\w+) +(\w+) +ms=([\d.]+) .*of_copy=([\d.]+)", line)
        if found:
            name, how, ms, share = found.groups()
            times.setdefault(name, {})[how] = (float(ms), float(share))
    if times:
        print(f"{'kernel':<19}{'ms':>11}{'of copy':>17}{'bar':>7}  {'by hand':<18}{'hand/ours':>10}  verdict; the best "
              "layout")
    for name, rows in times.items():
        hand = min((row for how, row in rows.items() if how.startswith("by_hand")), default=None)
        rendered = {how: row for how, row in rows.items() if not how.startswith("by_hand")}
        if "chosen" not in rendered:
            print(f"{name:<19}{'-':>11}")
            continue
        ours, best = rendered["chosen"], min(rendered, key=rendered.get)
        ratio = hand[0] / ours[0] if hand else None
        print(f"{name:<19}{ours[0]:>11.4f}{ours[1]:>17.3f}{HAND:>7}  {'-' if hand is None else f'{hand[0]:.4f}':<18}"
              f"{'' if ratio is None else f'{ratio:.2f}':>10}  {'MISS: hand' if ratio and ratio < HAND else 'ok'};"
              f" {best} {rendered[best][1]:.3f}")


def judge(case, us, share, ratio, ours):
    """The bar as text, and the verdict: what is missed, or could not be compared."""
    bar, misses, unknown = "", [], []

    def compare(what, is_known, is_met):
        if not is_known:
            unknown.append(what)
        elif not is_met():
            misses.append(what)
    if case.copy:
        bar = f"{case.copy}"
        compare("copy", share is not None, lambda: share >= case.copy)
    if case.us:
        bar = f"{case.us:g}"
        compare("time", not case.above or case.above in ours, lambda: us - ours.get(case.above, 0) <= case.us)
    if case.times:
        bar = f"{case.times[1]} x"
        compare("time", case.times[0] in ours, lambda: us <= case.times[1] * ours[case.times[0]])
    if ratio is not None:
        compare("peer", True, lambda: ratio >= case.peer)
        bar = bar or f"{case.peer} peer"
    said = [f"MISS: {', '.join(misses)}"] * bool(misses) + [f"not compared: {', '.join(unknown)}"] * bool(unknown)
    return bar, "; ".join(said) or ("ok" if bar else "-")


def main():
    results, probe, kernels, scale = *sys.argv[1:4], int(sys.argv[4])
    copy = {line.split()[1]: float(line.split()[2]) for line in read(probe)
            if re.match(r"probe \w+ +[\d.e+-]+ ", line)}
    ours, failed, peers = {}, {}, {}
    for line in read(results):
        words = line.split()
        us = re.search(r"us=([\d.]+)", line)
        if words[0] == "ours":
            if us:
                ours[words[1]] = float(us.group(1))
            else:
                failed[words[1]] = " ".join(words[2:])
        elif us:
            peers.setdefault(words[2], []).append((float(us.group(1)), words[1]))
    print(f"{'case':<19}{'us':>11}{'GB/s':>8}{'of copy':>9}{'bar':>9}  {'best peer':<18}{'peer/ours':>10}  verdict")
    for name, case in CASES.items():
        best = min(peers.get(name, []), default=None)
        theirs = f"{best[1]} {best[0]:.1f}" if best else "-"
        if name not in ours:
            if name in failed:
                print(f"{name:<19}{'-':>11}{'':>8}{'':>9}{'':>9}  {theirs:<18}{'':>10}  {failed[name][:110]}")
            continue
        us = ours[name]
        ratio = best[0] / us if best else None
        rate = case.n_bytes / scale / us * 1e-3 if case.n_bytes else None
        whole = copy.get("copy_both_pinned" if name == "over_memory" else "copy_within")
        share = rate / whole if rate and whole else None
        bar, verdict = judge(case, us, share, ratio, ours)
        print(f"{name:<19}{us:>11.2f}{'' if rate is None else f'{rate:.0f}':>8}"
              f"{'' if share is None else f'{share:.3f}':>9}{bar:>9}  {theirs:<18}"
              f"{'' if ratio is None else f'{ratio:.3f}':>10}  {verdict}")
    for name in peers.keys() - CASES.keys():
        print(f"{name:<19} no case of ours")
    compare_kernels(read(kernels))
    return 1 if failed or not ours else 0


sys.exit(main())
