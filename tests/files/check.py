"""Files and printing against NumPy. Usage: check.py PROGRAM WORK RANKS..."""
import os
import random
import re
import struct
import subprocess
import sys
import time
import warnings
import xml.etree.ElementTree
import zlib

import numpy as np

program, work = sys.argv[1:3]
all_ranks = [int(r) for r in sys.argv[3:]]
seed = int(os.environ.get("TEST_SEED", time.time_ns() % 1000000))
print("seed files:", seed)
rng = np.random.default_rng(seed)
random.seed(seed)
passed = failed = skipped = 0
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
    for k, x in enumerate([np.arange(12.0).reshape(3, 4), np.asfortranarray(np.ones((2, 5), np.int32)),
                           np.array(True)]):
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


def print_cases(types):
    """Shapes and values that reach every rule of the layout."""
    shapes = [(), (0,), (3, 0), (1,), (5,), (40,), (3, 4), (1, 30), (2, 3, 4), (7, 1, 2), (999,), (1000,), (1001,),
              (26, 39), (4, 300), (300, 4), (6, 200), (7, 200), (12, 9, 11), (2, 2, 300), (1, 2, 3, 4, 5),
              (3, 3, 4, 4, 9)]
    cases = []
    for dtype in types:
        for shape in shapes:
            cases.append(values(dtype, shape))
            small = rng.integers(0 if dtype.kind in "bu" else -9, 2 if dtype.kind == "b" else 10, shape).astype(dtype)
            cases.append(small)
            if dtype.kind == "f":
                cases.append((small / 8).astype(dtype))
                cases.append((rng.random(shape) * 100).astype(dtype))
                cases.append(np.round(rng.random(shape) * 10.0 ** rng.integers(-6, 6),
                                      int(rng.integers(0, 6))).astype(dtype))
                few = small.copy().reshape(-1)
                for i in range(0, few.size, 7):
                    few[i] = random.choice([np.nan, np.inf, -np.inf, 0, -0.0])
                cases.append(few.reshape(shape))
                bits = rng.integers(0, 256, int(np.prod(shape)) * dtype.itemsize, np.uint8).view(dtype)
                cases.append(bits.reshape(shape))  # any bits at all
                powers = rng.integers(*np.log2([np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max]).astype(int),
                                      shape)
                # the numbers below lie closer than those above
                cases.append(np.ldexp(dtype.type(1), powers).astype(dtype))
                cases.append(np.full(shape, random.choice([1e5, 1e6, 1e8, 1e16, 123456.75, 1e-4, 9.9e-5, 0.1, np.nan]),
                                     dtype))
    return cases


def test_print(types):
    global skipped
    if tuple(map(int, np.__version__.split(".")[:2])) < (2, 4):
        print("SKIP files: printing, whose rules are those of NumPy 2.4, not", np.__version__)
        skipped += 1
        check("NumPy 2.4 is where all is needed", os.environ.get("TEST_NEEDS_ALL") != "1")
        return
    cases = print_cases(types)
    commands = []
    for k, x in enumerate(cases):
        np.save(os.path.join(work, f"print{k}.npy"), x)
        commands.append("print " + os.path.join(work, f"print{k}.npy"))
    for ranks in all_ranks[:1] + all_ranks[1:][-1:]:
        said = run(commands, ranks) or ""
        texts = [t[:-1] for t in re.findall(r"<<\n(.*?)>>\n", said, re.S)]
        check(f"as many texts as arrays on {ranks} ranks", len(texts) == len(cases), said[:2000])
        for x, text in zip(cases, texts):
            if x.dtype.kind == "f" and x.ndim == 0:
                wanted = str(x[()])
            else:
                wanted = str(x)
            check(f"{x.dtype} {x.shape} prints as NumPy's on {ranks} ranks", text == wanted, f"\n{text}\n{wanted}")


