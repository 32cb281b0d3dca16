"""The generated files of the Python module, python/generated: rows.inc (the table of functions), methods.inc (methods
of the array), operators.inc (slots of the array's type). tools/api.py writes them.
"""
import re

# The array's methods, of those that the table has.
METHODS = ("all any argmax argmin astype clip conj copy cumprod cumsum diagonal dot flatten max mean min prod ravel "
           "repeat reshape round squeeze std sum swapaxes trace transpose var").split()
# A name of Python's, where z.real = v and z.imag = v make the call.
NOT_IN_PYTHON = ("complex",)
# The rows that are methods of the functions of points.
OF_UFUNCS = "ufunc_"
ALSO_METHODS = {"conjugate": "conj"}

# Slot, operation, assignment; power, @ and divmod take more than two operands, or give two results.
OPERATORS = [("add", "+", "add", "iadd"), ("subtract", "-", "subtract", "isub"), ("multiply", "*", "multiply", "imul"),
             ("true_divide", "/", "divide", "idiv"), ("floor_divide", "//", "floor_divide", "ifloordiv"),
             ("remainder", "%", "remainder", "imod"), ("and", "&", "bitwise_and", "iand"),
             ("or", "|", "bitwise_or", "ior"), ("xor", "^", "bitwise_xor", "ixor"),
             ("lshift", "<<", "left_shift", "ilshift"), ("rshift", ">>", "right_shift", "irshift")]
UNARY = [("negative", "-", "negative"), ("positive", "+", "positive"), ("absolute", "abs", "absolute"),
         ("invert", "~", "invert")]

UFUNC_KEYWORDS = ("*, -:where=True, -:casting='same_kind', -:order='K', -:dtype=None, -:subok=True, -:signature=None")


def ufunc_parameters(operands):
    names = ["x"] if len(operands.names) == 1 else [f"x{k + 1}" for k in range(len(operands.names))]
    return ", ".join([f"x:{name}" for name in names] + ["/", "-:out=None", UFUNC_KEYWORDS])


def signature(name, parameters):
    """As inspect.signature reads it from a docstring."""
    parts = re.sub(r"\b[\w-]:(?=\w)|-:", "", re.sub(r"\bv:(\w+)", r"*\1", parameters))
    parts = re.sub(r"=float\b|=int\b", "=None", parts)
    if re.search(r"\bv:", parameters):  # what follows can be given by name only
        parts = parts.replace(", *,", ",")
    return f"{name}({parts})"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def first_sentence(text):
    return re.split(r"(?<=[\w)\]`])\.(?: |$)|[:,] tsr_\w+\(|; |: ", text)[0].replace("TSR_", "").replace("tsr_", "")


def table_rows(rows):
    """(row, parameters, how it is called) of the functions that the module has."""
    for row in rows:
        if row.name in NOT_IN_PYTHON:
            continue
        text = row.columns.get("text") or row.columns.get("method")
        operands = row.last("operands")
        if text:
            how = row.columns.get("call") or (row.name if "makes" in row.columns and row.name != "transpose" else "")
            if row.result in ("int", "int64_t"):
                continue
            yield row, text, how
        elif row.header in ("elementwise", "functions") and operands and len(row.parameters) == 1:
            yield row, row.columns.get("op") or ufunc_parameters(operands), "map"


def method_doc(name, parameters, text):
    """The docstring of a method, whose object is the row's first parameter."""
    rest = re.sub(r"^[\w-]:\w+(, /)?(, )?", "$self, ", parameters).removesuffix(", ")
    return signature(name, rest).replace("$self, /, ", "$self, ") + f"\n--\n\n{text}"


def calling_of(name, number):
    return (f"static PyObject *method_{name}(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names) "
            f"{{ return tpy_call(&tpy_rows[{number}], self, args, n, names); }}")


def method_of(name, doc, of=None):
    return f'{{"{name}", TPY_FAST(method_{of or name}), METH_FASTCALL | METH_KEYWORDS, {quoted(doc)}}},'


