"""What a public function needs beside its C code, from its row in tools/api.table and its prose in include/tessera.

    api.py [--write]     compares what is generated with the table and the headers, or writes it (with clang-format-14)

Generated are, for every header with rows, include/tessera/generated/HEADER.h (the `_at` prototypes, C's macros, C++'s
overloads) and array/generated/plain_HEADER.c (the functions behind the macros); array/generated/takes.h (the options of
each function), row_calls.inc (the calls that rows make, in text and in Python), text_rows.inc and text_names.inc (the
text language's rows), other_names.inc; python/generated (the Python module's rows); docs/numpy.md
(tools/numpy_page.py) and docs/man/tessera-index.3. A declaration in a header whose parameters are not those of its
row is an error.
"""
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

import api_cpp
import api_fortran
import api_man
import api_python
import numpy_page
import python_stubs

root = pathlib.Path(__file__).resolve().parents[1]
include = root / "include" / "tessera"
ELEMENTWISE = ("elementwise", "functions")  # the headers whose functions are rows of kernel/ops/ops.def
SOURCE = "Written by tools/api.py --write from tools/api.table; a test compares."


@dataclass
class Type:
    """How a parameter is written in each language; @ stands for the argument."""
    at: str  # of the _at function
    macro: str = "@"
    plain: str = ""  # of the function behind the macro; as `at`, if empty
    boxed: str = "@"
    cpp: str = ""
    unwrapped: str = "@"
    missing: str = "0"  # in a macro, where too few arguments are given


TYPES = {
    "operand": Type("tsr_operand", "TSR__BOX(@)", "tsr_array", "tsr_box_array(@)", "::tessera::operand", "@.value"),
    "optional": Type("tsr_operand", "TSR__BOX(@)", "tsr_array", "tsr_ok(@) ? tsr_box_array(@) : TSR_NONE",
                     "::tessera::operand", "@.value"),
    "number": Type("tsr_operand", "TSR__BOX(@)", "double", "tsr_box_float(@)", "::tessera::operand", "@.value"),
    "whole": Type("tsr_operand", "TSR__BOX(@)", "int64_t", "tsr_box_int(@)", "::tessera::operand", "@.value"),
    "scalar": Type("tsr_operand", "TSR__BOX(@)", "", "@", "::tessera::operand", "@.value"),
    "array": Type("tsr_array", missing="tsr_null()"),
    "dims": Type("tsr_dims", "TSR__DIMS_OF(@)", cpp="::tessera::dims_arg", unwrapped="@.value"),
    "axes": Type("tsr_axes", "TSR__AXES_OF(@)", cpp="::tessera::axes_arg", unwrapped="@.value"),
    "axis": Type("int", "TSR__AXIS_OF(@)", cpp="::tessera::axis_arg", unwrapped="@.value"),
    "arrays": Type("tsr_arrays", cpp="const ::tessera::arrays &", missing="TSR_ARRAYS()"),
    "tsr_dtype": Type("tsr_dtype", missing="TSR_FLOAT64"),
    "tsr_point": Type("tsr_point", missing="TSR_POINT(0)"),
    "tsr_function": Type("tsr_function", missing="(tsr_function){0}"),
}
IN_CPP = {"TSR_ALL_AXES": "::tessera::all_axes()"}
OPTIONS = {"axes": "axis", "keepdims": "keepdims", "ddof": "ddof", "ord": "ord", "where": "where",
           # the text language's names
           "initial": "initial", "method": "method", "weights": "weights", "dtype": "dtype"}


@dataclass
class Listed:
    """Options of one type in any order, as a row's last parameter."""
    type: str
    macro: str  # what a macro makes of one; @ stands for it
    none: str
    cpp: str = ""  # what C++ makes of an argument; "": all are of the type


LISTED = {
    "drawing": Listed("tsr_drawing", "TSR__DRAWING_OF(@)", "TSR_NO_DRAWING", "::tessera::drawing_of"),
    "host": Listed("tsr_host_option", "@", "TSR_NO_HOST_OPTION"),
    "padding": Listed("tsr_padding", "@", "TSR_NO_PADDING"),
}


