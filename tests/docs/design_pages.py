"""docs/design and docs/guide: pages that can be read, and that name files which are there.

    design_pages.py

Fails if a page has too many lines, if a line of a page or of docs/performance.md has more than 120 characters, if a
path of the source or a page that is named is not there, if a folder's README.md lacks a page, if the guide names a
function of C that no header has, if its page of errors lacks a status code, or if the walk of an assignment names a
function that is not in its file, or goes back and forth.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
MOST_LINES = {root / "docs" / "design": 120, root / "docs" / "guide": 150}
pages = [page for folder in MOST_LINES for page in sorted(folder.glob("*.md"))]
MOST_COLUMNS = 120
FOLDERS = "array|program|scheduler|partition|kernel|runtime|launcher|python|include|tests|tools|bench|examples|docs"
SOURCE = re.compile(rf"(?<![\w/.*-])(?:{FOLDERS})/[\w.-]+(?:/[\w.-]+)*")
LINK = re.compile(r"\]\(([^)#:]+)\)")


def defects_of(page):
    text = page.read_text()
    lines = text.splitlines()
    most = MOST_LINES.get(page.parent)
    if most and len(lines) > most:
        yield f"{len(lines)} lines, at most {most}"
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_COLUMNS:
            yield f"line {number} has {len(line)} characters, at most {MOST_COLUMNS}"
    for match in SOURCE.finditer(text):
        if not (root / match[0].rstrip(".")).exists():
            yield f"{match[0]} is not there"
    for match in LINK.finditer(text):
        if not (page.parent / match[1]).exists():
            yield f"the link to {match[1]} leads nowhere"


def names_functions(page):
    """The functions that the page names, and no header has nor the Fortran module."""
    headers = "".join(h.read_text() for h in [*(root / "include").rglob("*.h"), root / "fortran" / "tessera.f90"])
    known = set(re.findall(r"\b(?:tsr|TSR)_\w+", headers))
    for name in sorted(set(re.findall(r"\b(?:tsr|TSR)_\w+", page.read_text())) - known):
        if not any(other.startswith(name) for other in known) or name[-1] != "_":
            yield f"no header has {name}"


def explains_every_code(page):
    """The status codes that the page has no heading for."""
    header, text = (root / "include" / "tessera" / "base.h").read_text(), page.read_text()
    for name, code in re.findall(r"^  (TSR_ERR_\w+) = -\d+,? +/\* (TSR\d{4})", header, re.M):
        if not re.search(rf"^### {name} .*{code}", text, re.M):
            yield f"no heading for {name} and {code}"


def walks_on(page):
    """What is wrong with the table of files and functions that an assignment goes through."""
    most_returns, most_lines = 8, 600
    walk = re.findall(r"^\| (\d+) \| `([^`]+)` \| `(\w+)` \|", page.read_text(), re.M)
    returns, left = [], set()
    for (_, before, _), (number, file, function) in zip([("", "", "")] + walk, walk):
        source = (root / file).read_text()
        if not re.search(rf"^(?!  )(?!.*;$).*\b{function}\(", source, re.M):
            yield f"{file} has no function {function}"
        if source.count("\n") > most_lines:
            yield f"{file} has more than {most_lines} lines"
        if file in left:
            returns.append(number)
        left.add(before)
    said = f"returns {len(returns)} times to a file that it has left: at {', '.join(returns[:-1])} and {returns[-1]}."
    if said not in " ".join(page.read_text().split()) or len(returns) > most_returns:
        yield f"the walk {said}"


def main():
    passed = failed = 0
    for page in [*pages, root / "docs" / "performance.md"]:
        defects = list(defects_of(page))
        if page in pages and f"({page.name})" not in (page.parent / "README.md").read_text() + "(README.md)":
            defects.append("the folder's README.md has no line for it")
        if page.parent.name == "guide":
            defects += names_functions(page)
        if page.name == "troubleshooting.md":
            defects += explains_every_code(page)
        if page.name == "walk.md":
            defects += walks_on(page)
        for defect in defects:
            print(f"{page.relative_to(root)}: {defect}")
        passed += not defects
        failed += bool(defects)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
