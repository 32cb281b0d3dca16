#!/usr/bin/env python3
"""Which room may include which, and whether files of a room go in circles.

    tools/check_layers.py [BUILD]      BUILD: a build directory; without it circles are not looked for

Prints each offender. No upward include: a file includes its own layer's headers or those of a lower one, and within a
layer those of the rooms that ROOMS lists, directly or through other headers. No file but runtime/base/config.c reads
the environment. In BUILD, the files of a layer that call each other in a circle are at most MOST_IN_CIRCLE, and of one
room. A struct that several files define is named.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Lowest first. Of the public headers base.h and task.h lie below everything; the others are the array layer's.
LAYERS = ["base", "runtime", "partition", "kernel", "program", "scheduler", "array", "launcher", "python"]

# What a room may include of its own layer, beside itself. A layer that is not here has no rooms.
ROOMS = {
    "runtime": [],
    "runtime/base": [],
    "runtime/transport": ["runtime/base"],
    "runtime/device": ["runtime/base"],
    "runtime/machine": ["runtime/base", "runtime/transport", "runtime/device"],
    "kernel/ops": [],
    "kernel/ir": ["kernel/ops"],
    "kernel/cpu": ["kernel/ops", "kernel/ir"],
    "kernel/reduce": ["kernel/ops", "kernel/ir", "kernel/cpu"],
    "kernel/library": ["kernel/ops", "kernel/ir", "kernel/cpu", "kernel/reduce"],
    "kernel/cuda": ["kernel/ops", "kernel/ir", "kernel/cpu", "kernel/reduce", "kernel/library"],
    "kernel/compile": ["kernel/ops", "kernel/ir", "kernel/cpu", "kernel/reduce", "kernel/cuda"],
    "scheduler": [],
    "scheduler/plan": ["scheduler"],
    "scheduler/memory": ["scheduler", "scheduler/plan"],
    "scheduler/run": ["scheduler", "scheduler/plan", "scheduler/memory"],
    "scheduler/flush": ["scheduler", "scheduler/plan", "scheduler/memory", "scheduler/run"],
    "array": [],
    "array/core": ["array"],
    "array/views": ["array", "array/core"],
    "array/ops": ["array", "array/core", "array/views"],
    "array/text": ["array", "array/core", "array/views", "array/ops"],
    "array/user": ["array", "array/core", "array/views", "array/ops", "array/text"],
    "array/files": ["array", "array/core"],
}
ROOMS["runtime"] = [room for room in ROOMS if room.startswith("runtime/")]  # runtime.h is for the layers above

MOST_IN_CIRCLE = 4

ATTRIBUTES = r"(?:\s*(?:__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|_Alignas\s*\([^()]*\)))*"
STRUCT = re.compile(rf"(\btypedef\s+)?\b(?:struct|enum|union)\b{ATTRIBUTES}\s*(\w*)\s*\{{")
TYPEDEF_NAME = re.compile(rf"{ATTRIBUTES}\s*(\w+)")
COMMENT_OR_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
ENVIRONMENT = re.compile(r"\b(?:secure_)?getenv *\(|\benviron\b *[\[;)]")


def layer_of(path):
    if re.fullmatch(r"(include/)?tessera/(base|task)\.h", path):
        return "base"
    if path.startswith("include/") or path == "tessera.h" or path.startswith("tessera/"):
        return "array"
    if path.startswith(("examples/", "bench/")):
        return "launcher"
    return path.split("/")[0]


def includes(path, text):
    """(line, what it includes) of a file; a name without a folder is in the same folder."""
    for match in INCLUDE.finditer(text):
        name = match.group(1)
        if "/" in name or name == "tessera.h":
            yield text.count("\n", 0, match.start()) + 1, name


def resolve(path, name):
    """The file of the project that an include names, seen from `path`, or None."""
    folder = path.rpartition("/")[0]
    for where in (f"{folder}/{name}", name, f"include/{name}"):
        if (ROOT / where).is_file():
            return where
    return None


def seen_rooms(path, direct):
    """room of the same layer -> the headers that lead from `path` to the first of its files, the nearest first.

    direct: file -> the files that it includes. What is outside the layer leads nowhere that is of interest."""
    own, found, ways, seen = layer_of(path), {}, [(path,)], {path}
    for way in ways:
        for name in direct.get(way[-1], ()):
            if name not in seen and layer_of(name) == own:
                seen.add(name)
                ways.append(way + (name,))
                found.setdefault(name.rpartition("/")[0], way + (name,))
    return found


def check_ways(path, direct):
    """What a file must not see, and sees through headers that it may include."""
    room = path.rpartition("/")[0]
    for there, way in sorted(seen_rooms(path, direct).items()):
        if len(way) > 2 and there in ROOMS and there != room and there not in ROOMS[room]:
            yield f"{path}: {room} sees {there}, by {' -> '.join(way[1:])}"


def check_file(path, text):
    own, room = layer_of(path), path.rpartition("/")[0]
    for line, name in includes(path, text):
        other, there = layer_of(name), name.rpartition("/")[0]
        if other not in LAYERS:
            if (ROOT / name).exists():
                yield f"{path}:{line}: includes {name}, which is in no layer"
        elif LAYERS.index(other) > LAYERS.index(own):
            yield f"{path}:{line}: {own} includes {name} of the higher layer {other}"
        elif path.startswith("examples/") and other not in ("array", "base") and not name.startswith("examples/"):
            yield f"{path}:{line}: an example includes {name}, which is not public"
        elif room in ROOMS and there in ROOMS and other == own and there != room and there not in ROOMS[room]:
            may = ", ".join(ROOMS[room]) or "nothing"
            yield f"{path}:{line}: {room} includes {name}; of its layer it may include {may}"
    is_free = path == "runtime/base/config.c" or own == "launcher" or path.startswith("include/")
    if not is_free and ENVIRONMENT.search(text):
        yield f"{path}: the environment is read in runtime/base/config.c only"


def circles(graph):
    """The strongly connected parts of more than one node (Tarjan, 1972), without recursion."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(graph[other])))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while not part or part[-1] != node:
                        part.append(stack.pop())
                        on_stack.discard(part[-1])
                    if len(part) > 1:
                        found.append(sorted(part))
    return found