@dataclass
class Parameter:
    kind: str
    name: str
    default: str = ""
    names: list = field(default_factory=list)  # of operands, or of options
    least: int = 0
    most: int = 0

    @property
    def type(self):
        return TYPES.get(self.kind) or Type(self.kind)


@dataclass
class Row:
    header: str
    result: str
    name: str
    parameters: list
    how: str  # "", read, write, loose, hand, c
    columns: dict

    def is_generated(self):
        return self.how not in ("hand", "c")

    def fixed(self):
        return [p for p in self.parameters if p.kind not in ("operands", "options", *LISTED)]

    def last(self, kind):
        return next((p for p in self.parameters if p.kind == kind), None)

    def listed(self):
        return next((p for p in self.parameters if p.kind in LISTED), None)


def declare(kind, name):
    return f"{kind}{name}" if kind.endswith(("*", "&")) else f"{kind} {name}"


# The table.

def split(text, at=","):
    """The parts between commas that stand outside brackets and quotes."""
    parts, depth, quoted = [""], 0, False
    for c in text:
        quoted ^= c == '"'
        depth += (c in "([{") - (c in ")]}")
        if c == at and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def parameter(text):
    if m := re.fullmatch(r"operands (.+) (\d+)(?:\.\.(\d+))?", text):
        return Parameter("operands", "xs", "", m[1].split(), int(m[2]), int(m[3] or m[2]))
    if text.startswith("options "):
        return Parameter("options", "options", "", text.split()[1:])
    if text.startswith("drawing "):
        return Parameter("drawing", "options", most=int(text.split()[1]))
    if text.startswith(("host ", "padding ")):
        kind, *names = text.split()
        return Parameter(kind, "options", "", names, most=len(names))
    text, _, default = (part.strip() for part in text.partition(" = "))
    m = re.fullmatch(r"(.*?[ *])(\w+)", text)
    if not m:
        return Parameter(text, "")  # `...`, or a pointer to a function: of C functions only
    return Parameter(m[1].strip(), m[2], default)


def read_table():
    lists, rows, header = {}, [], ""
    lines = []
    for line in (root / "tools" / "api.table").read_text().splitlines():
        if line.startswith(" ") and lines:
            lines[-1] += " " + line.strip()
        elif line and not line.startswith("#"):
            lines.append(line)
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "list":
            name, _, value = rest.partition("=")
            lists[name.strip()] = value.strip()
        elif word == "header":
            header = rest
        else:
            signature, *columns = [part.strip() for part in line.split(" | ")]
            m = re.fullmatch(r"(.*?[ *])(\w+)\((.*)\)(?: (read|write|loose|hand|c))?", signature)
            if not m:
                sys.exit(f"api.table: no row: {line}")
            pairs = [column.partition(" ") for column in columns]
            pairs = {key: re.sub(r"\$(\w+)", lambda m: lists[m[1]], value) for key, _, value in pairs}
            rows.append(Row(header, m[1].strip(), m[2], [parameter(p) for p in split(m[3])], m[4] or "", pairs))
    return with_operations(rows)


def defined_operations():
    """The least and the greatest number of operands of each row of kernel/ops/ops.def."""
    text = (root / "kernel/ops/ops.def").read_text()
    return {m[1]: (int(m[2]), int(m[3])) for m in re.finditer(r"^TSR_OP\(\w+, (\w+), (\d+), (\d+)", text, re.M)}


def with_operations(rows):
    """The rows with those of the elementwise functions that have none in the table: their operands follow from ops.def,
    with the names that the header's declaration gives them. All are in the order of the declarations."""
    defined, ordered = defined_operations(), []
    for header in dict.fromkeys(row.header for row in rows):
        own = {row.name: row for row in rows if row.header == header}
        if header in ELEMENTWISE:
            text = (include / f"{header}.h").read_text()
            declared = re.findall(r"^TSR_API tsr_array tsr_(\w+)\(([^)]*)\);", text, re.M)
            for name, parameters in declared:
                if name in defined and name not in own:
                    names = [parameter.split()[-1] for parameter in parameters.split(",")]
                    operands = Parameter("operands", "xs", "", names, *defined[name])
                    own[name] = Row(header, "tsr_array", name, [operands], "", {})
            position = {name: k for k, (name, _) in enumerate(declared)}
            own = dict(sorted(own.items(), key=lambda item: position.get(item[0], len(position))))
        ordered += own.values()
    return ordered


