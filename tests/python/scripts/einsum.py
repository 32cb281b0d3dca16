"""Contractions by einsum: products, traces, outer products, batches."""
import argparse

import cupynumeric as np
from legate.timing import time


SPECS = ("ij,jk->ik", "ij,ij->", "ij,kj->ik", "i,j->ij", "ii->", "bij,bjk->bik", "ijk->kij", "ij,j->i")


def run(n, iterations):
    def operand(axes, k):
        size = n**axes
        return ((np.arange(size) * 7919 + 104729 * k) % 1009 + 0.5).reshape((n,) * axes) / 1009

    results = []
    for _ in range(iterations):
        results = [np.einsum(spec, *(operand(len(axes), k) for k, axes in enumerate(spec.split("->")[0].split(","))))
                   for spec in SPECS]
    return tuple(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--num", type=int, default=12, help="size of the problem")
    parser.add_argument("-i", "--iter", type=int, default=1, help="iterations")
    given = parser.parse_args()
    start = time()
    result = run(given.num, given.iter)
    stop = time()
    check = sum(float(np.sum(np.abs(x))) for x in result)
    print(f"Elapsed Time: {(stop - start) / 1000} ms, check {check:.12g}")


if __name__ == "__main__":
    main()