def calls_between_files(build, layer):
    """file -> files of the layer whose symbols it uses, by the symbol tables of the object files."""
    top = build / f"CMakeFiles/tsr_{layer}.dir"
    names = {str(p.relative_to(top))[:-2]: p for p in top.rglob("*.o")}
    names = {name: p for name, p in names.items() if (ROOT / name).exists()}  # not of files that have moved
    defined, used = {}, collections.defaultdict(set)
    for name, path in names.items():
        for row in subprocess.check_output(["nm", "-P", str(path)], text=True).splitlines():
            symbol, kind = row.split()[:2]
            if kind == "U":
                used[name].add(symbol)
            elif kind in "TDBR":
                defined[symbol] = name
    return {name: {defined[s] for s in used[name] if s in defined and defined[s] != name} for name in names}


def check_circles(graph):
    """graph: file -> files of the layer whose symbols it uses."""
    for circle in circles({name: sorted(graph[name]) for name in sorted(graph)}):
        if len(circle) > MOST_IN_CIRCLE or len({name.rpartition("/")[0] for name in circle}) > 1:
            yield f"{len(circle)} files call each other in a circle: {', '.join(circle)}"


def defined_types(text):
    """The structs, unions and enums that a text defines: their tags, and the names that a typedef gives them."""
    text = COMMENT_OR_TEXT.sub(" ", text)
    for match in STRUCT.finditer(text):
        if match[2]:
            yield match[2]
        if match[1]:
            depth, at = 1, match.end()
            while depth > 0 and at < len(text):
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
            name = TYPEDEF_NAME.match(text, at)
            if name:
                yield name[1]


def check_tags(texts):
    """A struct has one definition, unless each kind of a thing defines its own, in .c files of one room."""
    defined = collections.defaultdict(set)
    for path, text in texts.items():
        for name in defined_types(text):
            if name.startswith("tsr_"):
                defined[name].add(path)
    for name, paths in sorted(defined.items()):
        if len(paths) > 1 and (any(path.endswith(".h") for path in paths) or
                               len({path.rpartition("/")[0] for path in paths}) > 1):
            yield f"struct {name} is defined in {', '.join(sorted(paths))}"


def main():
    offenders, direct, texts = [], {}, {}
    listed = subprocess.check_output(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                     text=True)
    for path in sorted(listed.split("\n")):
        if not path.endswith((".c", ".h", ".inc", ".def", ".cpp", ".hpp")) or not (ROOT / path).exists():
            continue
        if layer_of(path) in LAYERS and not path.startswith("bench/peers/"):
            text = (ROOT / path).read_text()
            offenders += check_file(path, text)
            texts[path] = text
            direct[path] = [there for there in (resolve(path, m[1]) for m in INCLUDE.finditer(text)) if there]
    for path in direct:
        if path.rpartition("/")[0] in ROOMS:
            offenders += check_ways(path, direct)
    library = LAYERS[:LAYERS.index("launcher")]
    offenders += check_tags({path: text for path, text in texts.items() if layer_of(path) in library})
    if len(sys.argv) > 1:
        for layer in LAYERS[1:LAYERS.index("launcher")]:
            graph = calls_between_files(pathlib.Path(sys.argv[1]), layer)
            if not graph:
                offenders.append(f"{sys.argv[1]} has no objects of {layer}")
            offenders += check_circles(graph)
    for offender in offenders:
        print(offender)
    if not offenders:
        print("layers: no upward include, and no room that looks into one that it must not")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