# What a reader of a header sees.

def plain_parameters(row):
    out = []
    for p in row.parameters:
        if p.kind == "operands":
            out += [f"tsr_array {name}" for name in p.names]
        elif p.kind == "options":
            out.append("tsr_axes options")
        elif p.kind in LISTED:
            out.append(f"{LISTED[p.kind].type} option")
        elif not p.name:
            out.append(p.kind)
        else:
            out.append(declare(p.type.plain or p.type.at, p.name))
    return ", ".join(out) or "void"


def squeeze(text):
    """The text without what formatting changes."""
    return re.sub(r'"\s*\\?\s*"|\\\n|\s+', "", text)


def prose(rows):
    """The comment before each declaration; errors for declarations that are not as their rows."""
    found, wrong = {}, []
    for header in dict.fromkeys(row.header for row in rows):
        text = (include / f"{header}.h").read_text()
        comment = ""
        declared = {}
        for m in re.finditer(r"/\*\*(.*?)\*/|^TSR_API ([^;]*);|^#define (tsr_\w+)\(", text, re.S | re.M):
            if m[1] is not None:
                comment = " ".join(re.sub(r"^\s*\*", "", m[1], flags=re.M).split())
                continue
            name = m[3] or re.search(r"\b(tsr_\w+)\)?\(", m[2].replace("tsr_status(", ""))[1]
            found.setdefault(name.removeprefix("tsr_"), comment)
            if m[2]:
                declared[name.removeprefix("tsr_")] = m[2]
        for row in (r for r in rows if r.header == header and r.name in declared):
            has = re.sub(r"__attribute__.*", "", declared[row.name])
            wanted = f"{declare(row.result, 'tsr_' + row.name)}({plain_parameters(row)})"
            if squeeze(has) != squeeze(wanted):
                wrong.append(f"{header}.h: `{' '.join(has.split())}` is in the table `{wanted}`")
        for row in (r for r in rows if r.header == header):
            if row.name not in found:
                wrong.append(f"{header}.h does not declare tsr_{row.name}")
    return found, wrong


# Headers.

def at_parameters(row):
    out = ["const tsr_location *where"]
    for p in row.parameters:
        if p.kind == "operands":
            out += ["int n", "const tsr_operand *xs"]
        elif p.kind == "options":
            out += ["int n_options", "const tsr_axes *options"]
        elif p.kind in LISTED:
            out += ["int n_options", f"const {LISTED[p.kind].type} *options"]
        else:
            out.append(declare(p.type.at, p.name))
    return ", ".join(out)


def at_prototype(row):
    result = "tsr_parts" if row.result == "double _Complex" else row.result
    return f"TSR_API {declare(result, f'tsr_{row.name}_at')}({at_parameters(row)});"