def png_pixels(path):
    """Of an 8-bit RGB file without interlacing."""
    with open(path, "rb") as f:
        b = f.read()
    assert b[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(b):
        n, kind = struct.unpack(">I4s", b[at : at + 8])
        chunk = b[at + 8 : at + 8 + n]
        assert zlib.crc32(kind + chunk) == struct.unpack(">I", b[at + 8 + n : at + 12 + n])[0]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunk)
            assert (depth, colour, interlaced) == (8, 2, 0)
        if kind == b"IDAT":
            data += chunk
        at += 12 + n
    raw = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 3 * width).astype(int)
    rows = np.zeros((height + 1, 3 * width + 3), int)  # a row above and a pixel to the left, of zeros
    for i in range(height):
        for j in range(3 * width):
            left, up, corner = rows[i + 1, j], rows[i, j + 3], rows[i, j]
            p = left + up - corner
            paeth = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
            rows[i + 1, j + 3] = (raw[i, j + 1] + [0, left, up, (left + up) // 2, paeth][raw[i, 0]]) % 256
    return rows[1:, 3:].reshape(height, width, 3)


def test_png():
    global skipped
    x = rng.standard_normal((23, 31))
    x[3, 4], x[5, 6], x[7, 8] = np.nan, np.inf, -np.inf
    source, out = os.path.join(work, "picture.npy"), os.path.join(work, "picture.png")
    np.save(source, x)
    stops = {"grey": [(0, 0, 0), (255, 255, 255)],
             "diverging": [(59, 76, 192), (98, 130, 234), (141, 176, 254), (184, 208, 249), (221, 221, 221),
                           (245, 196, 173), (244, 154, 123), (222, 96, 77), (180, 4, 38)],
             "viridis": [(68, 1, 84), (72, 37, 118), (65, 68, 135), (53, 96, 141), (42, 120, 142), (33, 144, 140),
                         (34, 168, 132), (67, 191, 113), (122, 209, 81), (187, 223, 39), (253, 231, 37)]}
    finite = x[np.isfinite(x)]
    for ranks in all_ranks[:2]:
        least = os.path.join(work, "least.npy")
        np.save(least, np.array([[5e-324, 0.0, 1e-323]]))
        said = run([f"png {least} {out} grey"], ranks)
        if said == "":
            check(f"picture of the least numbers on {ranks} ranks",
                  png_pixels(out).tolist() == [[[128] * 3, [0] * 3, [255] * 3]])
        for name, colours in stops.items():
            for given in [None, (-1.5, 0.5)]:
                low, high = given or (finite.min(), finite.max())
                if name == "diverging" and not given:
                    high = np.abs(finite).max()
                    low = -high
                said = run([f"png {source} {out} {name} " + ("%r %r" % given if given else "")], ranks)
                if "without libpng" in said:
                    print("SKIP files: pictures, the library was built without libpng")
                    skipped += 1
                    return
                at = np.clip((x - low) / (high - low), 0, 1)
                places = np.linspace(0, 1, len(colours))
                wanted = np.stack([np.interp(at, places, [c[i] for c in colours]) for i in range(3)], -1)
                wanted[np.isnan(x)] = (200, 0, 0) if name == "grey" else (255, 255, 255)
                got = png_pixels(out)
                check(f"picture in {name} of {given} on {ranks} ranks",
                      said == "" and got.shape == wanted.shape and np.abs(got - wanted).max() <= 0.51, said)


def fields_of(x, i):
    """What the program writes of x into step i."""
    wanted = {"u": x * (i + 1), "v_2": (x * (i + 1)).astype(np.float32)}
    if i == 4:
        wanted["flag"] = (x > 0).astype(np.uint8)
        for name in "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32":
            wanted[name] = np.clip(x, 0, 100).astype(name)
    return wanted


def grid(ndim, k):
    """The origin (0) or the spacing (1) that program.c sets, of a mesh of three axes, as texts."""
    return [["0", "1"][k]] * (3 - ndim) + [["-1", "0.25", "10"], ["0.5", "0.1", "2"]][k][:ndim]


def test_xdmf():
    """The index by a reader of its own, after XDMF's manual; the data as numpy.fromfile has it; all of it by VTK."""
    kinds = {"Float": "f", "Int": "i", "UInt": "u", "Short": "i", "UShort": "u", "Char": "i", "UChar": "u"}
    # What ParaView's three readers make of a type and its bytes: others are read as noise.
    readable = {("Float", 4), ("Float", 8), ("Char", 1), ("UChar", 1), ("Short", 2), ("UShort", 2),
                ("Int", 4), ("Int", 8), ("UInt", 4)}
    series = {}
    for k, shape in enumerate([(50,), (20, 30), (5, 17, 9)]):
        x = np.arange(np.prod(shape), dtype=float).reshape(shape) - 7
        source = os.path.join(work, f"series{k}.npy")
        np.save(source, x)
        for ranks in all_ranks:
            path = os.path.join(work, f"a&b{k}-{ranks}.xdmf")
            series[path] = x
            said = run([f"xdmf {source} {path}"], ranks)
            check(f"a series of {shape} on {ranks} ranks", said == "", said)
            root = xml.etree.ElementTree.parse(path).getroot()
            found = root.find("Domain/Grid[@CollectionType='Temporal']")
            check("its root", root.tag == "Xdmf" and root.get("Version") == "3.0" and found is not None)
            steps = found.findall("Grid")
            times = [float(s.find("Time").get("Value")) for s in steps]
            check("its times", times == [0, 0.25, 0.5, 0.75, 1], times)
            mesh = (1,) * (3 - len(shape)) + shape  # x fastest, in the plane z = 0
            for i, step in enumerate(steps):
                topology = step.find("Topology")
                check("its mesh", topology.get("TopologyType") == "3DCoRectMesh" and
                      tuple(map(int, topology.get("Dimensions").split())) == mesh)
                check("its geometry", step.find("Geometry").get("GeometryType") == "ORIGIN_DXDYDZ")
                items = step.findall("Geometry/DataItem")
                check("its origin and spacing", [t.text.split() for t in items] == [grid(x.ndim, k) for k in (0, 1)])
                fields = {a.get("Name"): a.find("DataItem") for a in step.findall("Attribute")}
                wanted = fields_of(x, i)
                check("its fields", list(fields) == list(wanted), list(fields))
                for name, item in fields.items():
                    dtype = np.dtype("<" + kinds[item.get("NumberType")] + item.get("Precision"))
                    data = np.fromfile(os.path.join(work, item.text), dtype)
                    check("its type", (item.get("NumberType"), int(item.get("Precision"))) in readable, item.attrib)
                    good = (item.get("Format") == "Binary" and item.get("Endian") == "Little" and
                            tuple(map(int, item.get("Dimensions").split())) == mesh and dtype == wanted[name].dtype and
                            data.shape == (x.size,) and np.array_equal(data.reshape(shape), wanted[name]))
                    check(f"its field {name} at step {i}", good)
    test_vtk(series)


def test_vtk(series):
    """What VTK reads, with the classes that ParaView has, is what was written: every value of every step."""
    global skipped
    python = next((p for p in ("/usr/bin/python3", sys.executable) if subprocess.run(
        [p, "-c", "import numpy, vtkmodules.vtkIOXdmf2"], capture_output=True).returncode == 0), None)
    if not python:
        print("SKIP files: series read by VTK, which no Python here has (Debian: python3-paraview)")
        skipped += 1
        check("VTK is where all is needed", os.environ.get("TEST_NEEDS_ALL") != "1")
        return
    out = os.path.join(work, "vtk.npz")
    done = subprocess.run([python, os.path.join(os.path.dirname(__file__), "read_vtk.py"), out] + list(series),
                          capture_output=True, text=True, timeout=600)
    check("VTK reads the series", done.returncode == 0 and done.stderr == "", done.stderr[-2000:])
    if done.returncode:
        return
    got = np.load(out)
    readers = sorted({key.split("|")[0] for key in got.files})
    check("by its reader of XDMF 2", "vtkXdmfReader" in readers, readers)
    left = set(got.files)
    for path, x in series.items():
        mesh = (1,) * (3 - x.ndim) + x.shape
        for reader in readers:
            for i in range(5):
                for name, wanted in fields_of(x, i).items():
                    key = f"{reader}|{path}|{0.25 * i}|{name}"
                    left.discard(key)
                    values = got[key] if key in got.files else None
                    check(f"what {key} is", values is not None and values.dtype == wanted.dtype and
                          values.shape == mesh and np.array_equal(values.reshape(x.shape), wanted))
                key = f"{reader}|{path}|{0.25 * i}"
                left.discard(key)
                wanted = [[float(n) for n in grid(x.ndim, k)] for k in (0, 1)]
                check(f"the origin and spacing of {key}", key in got.files and np.array_equal(got[key], wanted),
                      got.get(key))
    check("nothing else is read", not left, left)


def test_locale():
    """Numbers have a point whatever the program's locale: printed, written, and read in texts."""
    global skipped
    name = os.path.join(work, "de_DE.UTF-8")
    try:
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", name], capture_output=True).returncode == 0
    except FileNotFoundError:
        made = False
    if not made:
        print("SKIP files: another locale, which localedef cannot make here")
        skipped += 1
        return
    x = np.array([0.5, -1.25, 1e-9, 3.0])
    source, path = os.path.join(work, "locale.npy"), os.path.join(work, "locale.xdmf")
    np.save(source, x)
    settings = dict(LOCPATH=work, LC_ALL="de_DE.UTF-8")
    said = run([f"print {source}", f"half {source}", f"xdmf {source} {path}"], 1, **settings)
    wanted = f"0,5\n<<\n{x}\n>>\n<<\n{0.5 * x + 0.25}\n>>\n"
    check("a locale with a comma", said == wanted, f"\n{said}\n{wanted}")
    times = [t.get("Value") for t in xml.etree.ElementTree.parse(path).getroot().iter("Time")]
    check("its times", times == ["0", "0.25", "0.5", "0.75", "1"], times)


def main():
    types = dtypes()
    test_locale()
    test_print(types)
    test_png()
    test_xdmf()
    test_npy(types)
    test_malformed()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


sys.exit(main())
