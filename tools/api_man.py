"""A man page for each public header, of the header's own comments: docs/man/tessera-HEADER.3."""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[1]
include = root / "include" / "tessera"
IN_CPP = {"cpp", "cpp_array"}
COMMENT = re.compile(r"/\*\*?(?!\*)(.*?)\*/", re.S)
DECLARATION = re.compile(
    r"\s?[ \t]*(?P<text>TSR_API [^;{]*;|typedef (?:struct|enum) \w+ \{[^}]*\}[^;]*;|typedef [^;{]*;|enum \{[^}]*\};"
    r"|#define TSR_(?!_)\w+(?:\([^)]*\))?(?= |\n)|#define tsr_\w+\([^)]*\)|static inline [^{;]*\))(?P<rest>[^\n]*)")


def paragraphs(comment):
    text = re.sub(r"^[ \t]*\* ?", "", comment.strip(), flags=re.M)
    return [" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", text) if part.strip()]


CPP_DECLARATION = re.compile(r"\s?[ \t]*(?P<text>\w[^{;]*?)\s*(?:\n? *: \w+\(|[{;])")


def entries(text, is_cpp=False):
    """What the header says: (paragraphs, declarations) for each comment for readers; of C++, the head of what
    follows."""
    for comment in re.finditer(r"/\*\*(?!\*)(.*?)\*/", text, re.S):
        at, declarations = comment.end(), []
        if is_cpp and (match := CPP_DECLARATION.match(text, at)):
            yield paragraphs(comment[1]), [re.sub(r" : \w+$", "", " ".join(match["text"].split())) + ";"]
            continue
        while match := DECLARATION.match(text, at):
            if "__attribute__" in match["text"]:
                declarations.append(re.sub(r" *__attribute__.*", ";", match["text"], flags=re.S))
            else:
                note = match["rest"] if match["rest"].strip().startswith("/*") else ""
                declarations.append(match["text"] + note)
            at = match.end()
            if match["text"].startswith(("#define", "static")):
                break
        if declarations:
            yield paragraphs(comment[1]), [d.replace("TSR_API ", "") for d in declarations]


def escaped(line):
    line = line.replace("\\", "\\e").replace("…", "...")
    return "\\&" + line if line.startswith((".", "'")) else line


def page(header, text, source):
    title = paragraphs(COMMENT.search(text)[1])
    name = f"tessera-{header}"
    first = re.split(r"(?<=[\w)\]`])\.(?: |$)", " ".join(title), maxsplit=1)
    named = re.sub(r"^[A-Z](?=[a-z]*\b)", lambda m: m[0].lower(), first[0])
    out = [f'.\\" {source}', ".Dd November 22, 2026", f".Dt {name.upper()} 3", ".Os Tessera @VERSION@", ".Sh NAME",
           f".Nm {name}",
           f".Nd {escaped(named)}", ".Sh SYNOPSIS", ".In tessera.h", ".Sh DESCRIPTION",
           f"Part of tessera/{header}.h, which says the same."]
    if len(first) > 1 and first[1]:
        out += [".Pp", escaped(first[1])]
    for prose, declarations in entries(text, header in IN_CPP):
        out += [".Pp", ".Bd -literal", *[escaped(line) for d in declarations for line in d.splitlines()], ".Ed"]
        for part in prose:
            out += [".Pp", escaped(part)]
    return "\n".join(out + [".Sh SEE ALSO", ".Xr tessera 3 ,", ".Xr tessera-index 3"]) + "\n"


def pages(rows, source):
    """The pages, and what is wrong: a function that its page lacks."""
    files, wrong = {}, []
    for path in sorted(include.glob("*.h")):
        text = path.read_text()
        if not list(entries(text, path.stem in IN_CPP)):
            continue
        files[f"docs/man/tessera-{path.stem}.3"] = made = page(path.stem, text, source)
        wrong += [f"the man page of {path.stem}.h lacks tsr_{row.name}" for row in rows
                  if row.header == path.stem and not re.search(rf"\btsr_{row.name}\b", made)]
    return files, wrong