def macro_shape(row):
    """The body of a macro, without the function's name: functions whose bodies are alike share it."""
    operands, options, listed = row.last("operands"), row.last("options"), row.listed()
    fixed = row.fixed()
    lines, given = [], []
    if operands:
        least, most = operands.least, operands.most
    else:
        least = sum(not p.default for p in fixed)
        most = len(fixed) + len(options.names if options else []) + (listed.most if listed else 0)
    if most or operands:
        lines.append(f"TSR__CHECK_COUNT(op, {least}, {most} __VA_OPT__(, ) __VA_ARGS__);")
    lines.append("TSR__SITE(id, #op, text);")
    if row.how in ("read", "write"):
        lines.append("tsr_statement_begin();")

    def argument(i, default):
        return f"TSR__OR{i + 1}({default}, __VA_ARGS__)"

    for i, p in enumerate(fixed):
        value = p.name if operands else argument(i, p.default or p.type.missing)
        if p.kind == "tsr_dtype":
            lines += [f"__auto_type id##_{p.name} = ({value});", f"TSR__CHECK_DTYPE(op, id##_{p.name});"]
            given.append(f"id##_{p.name}")
            continue
        const = "" if p.type.at.endswith("*") else "const "
        lines.append(f"{const}{declare(p.type.at, f'id##_{p.name}')} = {p.type.macro.replace('@', f'({value})')};")
        given.append(f"id##_{p.name}")
    if operands:
        count = "TSR__COUNT(__VA_ARGS__)"
        lines.append(f"tsr_operand id##_xs[{count} + !{count}];")
        lines.append("TSR__BOXES(id##_xs __VA_OPT__(, ) __VA_ARGS__)")
        given += [count, "id##_xs"]
    if options:
        n = len(options.names)
        lines.append(f"tsr_axes id##_options[{n}];")
        for k in range(n):
            lines.append(f"id##_options[{k}] = TSR__AXES_OF(({argument(len(fixed) + k, 'TSR_ALL_AXES')}));")
        given += [str(n), "id##_options"]
    if listed:
        kind = LISTED[listed.kind]
        lines.append(f"{kind.type} id##_options[{listed.most}];")
        for k in range(listed.most):
            value = kind.macro.replace("@", f"({argument(len(fixed) + k, kind.none)})")
            lines.append(f"id##_options[{k}] = {value};")
        given += [str(listed.most), "id##_options"]
    call = f"op##_at({', '.join(['&id'] + given)})"
    if row.how == "read":
        lines += [f"const {row.result} id##_got = {call};", "tsr_statement_drop();", "id##_got;"]
    elif row.how == "write" and row.result == "void":
        lines += [f"{call};", "(void)tsr_statement_end(TSR_OK);"]
    else:
        lines.append(f"tsr_statement_end({call});" if row.how == "write" else f"{call};")
    body = "__extension__({ " + " ".join(lines) + " })"
    names = "".join(f"{p.name}, " for p in fixed) if operands else ""
    return names, f"tsr_made({body})" if row.result == "tsr_array" and row.how != "loose" else body


def macros(rows):
    """One macro for each way to call, named after the first function that is called so, and one line per function."""
    out, shapes, users = [], {}, {}
    for row in rows:
        shape = macro_shape(row)
        users.setdefault(shape, []).append(row.name)
    for row in rows:
        operands = row.last("operands")
        if operands and not row.fixed() and row.result == "tsr_array":
            out.append(f"#define tsr_{row.name}(...) TSR__CALL(tsr_{row.name}, {operands.least}, {operands.most}, "
                       "#__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)")
            continue
        shape = macro_shape(row)
        if shape not in shapes:
            shapes[shape] = f"TSR__AS_{row.name}"
            out.append(f"#define {shapes[shape]}(id, op, text, {shape[0]}...) {shape[1]}")
        names = shape[0]
        text = "#__VA_ARGS__" if row.parameters else '""'
        if names:
            text = "".join(f'#{name} ", " ' for name in names.split(", ") if name) + "#__VA_ARGS__"
        out.append(f"#define tsr_{row.name}({names}{'...' if row.parameters else ''}) TSR__DO({shapes[shape]}, "
                   f"tsr_{row.name}, {text}{', ' + names[:-2] if names else ''}"
                   f"{' __VA_OPT__(, ) __VA_ARGS__' if row.parameters else ''})")
    return out


@dataclass
class CppParts:
    """How a C++ function is declared, what it does first, and what it gives to the `_at` function."""
    template: str = ""
    parameters: list = field(default_factory=list)
    before: list = field(default_factory=list)
    given: list = field(default_factory=list)
    forwarded: list = field(default_factory=list)  # its parameters as arguments of another function that takes the same
    place: str = ""


