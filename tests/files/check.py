"""Files and printing against NumPy. Usage: check.py PROGRAM WORK RANKS..."""
import os
import random
import re
import subprocess
import sys
import time
import warnings

import numpy as np

program, work = sys.argv[1:3]
all_ranks = [int(r) for r in sys.argv[3:]]
seed = int(os.environ.get("TEST_SEED", time.time_ns() % 1000000))
print("seed files:", seed)
rng = np.random.default_rng(seed)
random.seed(seed)
passed = failed = 0
warnings.simplefilter("ignore")  # of NumPy about Python 2's lengths in garbled heads


def check(name, ok, note=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("FAIL", name, note)


def run(commands, ranks, **settings):
    """Output of the commands on so many ranks, with tiny tiles; None if the program failed."""
    path = os.path.join(work, "commands")
    with open(path, "w") as f:
        f.write("".join(c + "\n" for c in commands))
    env = dict(os.environ, TESSERA_REPLICATE_MAX="0", TESSERA_TILE_MIN="1", TESSERA_THREADS="1", TESSERA_JIT="off")
    env.update(settings)
    mpirun = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run(mpirun + [program, path], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=600)
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-2000:])
        return None
    return done.stdout


def dtypes():
    """Those that the library has, as it says in the error of one that it has not."""
    path = os.path.join(work, "text.npy")
    np.save(path, np.array(["a"]))
    said = run(["print " + path], 1)
    names = re.search(r"the types are ([a-z0-9, ]*);", said).group(1)
    return [np.dtype(n) for n in names.split(", ")]


def values(dtype, shape):
    n = int(np.prod(shape))
    if dtype.kind == "b":
        x = rng.integers(0, 2, n).astype(bool)
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        x = rng.integers(info.min, info.max, n, dtype, endpoint=True)
    else:
        x = rng.standard_normal(n) * 10.0 ** rng.integers(-9, 9)
        if dtype.kind == "c":
            x = x + 1j * rng.standard_normal(n)
        with np.errstate(over="ignore"):
            x = x.astype(dtype)
        x[rng.integers(0, 9, n) == 0] = np.nan
    return x.reshape(shape)


def same_bytes(a, b):
    with open(a, "rb") as f, open(b, "rb") as g:
        return f.read() == g.read()


def npy_cases(types):
    shapes = [(), (0,), (1,), (7,), (1000,), (33, 65), (3, 0, 2), (5, 1, 9), (2, 3, 4, 5), (130, 257),
              (2, 1, 2, 1, 2, 1, 2, 3)]
    cases = []  # IN, command with OUT, the array wanted
    for dtype in types:
        for k, shape in enumerate(shapes):
            x = values(dtype, shape)
            source = os.path.join(work, f"in-{dtype}-{k}.npy")
            order = ">" if k % 3 == 1 else "<"
            stored = x.astype(dtype.newbyteorder(order))
            if k % 2:
                stored = np.asfortranarray(stored)
            with open(source, "wb") as f:
                np.lib.format.write_array(f, stored, version=[(1, 0), (2, 0), (3, 0)][k % 3])
                f.write(b"behind" * (k % 2))
            out = os.path.join(work, f"out-{dtype}-{k}")
            cases.append((f"copy {source} {out}", out, x))
            cases.append((f"turn {source} {out}.t", out + ".t", x.T))
            if 0 < len(shape) <= 6:
                cases.append((f"wide {source} {out}.w", out + ".w", np.broadcast_to(x, (2, 3) + shape)))
            if len(shape) == 2 and x.size:
                for i, text in enumerate(["::-2,1::3", "2,:", "3,4", "-1:0:-1,5"]):
                    cases.append((f"view {source} {out}.{i} {text}", f"{out}.{i}", eval(f"x[{text}]")))
    return cases


def test_npy(types):
    cases = npy_cases(types)
    for ranks in all_ranks:
        for _, out, _ in cases:
            if os.path.exists(out):
                os.unlink(out)
        said = run([c[0] for c in cases], ranks)
        check(f"npy on {ranks} ranks says nothing", said == "", said)
        for command, out, wanted in cases:
            reference = os.path.join(work, "reference.npy")
            np.save(reference, np.ascontiguousarray(wanted).reshape(wanted.shape))
            check(f"{ranks} ranks: {command}", os.path.exists(out) and same_bytes(out, reference))
    check("no temporary file is left", not [f for f in os.listdir(work) if f.endswith(".tmp")])


def garbled(whole, n_head):
    """Heads that are cut, have bytes changed, taken out or put in."""
    for _ in range(400):
        b = bytearray(whole)
        kind = rng.integers(0, 4)
        for _ in range(rng.integers(1, 3)):
            at = int(rng.integers(0, n_head))
            if kind == 0:
                b = b[: int(rng.integers(0, len(b)))]
                break
            if kind == 1:
                b[at] = int(rng.choice(list(b"0123456789(),:'\"{}L-<>= \n\\TrueFalse\x00\xff")))
            elif kind == 2:
                del b[at]
            else:
                b.insert(at, int(rng.choice(list(b"0123456789(),:'\"{}L-<>= \n"))))
        yield bytes(b)


def test_malformed():
    """Whatever NumPy refuses is refused, with a byte; whatever is read is what NumPy reads."""
    files, commands = [], []
    for k, x in enumerate([np.arange(12.0).reshape(3, 4), np.asfortranarray(np.ones((2, 5), np.int32)), np.array(True)]):
        source = os.path.join(work, f"whole{k}.npy")
        np.save(source, x)
        with open(source, "rb") as f:
            whole = f.read()
        n_head = len(whole) - x.nbytes
        for b in garbled(whole, min(n_head, 90)):
            path = os.path.join(work, f"bad{len(files)}.npy")
            with open(path, "wb") as f:
                f.write(b)
            files.append(path)
            commands.append(f"copy {path} {path}.out")
    for ranks in all_ranks[:2]:
        said = run(commands, ranks)
        errors = {}
        for chunk in (said or "").split("error -")[1:]:
            errors[chunk.split()[1]] = chunk
        n_read = 0
        for path in files:
            out = path + ".out"
            try:
                wanted = np.load(path, allow_pickle=False)
            except Exception:  # NumPy's own range: ValueError, EOFError, SyntaxError, TypeError, tokenize errors …
                wanted = None
            if os.path.exists(out):
                n_read += 1
                got = np.load(out)
                ok = wanted is not None and got.shape == wanted.shape and np.array_equal(
                    got, wanted.astype(bool) if got.dtype == bool else wanted)
                check(f"{path} was read", ok, f"{wanted!r} {got!r}")
                os.unlink(out)
            else:
                text = errors.get(path, "")
                ok = re.search(r"cannot read `%s`: at byte \d+: ." % re.escape(path), text)
                check(f"{path} is refused with its byte", ok, text)
        check("some garbled files still read", n_read > 0)


def main():
    types = dtypes()
    test_npy(types)
    test_malformed()
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
