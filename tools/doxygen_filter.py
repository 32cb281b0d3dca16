"""What Doxygen reads of a file: `doxygen_filter.py FILE` prints it.

The comments of headers are plain text, and the pages are read by other renderers, too. So nothing in a comment is a
command or a tag; in a page, words behind a fence's language go, as do anchors of links, and links to what has no page
become code.
"""
import os
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[1]
PAGES = re.compile(r"(README|CHANGELOG)\.md|docs/.*\.md|include/.*\.h")


def escaped(text):
    text = re.sub(r"([@\\<>#&%])", r"\\\1", text)
    return re.sub(r"(?<=[\w)\]])\*(?=[\w(])|(?<![\n *])\*(?=\w)|(?<=\w)\*(?![\n/ ])", r"\\*", text)


def plain(text):
    """A comment's text, of which Doxygen and Markdown take nothing for their own: what is quoted they leave alone."""
    text = re.sub(r"^(\s*\*?)[ \t]+", r"\1 ", text, flags=re.M)  # indented text would be code
    return "".join(part if part[:1] in ('"', "`") else escaped(part)
                   for part in re.split(r'("[^"\n]*"|`[^`\n]*`)', text))


def header(text):
    """The first comment is the file's; comments for readers begin with two stars."""
    text = re.sub(r"^/\*(?!\*)(.*?)\*/", lambda m: f"/** @file\n *{plain(m[1])}*/", text, count=1, flags=re.S)
    return re.sub(r"/\*\*(?!\*| @file)(.*?)\*/", lambda m: f"/**{plain(m[1])}*/", text, flags=re.S)


def link(page):
    def of(match):
        target = match[2].split("#")[0]
        if "://" in match[2]:
            return match[0]
        if not target:
            return match[1]
        path = os.path.relpath((page.parent / target).resolve(), root)
        if path.endswith(".h") and PAGES.fullmatch(path):
            return f"[{match[1]}]({os.path.basename(path).replace('_', '__').replace('.h', '_8h.html')})"
        if PAGES.fullmatch(path):
            return f"[{match[1]}]({target})"
        return match[1] if match[1].startswith(("`", "!")) else f"`{match[1]}`"
    return of


def markdown(page, text):
    out, fence = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            out.append(line.split(" ")[0] if not fence else line)
            fence = not fence
        elif fence:
            out.append(line)
        else:
            out.append(re.sub(r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)]+)\)", link(page), line))
    return "\n".join(out) + "\n"


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    text = path.read_text()
    sys.stdout.write(markdown(path, text) if path.suffix == ".md" else header(text))


if __name__ == "__main__":
    main()
