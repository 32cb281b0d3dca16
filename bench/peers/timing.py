"""What the Python peers share: arguments, the clock, the line that bench/run.py reads."""
import sys
import time


def arguments():
    """N STEPS WARMUP, as numbers, and the words after them."""
    return [int(a) for a in sys.argv[1:4]] + sys.argv[4:]


def report(run, steps, warmup, check):
    """run(count) takes `count` steps; check() gives a number to compare with the peers'."""
    run(warmup)
    start = time.perf_counter()
    run(steps)
    elapsed = time.perf_counter() - start
    print(f"us={1e6 * elapsed / steps:.4f} check={float(check()):.12g}")