def cpp_parts(row):
    """A function takes the place of the call beside its arguments, or with the first operand."""
    out = CppParts()
    for p in row.parameters:
        if p.kind == "operands":
            fixed = p.names[: p.least]
            out.parameters += [f"::tessera::operand {name}" for name in fixed]
            out.forwarded += fixed
            values = [f"{name}.value" for name in fixed]
            count = str(len(fixed))
            if p.most > p.least:
                out.template = "template <class... T> "
                out.parameters.append("const T &...more")
                out.forwarded.append("more...")
                values.append("::tessera::box(more)...")
                out.before.append(f"static_assert(sizeof...(T) <= {p.most - len(fixed)}, "
                                  f'"tsr_{row.name}: wrong number of arguments (takes {p.least} to {p.most})");')
                count = f"static_cast<int>(sizeof...(T)) + {len(fixed)}"
            out.before.append(f"const tsr_operand xs[] = {{{', '.join(values)}}};")
            out.given += [count, "xs"]
            out.place = out.place or f"{fixed[0]}.at"
        elif p.kind in LISTED and not LISTED[p.kind].cpp:
            kind, names = LISTED[p.kind], "abcdef"[:p.most]
            out.parameters += [f"{kind.type} {name} = {kind.none}" for name in names]
            out.forwarded += names
            out.before.append(f"const {kind.type} listed[] = {{{', '.join(names)}}};")
            out.given += [str(p.most), "listed"]
        elif p.kind in LISTED:
            kind = LISTED[p.kind]
            out.template = "template <class... T> "
            out.parameters.append("T... options")
            out.forwarded.append("options...")
            out.before += [f'static_assert(sizeof...(T) <= {p.most}, "tsr_{row.name}: at most {p.most} options");',
                           f"const {kind.type} listed[] = {{{kind.cpp}(options)..., {kind.none}}};"]
            out.given += ["static_cast<int>(sizeof...(T))", "listed"]
        elif p.kind == "options":
            names = [f"{'abcdef'[k]}" for k in range(len(p.names))]
            out.parameters += [f"::tessera::axes_arg {name} = ::tessera::all_axes()" for name in names]
            out.forwarded += names
            out.before.append(f"const tsr_axes options[] = {{{', '.join(f'{name}.value' for name in names)}}};")
            out.given += [str(len(names)), "options"]
        else:
            default = f" = {IN_CPP.get(p.default, p.default)}" if p.default else ""
            out.parameters.append(declare(p.type.cpp or p.type.at, p.name) + default)
            out.forwarded.append(p.name)
            out.given.append(p.type.unwrapped.replace("@", p.name))
            if p.type.cpp == "::tessera::operand" and not out.place:
                out.place = f"{p.name}.at"
    if not out.place:
        out.parameters.append("::tessera::place at = ::tessera::place()")
        out.forwarded.append("at")
        out.place = "at"
    return out


def cpp_overload(row):
    parts = cpp_parts(row)
    in_scope = row.how in ("read", "write")
    name = row.name if in_scope else f"tsr_{row.name}"
    call = f"tsr_{row.name}_at({', '.join([f'{parts.place}.record({chr(34)}tsr_{row.name}{chr(34)})'] + parts.given)})"
    may_be_unused = row.how or row.result in ("tsr_status", "void", "double", "tsr_memory_use", "tsr_facts",
                                              "tsr_function")
    prefix = parts.template + ("" if may_be_unused else "[[nodiscard]] ") + ("" if parts.template else "inline ")
    head = f"{prefix}{declare(row.result, name)}({', '.join(parts.parameters)})"
    end = f"{call}; ::tessera::check();" if row.result == "void" else f"return ::tessera::checked({call});"
    if row.name == "release":  # of destructors, too
        end = f"{call};"
    body = " ".join(parts.before + [end])
    if not in_scope:
        return [f"{head} {{ {body} }}", ""]
    writes = "true" if row.how == "write" else "false"
    return ["namespace tessera {", f"{head} {{ {body} }}", "} /* namespace tessera */",
            f"#define tsr_{row.name}(...) (::tessera::statement({writes}), ::tessera::{row.name}(__VA_ARGS__))", ""]


def header_text(header, rows):
    guard = f"TESSERA_GENERATED_{header.upper()}_H"
    generated = [row for row in rows if row.is_generated()]
    if not generated:
        return None
    out = [f"/* {SOURCE}",
           f" * Part of tessera/{header}.h, which is the manual and includes this file. */",
           f'#include "tessera/{header}.h"', "", f"#ifndef {guard}", f"#define {guard}", ""]
    if any(row.how in ("read", "write") for row in rows) and header != "lifetime":
        out += ['#include "tessera/lifetime.h"', ""]
    out += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    out += [at_prototype(row) for row in rows if row.is_generated() or row.name in ("arange", "item_c128")]
    out += ["", "#ifdef __cplusplus", "}", "", *[line for row in generated for line in cpp_overload(row)]]
    return "\n".join(out + ["#else", "", *macros(generated), "", "#endif", "", *other_names(generated), "",
                            "#endif"]) + "\n"


