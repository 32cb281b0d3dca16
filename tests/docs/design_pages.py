"""docs/design: pages that can be read, and that name files which are there.

    design_pages.py

Fails if a page has more than 120 lines, if a line of a page or of docs/performance.md has more than 120 characters,
if a path of the source or a page that is named is not there, or if docs/design/README.md lacks a page.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
pages = sorted((root / "docs" / "design").glob("*.md"))
MOST_LINES = 120
MOST_COLUMNS = 120
FOLDERS = "array|program|scheduler|partition|kernel|runtime|launcher|python|include|tests|tools|bench|examples|docs"
SOURCE = re.compile(rf"(?<![\w/.*-])(?:{FOLDERS})/[\w.-]+(?:/[\w.-]+)*")
LINK = re.compile(r"\]\(([^)#:]+)\)")


def defects_of(page):
    text = page.read_text()
    lines = text.splitlines()
    is_design = page in pages
    if is_design and len(lines) > MOST_LINES:
        yield f"{len(lines)} lines, at most {MOST_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_COLUMNS:
            yield f"line {number} has {len(line)} characters, at most {MOST_COLUMNS}"
    for match in SOURCE.finditer(text):
        if not (root / match[0].rstrip(".")).exists():
            yield f"{match[0]} is not there"
    for match in LINK.finditer(text):
        if not (page.parent / match[1]).exists():
            yield f"the link to {match[1]} leads nowhere"


def main():
    index = (root / "docs" / "design" / "README.md").read_text()
    passed = failed = 0
    for page in [*pages, root / "docs" / "performance.md"]:
        defects = list(defects_of(page))
        if page in pages and page.name != "README.md" and f"({page.name})" not in index:
            defects.append("docs/design/README.md has no line for it")
        for defect in defects:
            print(f"{page.relative_to(root)}: {defect}")
        passed += not defects
        failed += bool(defects)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
