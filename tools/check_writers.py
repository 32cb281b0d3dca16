#!/usr/bin/env python3
"""Which file writes which field of a plan: each is to be written by one file, which others ask by a function.

    tools/check_writers.py [--list] [BUILD]      BUILD: where generated headers are (default: build)

Prints each field that several files write; and each struct that several files begin, by assigning all of it, which
counts for no field. --list: prints the fields of each file.

It compiles the files of scheduler/plan with the fields of STRUCTS made const, and reads what the compiler refuses: an
assignment, or an address that is handed on to be written. What a pointer of a plan points to is not looked at, nor are
the MOVERS, which move a plan's arrays to other memory.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOM = "scheduler/plan"

# The struct and the header that has it.
STRUCTS = {
    "tsr_group": "group.h",
    "tsr_access": "lower.h",
    "tsr_accesses": "lower.h",
    "tsr_plan_reduction": "lower.h",
    "tsr_plan_region": "plan.h",
    "tsr_plan": "plan.h",
    "tsr_plan_slot": "slots.h",
    "tsr_plan_copy": "slots.h",
    "tsr_buffer": "buffers.h",
    "tsr_message": "transfers.h",
    "tsr_chain": "chain.h",
    "tsr_task": "tasks.h",
    "tsr_cluster": "placement.h",
}
MOVERS = ["plan.c"]

# What every pass uses, and counters that several passes add to.
SHARED = {"tsr_plan": ["arena", "scratch", "counts", "n_tags", "n_transient"]}


def members(body):
    """(type, declarator) of each member of a struct."""
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    for declaration in body.split(";"):
        match = re.fullmatch(r"\s*((?:(?:const|struct|unsigned)\s+)*\w+)\s*(.*?)\s*", declaration, re.S)
        if match:
            for declarator in re.split(r",(?![^()]*\))", match[2]):
                yield match[1], " ".join(declarator.split())


def name_of(declarator):
    return re.search(r"(\w+)\)?(\[[^()]*|\([^()]*\))?$", declarator)[1]


def constant(kind, declarator):
    """The declaration of a member that nobody may write."""
    if kind in STRUCTS and "*" not in declarator:
        return f"{kind} {declarator};"  # its own fields are const
    if "*" in declarator:
        at = (declarator.index("*") if "(" in declarator else declarator.rindex("*")) + 1
        return f"{kind} {declarator[:at]}const {declarator[at:]};"
    return f"const {kind} {declarator};"


def struct_body(struct):
    text = (ROOT / ROOM / STRUCTS[struct]).read_text()
    return re.search(rf"struct {struct} \{{\n(.*?)\n\}}", text, re.S)[1]


def fields_of(struct):
    return [name for name in (name_of(d) for _, d in members(struct_body(struct)))
            if name not in SHARED.get(struct, [])]


def make_headers(folder, structs):
    """The headers, with the fields of these structs const."""
    (folder / ROOM).mkdir(parents=True)
    for header in sorted({STRUCTS[s] for s in structs}):
        text = (ROOT / ROOM / header).read_text()
        for struct in [s for s in structs if STRUCTS[s] == header]:
            body = struct_body(struct)
            made = [constant(kind, d) if name_of(d) not in SHARED.get(struct, []) else f"{kind} {d};"
                    for kind, d in members(body)]
            text = text.replace(body, "\n".join(made))
        (folder / ROOM / header).write_text(text)


def refusals(file, folder, build):
    """(what is written, message) of a file, as the compiler refuses it."""
    flags = f"-std=gnu11 -fsyntax-only -fmax-errors=0 -D_GNU_SOURCE -I{folder} -I. -Iinclude -I{build}/generated"
    ran = subprocess.run(["gcc", *flags.split(), "-fdiagnostics-format=json", f"{ROOM}/{file}"], cwd=ROOT,
                         capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})  # 'quotes' of one kind
    lines = (ROOT / ROOM / file).read_text().split("\n")
    for row in json.loads(ran.stderr.split("\n")[0] or "[]"):
        at = row["locations"][0]["caret"]
        if row["kind"] == "error" and "read-only" not in row["message"]:
            sys.exit(f"{file}: {row['message']}")
        if not re.search(r"read-only|discards", row["message"]) or not at["file"].endswith(f"{ROOM}/{file}"):
            continue
        named = re.search(r"member '(\w+)'", row["message"])
        text = lines[at["line"] - 1][at["column"] - 1:]
        yield named[1] if named else text, row["message"]


def written(file, fields, folder, build):
    """The fields that a file writes; None among them: all of a struct."""
    for what, message in refusals(file, folder, build):
        if what in fields:
            yield what
        elif "location" in message or "variable" in message:
            target = re.search(r"'(.*)'", message)[1]
            inner = [name for name in re.findall(r"(?:->|\.)(\w+)(?:\[[^\[\]]*\])*", target) if name in fields]
            last = re.search(r"(?:->|\.)(\w+)$", target)
            yield inner[-1] if inner and not (last is None and target.endswith(")")) else None
        else:
            inner = [name for name in re.findall(r"(?:->|\.)(\w+)", what.split(",")[0]) if name in fields]
            if inner:
                yield inner[-1]


def writers(struct, files, folder, build):
    """field, or None for all at once -> files that write it."""
    fields, found = fields_of(struct), collections.defaultdict(set)
    for file in files:
        for name in written(file, fields, folder, build):
            found[name].add(file)
    return found


def main():
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    build = pathlib.Path(arguments[0] if arguments else "build").resolve()
    files = sorted(p.name for p in (ROOT / ROOM).glob("*.c") if p.name not in MOVERS)
    several, of_file = 0, collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {}
        for struct in STRUCTS:
            folder = pathlib.Path(top) / struct
            make_headers(folder, [struct])
            jobs[struct] = pool.submit(writers, struct, files, folder, build)
        for struct, job in jobs.items():
            for field, where in sorted(job.result().items(), key=str):
                what = f"{struct}.{field}" if field else struct
                for file in where:
                    of_file[file].append(what)
                if len(where) > 1:
                    several += 1
                    print(f"{what} is {'written' if field else 'begun'} by {', '.join(sorted(where))}")
    if "--list" in sys.argv:
        for file, found in sorted(of_file.items()):
            print(f"{file}: {', '.join(found)}")
    if several == 0:
        print("writers: each field of a plan is written by one file")
    return 1 if several else 0


if __name__ == "__main__":
    sys.exit(main())
