"""docs/guide: every block of C, C++, Fortran and Python compiles, runs and prints what its page says.

    guide.py BUILD [--write] [PAGE…]

A block's first word is its language, the others say how it is run:

    c, python, sh       a program. C without main() stands between tsr_init and tsr_finalize
    cpp                 C++17, likewise; a whole program of it has main()
    fortran             a whole program, compiled with fortran/tessera.f90
    ranks=N             it is run on N ranks
    env=NAME=VALUE      with that in the environment
    stderr              what it prints on stderr is compared
    fails               its status is not 0
    compile             it is only compiled
    library=NAME        it is compiled to NAME.so, for the blocks that follow
    more                it goes on where the block of its language before it ended
    quiet               it prints nothing; what follows is not its output
    skip                it is not run: it needs what is not here
    text output         what each of the programs since the last such block prints; `…` stands for anything within a
    line,
                        a line of it for any lines

Blocks of a page run in order in one directory. --write puts what is printed into the pages, where it differs.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

root = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
# What mpirun says of a job that ends itself, which may come before or after the program's own words.
OF_MPI = re.compile(r"^-{70,}\n.*?^-{70,}\n", re.M | re.S)
WORDS = {"stderr", "more", "quiet", "fails", "compile", "skip", "output"}


@dataclass
class Block:
    language: str
    words: set
    text: str
    line: int  # of its first line in the page
    span: tuple  # of the text in the page
    ranks: int = 1
    environment: dict = field(default_factory=dict)
    library: str = ""
    before: str = ""  # what it goes on from has printed

    def is_program(self):
        return self.language in ("c", "cpp", "fortran", "python", "sh") and "skip" not in self.words

    def is_output(self):
        return self.language == "text" and "output" in self.words


def blocks_of(text):
    for match in FENCE.finditer(text):
        language, *rest = match[1].split() or [""]
        block = Block(language, set(), match[2], text.count("\n", 0, match.start(2)) + 1, match.span(2))
        for word in rest:
            name, _, value = word.partition("=")
            if name == "ranks":
                block.ranks = int(value)
            elif name == "library":
                block.library = value
            elif name == "env":
                block.environment.update([value.split("=", 1)])
            elif word in WORDS:
                block.words.add(word)
            else:
                raise ValueError(f"line {block.line}: no word of a block: {word}")
        yield block


def is_printed(shown, printed):
    """Is `printed` what the page shows?"""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n"
                      for line in shown.splitlines())
    return re.fullmatch(pattern, printed) is not None


class Runner:
    def __init__(self, build):
        self.build = build
        cache = (build / "CMakeCache.txt").read_text()
        sanitize = re.search(r"^TESSERA_SANITIZE:STRING=(\S+)$", cache, re.M)
        self.flags = [f"-fsanitize={sanitize[1]}"] if sanitize else []
        self.fortran = None if sanitize else shutil.which("gfortran")
        self.environment = {**os.environ, "PATH": f"{build}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1",
                            "PYTHONPATH": f"{build / 'python'}:{os.environ.get('PYTHONPATH', '')}",
                            "LD_LIBRARY_PATH": str(build), "TESSERA_THREADS": "1"}
        self.python = next((python for python in (sys.executable, "/usr/bin/python3")
                            if not sanitize and self.succeeds([python, "-c", "import tessera"])), None)
        self.has_mpi = not re.search(r"^MPI +no", self.output([build / "tessera", "info"]), re.M)

    def run(self, command, cwd=None, environment=None):
        return subprocess.run([str(c) for c in command], cwd=cwd, env=environment or self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    def succeeds(self, command):
        return self.run(command).returncode == 0

    def output(self, command):
        return self.run(command).stdout

    def lacks(self, block):
        """What the block needs that is not here, or None."""
        if block.ranks > 1 and not self.has_mpi:
            return "MPI"
        if block.language == "python" and not self.python:
            return "the Python module"
        if block.language == "fortran" and not self.fortran:
            return "gfortran, and no sanitizer"
        return None

    def compile(self, block, cwd):
        text = block.text
        linked = ["-I", root / "include", "-L", self.build, "-ltessera", "-lm"]
        if block.language == "fortran":
            (cwd / "prog.f90").write_text(text)
            return self.run([self.fortran, "-std=f2018", "-Wall", "-Werror", root / "fortran" / "tessera.f90",
                             "prog.f90", *linked, "-o", "prog"],
                            cwd)
        if block.language == "cpp":
            if not re.search(r"\bmain\(", text):
                text = ("#include <cstdio>\n#include \"tessera.h\"\n\nint main(int argc, char **argv)\n{\n"
                        f"tessera::session session(&argc, &argv);\n#line 1\n{text}}}\n")
            (cwd / "prog.cpp").write_text(text)
            return self.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", *self.flags, "prog.cpp", *linked, "-o",
                             "prog"], cwd)
        if not block.library and not re.search(r"\bmain\(", text):
            text = ("#include <math.h>\n#include <stdio.h>\n#include \"tessera.h\"\n\nint main(int argc, char **argv)\n"
                    "{\n"
                    f"tsr_init(&argc, &argv);\n#line 1\n{text}return tsr_finalize() != TSR_OK;\n}}\n")
        (cwd / "prog.c").write_text(text)
        out = ["-fPIC", "-shared", "-o", f"{block.library}.so"] if block.library else ["-o", "prog"]
        return self.run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", *self.flags, "prog.c", *linked, *out], cwd)

    def program(self, block, cwd):
        """Runs a block; returns (what it printed, None) or (None, what is wrong)."""
        command = ["./prog"]
        if block.language in ("c", "cpp", "fortran"):
            done = self.compile(block, cwd)
            if done.returncode or block.library or "compile" in block.words:
                return (None, done.stderr) if done.returncode else ("", None)
        elif block.language == "python":
            (cwd / "prog.py").write_text(block.text)
            command = [self.python, "prog.py"]
        else:
            lines = [line[2:] for line in block.text.splitlines() if line.startswith("$ ")]
            command = ["bash", "-ec", "\n".join(lines) or block.text]
        if block.ranks > 1:
            command = ["tessera", "run", "-n", block.ranks, "--cpus", 1, *command]
        environment = {**self.environment, **block.environment}
        done = self.run([shutil.which(str(command[0]), path=environment["PATH"]) or command[0], *command[1:]], cwd,
                        environment)
        if (done.returncode != 0) != ("fails" in block.words):
            return None, f"status {done.returncode}\n{done.stdout}{done.stderr}"
        if "quiet" in block.words and done.stdout.removeprefix(block.before):
            return None, f"it prints\n{done.stdout}"
        if "stderr" not in block.words and done.stderr:
            return None, f"it prints on stderr:\n{done.stderr}"
        printed = OF_MPI.sub("", done.stderr) if "stderr" in block.words else done.stdout
        return printed.replace(f"{cwd}/", "").removeprefix(block.before), None


def run_page(runner, page, write):
    """Runs the blocks of a page: (passed, skipped, [what failed])."""
    text = page.read_text()
    passed, skipped, wrong, printed, changes, last = 0, 0, [], [], [], {}
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks_of(text):
            if block.is_output():
                shown = block.text
                if write and printed and not is_printed(shown, printed[0][1]):
                    shown = printed[0][1]
                    changes.append((block.span, shown))
                for program, out in printed:
                    if is_printed(shown, out):
                        passed += 1
                    else:
                        wrong.append(f"the {program.language} of line {program.line} prints\n{out}not\n{shown}")
                printed = []
            elif block.is_program():
                if missing := runner.lacks(block):
                    print(f"SKIP {page.name}: line {block.line} needs {missing}")
                    skipped += 1
                    continue
                if "more" in block.words and block.language in last:
                    block.text, block.before = last[block.language][0] + block.text, last[block.language][1]
                out, error = runner.program(block, pathlib.Path(folder).resolve())
                if error is None:
                    passed += 1
                    last[block.language] = block.text, block.before + out
                    if "quiet" not in block.words and not block.library:
                        printed.append((block, out))
                else:
                    wrong.append(f"the {block.language} of line {block.line}: {error}")
    for (begin, end), out in reversed(changes[:]):
        text = text[:begin] + out + text[end:]
    if changes:
        page.write_text(text)
    return passed, skipped, [f"{page.relative_to(root)}: {defect}" for defect in wrong]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("pages", type=pathlib.Path, nargs="*")
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_intermixed_args()
    pages = [page.resolve() for page in given.pages] or [*sorted((root / "docs" / "guide").glob("*.md"))]
    runner = Runner(given.build.resolve())
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        results = list(pool.map(lambda page: run_page(runner, page, given.write), pages))
    for _, _, wrong in results:
        print(*wrong, sep="\n", end="\n" if wrong else "")
    failed = sum(len(wrong) for _, _, wrong in results)
    print(f"{sum(r[0] for r in results)} passed, {failed} failed, {sum(r[1] for r in results)} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
