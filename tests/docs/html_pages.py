"""The HTML that `tessera_html` makes: without a warning, with an entry for each public function, and links that lead
somewhere.

    html_pages.py BUILD
"""
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tools"))
import api  # noqa: E402


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors.update(named[key] for key in ("id", "name") if named.get(key))
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])


def defects_of(folder):
    for row in api.read_table():
        page = folder / f"{row.header.replace('_', '__')}_8h.html"
        if not page.exists() or not re.search(rf'class="memname">[^<]*(<[^>]*>[^<]*)*?\btsr_{row.name}\b',
                                              page.read_text()):
            yield f"{page.name} has no entry of tsr_{row.name}"
    pages = {path.name: Links(path.read_text()) for path in folder.glob("*.html")}
    n_links = 0
    for name, page in pages.items():
        for link in page.links:
            target, _, anchor = urllib.parse.unquote(link).partition("#")
            if "://" in link or link.startswith("javascript:"):
                continue
            n_links += 1
            if target and not (folder / target).exists():
                yield f"{name}: the link to {link} leads nowhere"
            elif anchor and (target or name) in pages and anchor not in pages[target or name].anchors:
                yield f"{name}: {link} has no such place"
    for path in sorted((root / "docs" / "guide").glob("*.md")):
        title = re.sub("[^\w]", "", path.read_text().split("\n", 1)[0].removeprefix("# "))
        if not any(title in re.sub("[^\w]", "", text) for text in titles(folder)):
            yield f"no page is titled as {path.name}"
    if n_links < 1000:
        yield f"{n_links} links are few"
    if not any("tsr_sqrt" in path.read_text() for path in (folder / "search").glob("*.js")):
        yield "the search does not find tsr_sqrt"


def titles(folder):
    return re.findall(r"<title>(.*?)</title>", "".join(path.read_text() for path in folder.glob("*.html")))


def main():
    build = pathlib.Path(sys.argv[1])
    if not re.search(r"^TESSERA_DOXYGEN:FILEPATH=/", (build / "CMakeCache.txt").read_text(), re.M):
        wanted = bool(os.environ.get("TEST_NEEDS_ALL"))
        print(f"{'FAIL' if wanted else 'SKIP'} the HTML pages: doxygen is not installed")
        print(f"0 passed, {int(wanted)} failed, {int(not wanted)} skipped")
        return wanted
    made = subprocess.run(["cmake", "--build", str(build), "--target", "tessera_html"], capture_output=True, text=True,
                          timeout=600)
    wrong = [made.stdout + made.stderr] if made.returncode or "warning:" in made.stdout + made.stderr else []
    wrong += list(defects_of(build / "html"))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{int(not wrong)} passed, {len(wrong)} failed, 0 skipped")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