def other_names(rows):
    """NumPy's other names, which stand for the first in C and C++, also where no arguments follow."""
    return [f"#define tsr_{other} tsr_{row.name}" for row in rows for other in row.columns.get("also", "").split()
            if "." not in other]


# The functions behind the macros, for pointers and bindings.

def plain_text(header, rows):
    out = [f"/* {SOURCE}",
           f" * The functions behind the macros of tessera/{header}.h, for pointers, bindings and debuggers. */",
           '#include "tessera.h"', "",
           "#define SITE(name) static const tsr_location site = {.op = #name}", ""]
    for row in rows:
        given, before = ["&site"], [f"SITE(tsr_{row.name});"]
        for p in row.parameters:
            if p.kind == "operands":
                before.append("const tsr_operand xs[] = "
                              f"{{{', '.join(f'tsr_box_array({name})' for name in p.names)}}};")
                given += [str(len(p.names)), "xs"]
                if p.least < len(p.names):  # the last one may be none
                    given[-2] = f"{p.least} + tsr_ok({p.names[-1]})"
            elif p.kind == "options":
                given += ["1", "&options"]
            elif p.kind in LISTED:
                given += ["1", "&option"]
            else:
                given.append(p.type.boxed.replace("@", p.name))
        call = f"tsr_{row.name}_at({', '.join(given)});"
        out += [f"{row.result}(tsr_{row.name})({plain_parameters(row)}) {{ {' '.join(before)} "
                f"{call if row.result == 'void' else f'return {call}'} }}", ""]
    return "\n".join(out)


def takes_text(rows):
    out = [f"/* {SOURCE} The options of each function that has some. */",
           "#ifndef TSR_TAKES_H", "#define TSR_TAKES_H", "", '#include "array/core/options.h"', "", "enum {"]
    for row in rows:
        if options := row.last("options") or row.last("host"):
            out.append(f"tsr__takes_{row.name} = {' | '.join(f'TSR_TAKES_{name.upper()}' for name in options.names)},")
    return "\n".join(out + ["};", "", "#endif"]) + "\n"


# The text language.

def taken(text):
    """The parameters that are taken, by name: index and kind."""
    items = [item for item in split(text) if ":" in item and item[0] not in "-0"]
    return {item[2:].split("=")[0]: (k, item[0]) for k, item in enumerate(items)}


def text_value(p, k, of):
    """What parameter p gets of index k."""
    default = p.default or "0"
    values = {
        "operand": f"g->v[{k}][0]", "optional": f"tsr__given(g, {k}) ? g->v[{k}][0] : TSR_NONE",
        "number": f"g->v[{k}][0]", "array": f"tsr__given_array(where, g, {k})",
        "dims": f"tsr__given_dims(g, {k})", "axes": f"tsr__given_axes(g, {k})",
        "axis": f"tsr__given_int(g, {k}, {default})", "int": f"tsr__given_int(g, {k}, {default})",
        "int64_t": f"tsr__given_whole(g, {k}, {default})", "double": f"tsr__given_number(g, {k}, {default})",
        "bool": f"tsr__given_truth(g, {k}, {default})", "tsr_dtype": f"tsr__given_dtype(g, {default})",
        "const char *": f"g->string ? g->string : {default}", "arrays": "list(where, g)",
    }
    if p.kind not in values:
        sys.exit(f"api.table: the text language has no {p.kind} for {of}")
    return values[p.kind]


def is_composed_ufunc(row):
    """Is the row a function of points that is made of others, of two operands?"""
    return row.header == "composed" and "-:signature=" in row.columns.get("text", "") and row.result == "tsr_array"


