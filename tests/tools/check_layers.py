"""tools/check_layers.py finds what is planted, and nothing where nothing is wrong.

Prints what it missed or named without need.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402

TAGGED = "typedef struct tsr_x {\n  int a;\n} tsr_x;\n"
UNTAGGED = "typedef struct {\n  struct {\n    int a;\n  } inner;\n} tsr_x;\n"
WITH_ATTRIBUTES = "struct __attribute__((packed, aligned(8))) tsr_x\n{\n  int a;\n};\n"
ATTRIBUTES_BEHIND = "typedef union {\n  int a;\n} __attribute__((aligned(64))) tsr_x;\n"
ALIGNED = "struct _Alignas(64) tsr_x { int a; };\n"
USES = "struct tsr_x;\nextern struct tsr_x *x;\nstatic tsr_x y = {0};\ntypedef struct tsr_x tsr_x;\n"
IN_COMMENTS = '/* One struct tsr_x { of many } */\n// struct tsr_x {\nconst char *t = "struct tsr_x {";\n'
LOCAL = "typedef struct {\n  int a;\n} piece;\nstruct part { int a; };\n"

# (what, texts by path, how many offenders)
TAGS = [
    ("a tag in two headers", {"kernel/a.h": TAGGED, "program/b.h": TAGGED}, 1),
    ("a tag in files of two rooms", {"scheduler/run/a.c": TAGGED, "scheduler/plan/b.c": TAGGED}, 1),
    ("a name without a tag", {"kernel/a.h": UNTAGGED, "program/b.c": UNTAGGED}, 1),
    ("a name without a tag, and a tag", {"kernel/a.h": UNTAGGED, "program/b.c": TAGGED}, 1),
    ("attributes before the tag", {"kernel/a.h": WITH_ATTRIBUTES, "program/b.c": TAGGED}, 1),
    ("attributes before the name", {"kernel/a.h": ATTRIBUTES_BEHIND, "program/b.c": TAGGED}, 1),
    ("an alignment", {"kernel/a.h": ALIGNED, "program/b.c": TAGGED}, 1),
    ("kinds in one room", {"runtime/device/a.c": TAGGED, "runtime/device/b.c": UNTAGGED}, 0),
    ("a declaration and uses", {"kernel/a.h": TAGGED, "program/b.c": USES}, 0),
    ("comments and strings", {"kernel/a.h": TAGGED, "program/b.c": IN_COMMENTS}, 0),
    ("names of a file's own", {"kernel/a.c": LOCAL, "program/b.c": LOCAL}, 0),
]

# (what, path, text, how many offenders)
FILES = [
    ("an include of a higher layer", "partition/box.c", '#include "scheduler/scheduler.h"\n', 1),
    ("an include of a higher room", "scheduler/plan/cut.c", '#include "scheduler/run/run.h"\n', 1),
    ("an include of a lower room", "scheduler/run/chunk.c", '#include "scheduler/plan/plan.h"\n', 0),
    ("a look at the environment", "array/ops/pad.c", 'const char *x = getenv("X");\n', 1),
]

CIRCLE = ["kernel/ir/a.c", "kernel/ir/b.c", "kernel/ir/c.c", "kernel/ir/d.c", "kernel/ir/e.c"]


def ring(names):
    """Each calls the next, the last the first."""
    return {name: {names[(i + 1) % len(names)]} for i, name in enumerate(names)}


# (what, file -> files whose symbols it uses, how many offenders)
GRAPHS = [
    ("a circle of five files", ring(CIRCLE), 1),
    ("a circle of four files", ring(CIRCLE[:4]), 0),
    ("a circle over two rooms", ring(["kernel/ir/a.c", "kernel/cpu/b.c"]), 1),
    ("a row", {"kernel/ir/a.c": {"kernel/ir/b.c"}, "kernel/ir/b.c": set()}, 0),
]


def main():
    found = [(what, list(check_layers.check_tags(texts)), n) for what, texts, n in TAGS]
    found += [(what, list(check_layers.check_file(path, text)), n) for what, path, text, n in FILES]
    found += [(what, list(check_layers.check_circles(graph)), n) for what, graph, n in GRAPHS]
    failed = 0
    for what, offenders, n in found:
        if len(offenders) != n:
            failed += 1
            print(f"{what}: {len(offenders)} offenders instead of {n}: {'; '.join(offenders)}")
    print(f"{len(found) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