def generated(rows, described, source, is_composed_ufunc):
    calls, table, aliases, methods = [], [], [], []
    own = {row.name for row, _, _ in table_rows(rows)}
    for row, parameters, how in table_rows(rows):
        kind = {"tsr_status": "calls", "bool": "tells"}.get(row.result, "call")
        function = f"call_{how}" if how else f"row_{row.name}"
        if how == "map":
            kind, function = "map", f"tsr_{row.name}_at"
        if row.name.startswith(OF_UFUNCS):
            doc = method_doc(row.name.removeprefix(OF_UFUNCS), parameters, f"{first_sentence(described[row.name])}.")
        else:
            doc = f"{signature(row.name, parameters)}\n--\n\n{first_sentence(described[row.name])}."
        looks = ", .looks = true" if "alone" in row.columns else ""
        ufunc = ", .is_ufunc = true" if how == "map" and "op" not in row.columns else ""
        if kind == "calls" and "-:signature=" in parameters:
            ufunc = ", .is_ufunc = true, .is_composed = true"
        if is_composed_ufunc(row):
            calls += [f"static tsr_array map_{row.name}(const tsr_location *where, int n, const tsr_operand *xs) "
                      f"{{ (void)n; return tsr_{row.name}_at(where, xs[0], xs[1]); }}", ""]
            kind, function, ufunc = "map", f"map_{row.name}", ", .is_ufunc = true, .is_composed = true"
        if row.name.startswith(OF_UFUNCS):
            ufunc += ", .is_of_ufunc = true"
        table.append(f'{{"{row.name.removeprefix(OF_UFUNCS)}", {quoted(parameters)}, {quoted(doc)}, .{kind} = '
                     f'{function}{looks}{ufunc}}},')
        aliases += [f'{{"{other}", "{row.name}"}},' for other in row.columns.get("also", "").split()
                    if other not in own and "." not in other]
    numbers = {row.name: k for k, (row, _, _) in enumerate(table_rows(rows))}
    parameters = {row.name: text for row, text, _ in table_rows(rows)}
    enums = "enum { " + ", ".join(f"ROW_{name.upper()} = {numbers[name]}" for name in METHODS) + " };"
    calling = ["extern tpy_row tpy_rows[];", enums, ""]
    for name in METHODS:
        calling += [calling_of(name, f"ROW_{name.upper()}"), ""]
    for name, of in [(name, name) for name in METHODS] + list(ALSO_METHODS.items()):
        methods.append(method_of(name, method_doc(name, parameters[of], f"As tessera.{of}."), of))
    calling_ufuncs, ufunc_methods = ["extern tpy_row tpy_rows[];", ""], []
    of_ufuncs = [(row.name, row.name.removeprefix(OF_UFUNCS)) for row, _, _ in table_rows(rows)
                 if row.name.startswith(OF_UFUNCS)]
    for name, short in of_ufuncs:
        calling_ufuncs += [calling_of(short, numbers[name]), ""]
        doc = method_doc(short, parameters[name], f"{first_sentence(described[name])}.")
        ufunc_methods.append(method_of(short, doc))
    head = f"/* {source}\n * "
    operators, slots = [], []
    for slot, sign, name, assignment in OPERATORS:
        operators += [f"static PyObject *operator_{slot}(PyObject *a, PyObject *b) "
                      f'{{ return binary(a, b, "{sign}", tsr_{name}_at); }}', "",
                      f"static PyObject *operator_i{slot}(PyObject *a, PyObject *b) "
                      f'{{ return inplace(a, b, "{sign}=", tsr_{assignment}_at); }}', ""]
        slots += [f"{{Py_nb_{slot}, operator_{slot}}},", f"{{Py_nb_inplace_{slot}, operator_i{slot}}},"]
    for slot, sign, name in UNARY:
        operators += [f"static PyObject *operator_{slot}(PyObject *a) {{ return unary(a, \"{sign}\", tsr_{name}_at); "
                      f"}}", ""]
        slots.append(f"{{Py_nb_{slot}, operator_{slot}}},")
    folder = "python/generated"
    return {
        f"{folder}/rows.inc": head + "Part of rows.c: the functions, and other names for them. */\n" + "\n".join(
            calls + ["tpy_row tpy_rows[] = {"] + table + ["};", "", "static const char *const aliases[][2] = {"]
            + aliases +
            ["};"]) + "\n",
        f"{folder}/methods.inc": head + "Part of array.c: the methods that are rows of the table. */\n" + "\n".join(
            calling + ["#define ROW_METHODS \\", " \\\n".join(methods)]) + "\n",
        f"{folder}/ufunc_methods.inc": head + "Part of ufunc.c: the methods that are rows of the table. */\n"
        + "\n".join(
            calling_ufuncs + ["#define ROW_METHODS \\", " \\\n".join(ufunc_methods)]) + "\n",
        f"{folder}/operators.inc": head + "Part of operators.c: the slots of the array's type. */\n" + "\n".join(
            operators + ["#define OPERATOR_SLOTS \\", " \\\n".join(slots)]) + "\n",
    }