def row_call(row, text):
    """The function that makes the call, in the text language and in Python."""
    by_name = taken(text)
    options = row.last("options")
    dtype = any(p.kind == "tsr_dtype" for p in row.parameters)
    dtype = dtype or (options and "dtype" in options.names)
    casts = not dtype and any(kind in "dD" for _, kind in by_name.values())
    in_order = [k for name, (k, kind) in by_name.items()
                if kind not in "dD" and not (options and name in OPTIONS.values())]
    before, given, results = [], ["where"], "2"
    for p in row.fixed():
        if p.kind == "tsr_array *":
            given.append("out")
            continue
        k = 0 if p.kind == "tsr_dtype" else in_order.pop(0)
        if p.kind == "arrays":
            results = f"g->n[{k}]"
        several = p.kind == "number" and dict(by_name.values())[k] == "q"
        given.append(f"tsr__given_numbers(where, g, {k})" if several else text_value(p, k, row.name))
    if casts:
        before += ["const tsr_operand x = cast_before(where, g);", "if (is_null(x)) return tsr_null();"]
        given[1] = "x"
    if options:
        values = [f"tsr_axes options = tsr__given_axes(g, {by_name['axis'][0]});"]
        for name in options.names[1:]:
            k = by_name[name][0]
            values += {"dtype": ["options.has_dtype = g->dtype >= 0;",
                                 "if (options.has_dtype) options.dtype = (unsigned char)g->dtype;"],
                       "keepdims": [f"options.keepdims = tsr__given_truth(g, {k}, false);"],
                       "ddof": [f"options.has_ddof = tsr__given(g, {k});",
                                f"options.ddof = tsr__given_number(g, {k}, 0);"],
                       "ord": [f"options.has_ord = tsr__given(g, {k});",
                               f"options.ord = tsr__given_number(g, {k}, 0);"],
                       "where": [f"options.has_where = tsr__given(g, {k});",
                                 f"if (options.has_where) options.where = g->v[{k}][0];"],
                       "initial": [f"options.has_initial = tsr__given(g, {k});",
                                   f"if (options.has_initial) options.initial = g->v[{k}][0];"],
                       "weights": [f"options.has_weights = tsr__given(g, {k});",
                                   f"if (options.has_weights) options.where = g->v[{k}][0];"],
                       "method": ["options.method = g->string;"]}[name]
        before += values
        given += ["1", "&options"]
    call = f"tsr_{row.name}_at({', '.join(given)})"
    result, more, of = ("tsr_array", "", f"return {call};")
    if casts:
        of = f"return cast_after(where, g, {call});"
    if row.result == "tsr_status":
        result, more, of = "int", ", tsr_array *out", f"return {call} < 0 ? 0 : {results};"
    if row.result == "bool":
        result = "bool"
    head = f"static {result} row_{row.name}(const tsr_location *where, const given *g{more})"
    return f"{head} {{ {' '.join(before)} {of} }}"


def text_texts(rows):
    calls, own_calls, table = [], [], ["static const tsr_text_function table[] = {"]
    names, others = [], []
    kinds = {"tsr_status": "calls", "bool": "tells", "int": "counts", "int64_t": "counts"}
    for row in rows:
        text = row.columns.get("text") or row.columns.get("method")
        if text:
            makes, call = row.columns.get("makes"), row.columns.get("call")
            if call:
                call = f"call_{call}"
            elif not makes or row.name == "transpose":
                (own_calls if is_composed_ufunc(row) else calls).extend([row_call(row, text), ""])
                call = f"row_{row.name}"
            fields = [f'"{row.name}"', f'"{text}"']
            fields += [".is_method = true"] if "method" in row.columns else []
            fields += [f".makes = TSR_TEXT_MAKES_{makes}"] if makes else []
            fields += [f".{kinds.get(row.result, 'call')} = {call}"] if call else []
            table.append(f"{{{', '.join(fields)}}},")
        if "op" in row.columns:
            names.append(f'[TSR_OP_{row.name.upper()}] = "{row.columns["op"]}",')
        for other in row.columns.get("also", "").split():
            others.append(f'{{"{other}", "{row.name}"}},')
    head = f"/* {SOURCE}\n * "
    return (head + "Part of array/text/functions.c and python/rows.c: the calls that rows make. */\n"
            + "\n".join(calls), head + "Part of functions.c: the table of functions. */\n"
            + "\n".join(own_calls + table + ["};"]) + "\n", head + "Part of words.c: the parameters of operations "
            "that\n * are no ufuncs of NumPy. */\nstatic const char *const op_rows[TSR_N_OPS] = {\n" + "\n".join(names)
            + "\n};\n", head + "Part of names.c: other names for functions. */\n"
                               "static const char *const other_names[][2] = {\n" +
            "\n".join(others) + "\n};\n")


# Pages.

