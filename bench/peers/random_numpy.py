"""An array filled with random numbers in NumPy, uniform (KIND 1) or normal (2).

    random_numpy.py N STEPS WARMUP KIND      prints `us=… check=…` (microseconds per fill; the mean of the
                                             numbers, or of their squares)
"""
import numpy as np

import timing

n, steps, warmup, kind = timing.arguments()
is_normal = kind == "2"
x = np.zeros(n)
rng = np.random.Generator(np.random.Philox(1))


def run(count):
    for _ in range(count):
        if is_normal:
            rng.standard_normal(out=x)
        else:
            rng.random(out=x)


timing.report(run, steps, warmup, lambda: (x * x if is_normal else x).mean())
