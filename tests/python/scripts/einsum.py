"""Contractions by einsum: products, traces, outer products, batches."""
import cupynumeric as np


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


if __name__ == "__main__":
    from _driver import main
    main(__doc__, run, 12, 1)
