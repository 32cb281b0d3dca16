"""The Python module beside the C library and NumPy: what an operation costs beside recording, small updates, the
import.

    PYTHONPATH=BUILD/python python3 bench/python.py BUILD        with NumPy installed

Medians of processor seconds, ours and the peer's in turn.
"""
import os
import statistics
import subprocess
import sys
import time

import numpy
import tessera


def seconds(f, n):
    start = time.process_time()
    f(n)
    return (time.process_time() - start) / n


def in_turn(fs, n, rounds=15):
    """Medians of each of the functions, microseconds a turn."""
    for f in fs:
        f(n)
    taken = [[seconds(f, n) for f in fs] for _ in range(rounds)]
    return [1e6 * statistics.median(t[k] for t in taken) for k in range(len(fs))]


def updates(module, size):
    x, y = module.zeros(size), module.ones(size)

    def run(n):
        nonlocal x
        for _ in range(n):
            x += 2 * y
        float(x[0])

    return run


def dropped(module, size):
    x, y = module.ones(size), module.ones(size)

    def run(n):
        for _ in range(n):
            x + y

    return run


def nothing(n):
    for _ in range(n):
        pass


def main():
    build = sys.argv[1]
    record = subprocess.run([os.path.join(build, "bench", "record")], capture_output=True, text=True).stdout
    print("recording in C:", record.strip().replace("\n", "; "))
    ours, loop = in_turn([dropped(tessera, 1000), nothing], 20000)
    print(f"x + y, recorded and dropped: {ours - loop:.3f} us")
    for size in (16, 1024, 16384):
        ours, theirs = in_turn([updates(tessera, size), updates(numpy, size)], 10000)
        print(f"x += 2*y of {size}: {ours:.2f} us, NumPy {theirs:.2f} us, ratio {ours / theirs:.2f}")
    imports = ["import tessera", "import numpy", "pass"]
    taken = {text: [] for text in imports}
    for _ in range(9):
        for text in imports:
            before = os.times()
            subprocess.run([sys.executable, "-c", text], check=True)
            after = os.times()
            taken[text].append(after.children_user + after.children_system - before.children_user
                               - before.children_system)
    empty = statistics.median(taken["pass"])
    for text in imports[:2]:
        print(f"{text}: {1e3 * (statistics.median(taken[text]) - empty):.0f} ms")


if __name__ == "__main__":
    main()
