"""The table of bench/gpu.sh.

    gpu_table.py RESULTS PROBE KERNELS SCALE

RESULTS has lines `ours CASE us=…` and `peer NAME CASE us=…`; PROBE those of tests/gpu/probe.c; KERNELS those of
bench/gpu_kernels.c, which are beside kernels by hand. Exit status 1 if a case failed.
"""
import re
import sys

N, SQUARE, CUBE = 1 << 28, 16384**2, 768**3
HAND = 0.97  # of the speed of a kernel by hand
# Bytes that must be moved, the bar as a share of the copy's GB/s or in microseconds.
CASES = {
    "triad": (24 * N, 0.95), "product_sum": (32 * N, 0.92), "chain": (16 * N, 0.92),
    "five_point": (16 * SQUARE, 0.88), "seven_point": (16 * CUBE, 0.85), "gray_scott": (8 * SQUARE, 0.85),
    "sum": (8 * N, 0.90), "argmin": (8 * N, 0.90), "dot": (16 * N, 0.90),
    "rows": (8 * SQUARE, 0.85), "columns": (8 * SQUARE, 0.85),
    "options": (40 * (1 << 26), None), "matmul": (None, None), "stencil_100": (None, 3.0),
    "stencil_100_chosen": (None, None), "cg": (None, 80.0), "cavity": (None, None), "over_memory": (16 * SQUARE, None),
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
        print(f"{'kernel':<19}{'ms':>11}{'of copy':>17}{'bar':>7}  {'by hand':<18}{'hand/ours':>10}  verdict; the best layout")
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


def main():
    results, probe, kernels, scale = sys.argv[1:]
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
    device, host = copy.get("copy_within"), copy.get("copy_in_pinned")
    print(f"{'case':<19}{'us':>11}{'GB/s':>8}{'of copy':>9}{'bar':>7}  {'best peer':<18}{'peer/ours':>10}  verdict")
    for name, (n_bytes, bar) in CASES.items():
        best = min(peers.get(name, []), default=None)
        theirs = f"{best[1]} {best[0]:.1f}" if best else "-"
        if name not in ours:
            if name in failed:
                print(f"{name:<19}{'-':>11}{'':>8}{'':>9}{'':>7}  {theirs:<18}{'':>10}  {failed[name][:110]}")
            continue
        us = ours[name]
        ratio = best[0] / us if best else None
        rate = n_bytes / int(scale) / us * 1e-3 if n_bytes else None
        share = rate / (2 * host if name == "over_memory" else device) if rate and device and host else None
        misses = []
        if bar and n_bytes and share is not None and share < bar:
            misses.append("copy")
        if bar and not n_bytes and us > bar:
            misses.append("time")
        if ratio is not None and ratio < 1:
            misses.append("peer")
        print(f"{name:<19}{us:>11.2f}{'' if rate is None else f'{rate:.0f}':>8}"
              f"{'' if share is None else f'{share:.3f}':>9}{'' if bar is None else bar:>7}  {theirs:<18}"
              f"{'' if ratio is None else f'{ratio:.2f}':>10}  {'MISS: ' + ', '.join(misses) if misses else 'ok'}")
    for name in peers.keys() - CASES.keys():
        print(f"{name:<19} no case of ours")
    compare_kernels(read(kernels))
    return 1 if failed or not ours else 0


sys.exit(main())
