"""One program of bench/kernels/peers by one peer.

    peer.py NAME numpy|numba|jax N STEPS WARMUP CORES      prints `us=… check=…` as the program kernels does

A file of peers/ has `start(n)`, which makes the arrays, and `step(state, i)`, which writes them in place. Numba
compiles `numba_step` where there is one, else `step`, and the functions that it calls; JAX compiles a loop over
`jax_step`, which returns the new arrays and in which, as in all that it calls, np is jax.numpy. SIZE, STEPS and SMALL
are the size and the steps of a second of NumPy, and the size of a check; ROWS says that the program goes from row to
row.
"""
import importlib
import os
import sys
import time
import types

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def pattern(shape, k):
    """Numbers between 0 and 1 without an order to the eye, other ones for every k."""
    size = int(np.prod(shape))
    return (((np.arange(size) * 7919 + 104729 * k) % 1009 + 0.5) / 1009).reshape(shape)


def load(name):
    sys.modules.setdefault("peer", sys.modules[__name__])
    if os.path.join(HERE, "peers") not in sys.path:
        sys.path.insert(0, os.path.join(HERE, "peers"))
    return importlib.import_module(name)


def own_functions(module):
    return [key for key, value in vars(module).items()
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__]


def numpy_runner(module):
    def run(state, first, count):
        for i in range(first, first + count):
            module.step(state, i)
        return state
    return run


def numba_runner(module):
    import numba
    for key in own_functions(module):
        if key != "start" and not key.startswith("jax_"):
            setattr(module, key, numba.njit(getattr(module, key)))
    step = module.numba_step if hasattr(module, "numba_step") else module.step

    def run(state, first, count):
        for i in range(first, first + count):
            step(state, i)
        return state
    return run


def jax_runner(module):
    import jax
    jax.config.update("jax_enable_x64", True)
    module.np = jax.numpy

    def one(i, state):
        # Without the barrier, a step that reads nothing that steps write would be computed once for all of them.
        return module.jax_step(*jax.lax.optimization_barrier((state, i)))

    loop = jax.jit(lambda state, first, count: jax.lax.fori_loop(first, first + count, one, state))

    def run(state, first, count):
        return jax.block_until_ready(loop(tuple(jax.numpy.asarray(x) for x in state), first, count))
    return run


def check(state):
    return sum(float(np.mean(np.abs(x) * np.linspace(1, 2, x.shape[-1]))) for x in (np.asarray(x) for x in state))


def main():
    name, kind = sys.argv[1:3]
    n, steps, warmup, cores = (int(word) for word in sys.argv[3:7])
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    module = load(name)
    state = module.start(n)
    run = {"numpy": numpy_runner, "numba": numba_runner, "jax": jax_runner}[kind](module)
    if warmup:
        state = run(state, 0, warmup)
    begin = time.perf_counter()
    state = run(state, warmup, steps)
    elapsed = time.perf_counter() - begin
    print(f"us={1e6 * elapsed / steps:.4f} check={check(state):.12g}")


if __name__ == "__main__":
    main()
