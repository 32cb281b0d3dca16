"""C++'s operators, and the functions of namespace tessera whose results own what they give."""

OPERATORS = [
    ("+", "add"), ("-", "subtract"), ("*", "multiply"), ("/", "divide"), ("%", "remainder"), ("==", "equal"),
    ("!=", "not_equal"), ("<", "less"), ("<=", "less_equal"), (">", "greater"), (">=", "greater_equal"),
    ("&", "bitwise_and"), ("|", "bitwise_or"), ("^", "bitwise_xor"), ("<<", "left_shift"), (">>", "right_shift"),
]
UNARY = [("-", "negative"), ("~", "invert")]
IN_PLACE = [("+", "iadd"), ("-", "isub"), ("*", "imul"), ("/", "idiv"), ("%", "imod"), ("&", "iand"), ("|", "ior"),
            ("^", "ixor"), ("<<", "ilshift"), (">>", "irshift")]
OF_HANDLES = [("handle_operand", "handle_operand")]
OF_ARRAYS = [("array_operand", "handle_operand"), ("handle_operand", "array_operand"),
             ("array_operand", "array_operand")]


def operator(symbol, name, result, kinds):
    letters = "xy"[: len(kinds)]
    parameters = ", ".join(f"::tessera::{kind} {letter}" for kind, letter in zip(kinds, letters))
    values = ", ".join(f"{letter}.value" for letter in letters)
    call = f'::tessera::checked(tsr_{name}_at(x.at.record("operator{symbol}"), {len(kinds)}, xs))'
    return [f"[[nodiscard]] inline {result} operator{symbol}({parameters})",
            f"{{ const tsr_operand xs[] = {{{values}}}; return "
            f"{call if result == 'tsr_array' else f'array({call}, x.at)'}; }}", ""]


def operators(source):
    out = [f"/* {source}",
           " * Part of tessera/cpp_array.h: the operators of handles, whose results are handles, and those with an "
           "owning",
           " * array, whose results own. The built-in operators keep numbers among themselves. */",
           '#include "tessera/cpp_array.h"', "", "#ifndef TESSERA_GENERATED_CPP_OPERATORS_H",
           "#define TESSERA_GENERATED_CPP_OPERATORS_H", "#ifdef __cplusplus", ""]
    for symbol, name in OPERATORS:
        out += operator(symbol, name, "tsr_array", OF_HANDLES[0])
    for symbol, name in UNARY:
        out += operator(symbol, name, "tsr_array", ["handle_operand"])
    out += ["namespace tessera {", ""]
    for symbol, name in OPERATORS:
        for kinds in OF_ARRAYS:
            out += operator(symbol, name, "array", kinds)
    for symbol, name in UNARY:
        out += operator(symbol, name, "array", ["array_operand"])
    for symbol, name in IN_PLACE:
        out += [f"inline const array &operator{symbol}=(const array &x, operand y)",
                f'{{ written(tsr_{name}_at(y.at.record("operator{symbol}="), x, y.value)); return x; }}', ""]
    return "\n".join(out + ["", "} /* namespace tessera */", "#endif", "#endif"]) + "\n"


def owning(rows, cpp_parts, source):
    """tessera::sqrt(x) for each tsr_sqrt(x) that gives an array."""
    out = [f"/* {source}",
           " * Part of tessera/cpp_array.h: the functions that give an array, without the prefix: their results own. "
           "*/",
           '#include "tessera/cpp_array.h"', "", "#ifndef TESSERA_GENERATED_CPP_FUNCTIONS_H",
           "#define TESSERA_GENERATED_CPP_FUNCTIONS_H", "#ifdef __cplusplus", "namespace tessera {", ""]
    for row in rows:
        if row.result != "tsr_array" or not row.is_generated() or row.header == "lifetime":
            continue
        parts = cpp_parts(row)
        out += [f"{parts.template}[[nodiscard]] {'' if parts.template else 'inline '}array "
                f"{row.name}({', '.join(parts.parameters)})",
                f"{{ return array(tsr_{row.name}({', '.join(parts.forwarded)}), {parts.place}); }}"]
    out = [line.replace("::tessera::", "") for line in out]
    return "\n".join(out + ["", "} /* namespace tessera */", "#endif", "#endif"]) + "\n"