def man_page(rows, described):
    def shown(row):
        out = []
        for p in row.parameters:
            out += {"operands": p.names + (["…"] if p.most > len(p.names) else []),
                    "options": ["options …"], **dict.fromkeys(LISTED, ["options …"])}.get(p.kind, [p.name or p.kind])
        return ", ".join(out)

    def plain(text):
        return text.replace("\\", "\\e").replace("…", "...")

    out = [f'.\\" {SOURCE}', ".Dd November 22, 2026", ".Dt TESSERA-INDEX 3", ".Os Tessera @VERSION@", ".Sh NAME",
           ".Nm tessera-index", ".Nd the functions of Tessera, by header", ".Sh SYNOPSIS", ".In tessera.h",
           ".Sh DESCRIPTION",
           "One line for each; its declaration in the header says what it takes, returns, costs and refuses."]
    header = ""
    for row in rows:
        if row.header != header:
            out += ([".El"] if header else []) + [f".Ss tessera/{row.header}.h", ".Bl -tag -width Ds"]
            header = row.header
        first = re.split(r"(?<=[\w)\]`])\.(?: |$)|[:,] tsr_\w+\(|; |: ", described[row.name])[0]
        out += [f".It tsr_{row.name}({plain(shown(row))})", f"\\&{plain(first)}."]
    return "\n".join(out + [".El", ".Sh SEE ALSO", ".Xr tessera 3"]) + "\n"


def operations(rows):
    """The elementwise rows are those of kernel/ops/ops.def, with their numbers of operands."""
    defined = defined_operations()
    ours = {row.name: (p.least, p.most) for row in rows if row.header in ELEMENTWISE for p in row.parameters}
    return [f"{name}: {ours.get(name)} operands in api.table or the headers, {defined.get(name)} in ops.def"
            for name in sorted({**defined, **ours}) if ours.get(name) != defined.get(name)]


def generated_files():
    rows = read_table()
    described, wrong = prose(rows)
    wrong += operations(rows)
    files = {}
    for header in dict.fromkeys(row.header for row in rows):
        own = [row for row in rows if row.header == header]
        if text := header_text(header, own):
            files[f"include/tessera/generated/{header}.h"] = text
            files[f"array/generated/plain_{header}.c"] = plain_text(header, [row for row in own if row.is_generated()])
    files["include/tessera/generated/cpp_operators.h"] = api_cpp.operators(SOURCE)
    files["include/tessera/generated/cpp_functions.h"] = api_cpp.owning(rows, cpp_parts, SOURCE)
    files["fortran/tessera.f90"] = api_fortran.module(rows, SOURCE)
    files["array/generated/takes.h"] = takes_text(rows)
    inc = [f"array/generated/{name}.inc" for name in ("row_calls", "text_rows", "text_names", "other_names")]
    files.update(zip(inc, text_texts(rows)))
    files.update(api_python.generated(rows, described, SOURCE, is_composed_ufunc))
    files["python/tessera/_core.pyi"] = python_stubs.stub(rows)
    files["docs/numpy.md"], letters, missing = numpy_page.page(rows, SOURCE)
    files["tools/numpy_names.json"] = numpy_page.names_text(letters)
    wrong += missing
    files["docs/man/tessera-index.3"] = man_page(rows, described)
    pages, lacking = api_man.pages(rows, SOURCE)
    files.update(pages)
    wrong += lacking
    return files, wrong


def formatted(path, text):
    if not path.endswith((".h", ".c", ".inc")):
        return text
    command = ["clang-format-14", "--style=file", f"--assume-filename={root / path}.h"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=root).stdout


def main():
    files, wrong = generated_files()
    for path, text in files.items():
        file = root / path
        if "--write" in sys.argv:
            file.parent.mkdir(parents=True, exist_ok=True)
            text = formatted(path, text)
            if not file.exists() or file.read_text() != text:
                file.write_text(text)
        elif not file.exists() or squeeze(file.read_text()) != squeeze(text):
            wrong.append(f"{path} is not what tools/api.table and the headers say: tools/api.py --write")
    for folder in ("include/tessera/generated", "array/generated", "python/generated"):
        wrong += [f"{folder}/{p.name} is written by nothing" for p in sorted((root / folder).glob("*"))
                  if f"{folder}/{p.name}" not in files]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{int(not wrong)} passed, {int(bool(wrong))} failed, 0 skipped")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
