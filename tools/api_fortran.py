"""The Fortran module: fortran/tessera.f90.in with what follows from the rows of the table, as fortran/tessera.f90."""
import pathlib
import textwrap
from dataclasses import dataclass, field

root = pathlib.Path(__file__).resolve().parents[1]

OPERATORS = [("+", "add"), ("-", "subtract"), ("*", "multiply"), ("/", "divide"), ("**", "power"), ("==", "equal"),
             ("/=", "not_equal"), ("<", "less"), ("<=", "less_equal"), (">", "greater"), (">=", "greater_equal")]
NUMBERS = [("integer(int32)", "int32"), ("integer(int64)", "int64"), ("real(real32)", "float32"),
           ("real(real64)", "float64"), ("complex(real32)", "complex64"), ("complex(real64)", "complex128")]
BY_HAND = {"keep", "hold", "release", "replace", "slice", "slice_items", "eval", "exec", "arange", "shape", "from_host",
           "to_host"}
CONSTANTS = {"TSR_DTYPE_LIKE": "dtype_like", "TSR_SQUARE": "square", "TSR_ONLY_AXIS": "only_axis",
             "TSR_FLOAT64": "tsr_float64", "TSR_INT64": "tsr_int64", "true": ".true.", "false": ".false."}


@dataclass
class Function:
    """A row in Fortran: its interface in C, and its own arguments."""
    c: list = field(default_factory=list)  # declarations
    dummies: list = field(default_factory=list)  # (name, declaration)
    given: list = field(default_factory=list)
    out: bool = False
    text: str = ""  # an option whose text C reads by its address


def c_argument(f, declaration):
    f.c.append(declaration.replace("@", f"a{len(f.c)}"))


def constant(default):
    return CONSTANTS.get(default, default)


def add_parameter(f, p):
    """False: Fortran has no form of it."""
    name = p.name + "_" if p.name in ("data",) else p.name
    optional = ", optional" if p.default else ""
    kind = p.kind
    if kind == "operands":
        c_argument(f, "integer(c_int), value :: @")
        c_argument(f, "type(operand), intent(in) :: @(*)")
        if p.most > len(p.names) and len(p.names) == 1:
            f.dummies.append((p.names[0], f"type(tsr_array), intent(in) :: {p.names[0]}(:)"))
            f.given += [f"size({p.names[0]})", f"boxes({p.names[0]})"]
        else:
            names = p.names
            f.dummies += [(n, f"class(*), intent(in) :: {n}") for n in names]
            f.given += [str(len(names)), f"[{', '.join(f'box({n})' for n in names)}]"]
    elif kind == "options":
        c_argument(f, "integer(c_int), value :: @")
        c_argument(f, "type(axes_list), intent(in) :: @(*)")
        declared = {"axes": "integer, intent(in), optional :: axes(:)",
                    "keepdims": "logical, intent(in), optional :: keepdims",
                    "ddof": "class(*), intent(in), optional :: ddof", "ord": "class(*), intent(in), optional :: ord",
                    "where": "class(*), intent(in), optional :: where",
                    "initial": "class(*), intent(in), optional :: initial",
                    "dtype": "integer, intent(in), optional :: dtype"}
        declared["weights"] = "class(*), intent(in), optional :: weights"
        declared["method"] = "character(len=*), intent(in), optional :: method"
        f.dummies += [(n, declared[n]) for n in p.names]
        f.text = "method" if "method" in p.names else ""
        given = [f"{n}={n}" for n in p.names if n != "method"] + (["method=line"] if f.text else [])
        f.given += ["1", f"[axes_of({', '.join(given)})]"]
    elif kind == "drawing":
        c_argument(f, "integer(c_int), value :: @")
        c_argument(f, "type(drawing), intent(in) :: @(*)")
        f.dummies += [(n, f"class(*), intent(in), optional :: {n}") for n in ("vmin", "vmax")]
        f.dummies += [(n, f"integer, intent(in), optional :: {n}") for n in ("colours", "scale")]
        f.dummies += [("colorbar", "logical, intent(in), optional :: colorbar"),
                      ("title", "character(len=*), intent(in), optional :: title")]
        f.text = "title"
        f.given += ["n_drawing", "drawing_of(line, vmin, vmax, colours, scale, colorbar, title)"]
    elif kind == "padding":
        c_argument(f, "integer(c_int), value :: @")
        c_argument(f, "type(padding), intent(in) :: @(*)")
        f.dummies += [("stat_length", "integer, intent(in), optional :: stat_length(:)"),
                      ("reflect_type", "character(len=*), intent(in), optional :: reflect_type")]
        f.text = "reflect_type"
        f.given += ["n_padding", "padding_of(line, stat_length, reflect_type)"]
    elif kind == "optional":
        c_argument(f, "type(operand), value :: @")
        f.dummies.append((name, f"class(*), intent(in), optional :: {name}"))
        f.given.append(f"box_or_none({name})")
    elif kind in ("operand", "number", "whole", "scalar"):
        c_argument(f, "type(operand), value :: @")
        f.dummies.append((name, f"class(*), intent(in){optional} :: {name}"))
        f.given.append(f"box_or({name}, {p.default})" if p.default else f"box({name})")
    elif kind in ("array", "tsr_function"):
        c_argument(f, "integer(c_int64_t), value :: @")
        f.dummies.append((name, f"type({kind if kind != 'array' else 'tsr_array'}), intent(in) :: {name}"))
        f.given.append(f"{name}%id")
    elif kind == "dims":
        c_argument(f, "type(dims), value :: @")
        f.dummies.append((name, f"class(*), intent(in) :: {name}(:)"))
        f.given.append(f"shape_of({name})")
    elif kind == "axes":
        c_argument(f, "type(axes_list), value :: @")
        f.dummies.append((name, f"integer, intent(in){optional} :: {name}(:)"))
        f.given.append(f"axes_of({name})")
    elif kind in ("axis", "int", "tsr_dtype"):
        c_argument(f, "integer(c_int), value :: @")
        f.dummies.append((name, f"integer, intent(in){optional} :: {name}"))
        f.given.append(f"int_or({name}, {constant(p.default)})" if p.default else name)
    elif kind == "int64_t":
        c_argument(f, "integer(c_int64_t), value :: @")
        f.dummies.append((name, f"class(*), intent(in){optional} :: {name}"))
        default = constant(p.default)
        f.given.append(f"whole({name}, {default if default == 'square' else default + '_int64'})" if p.default
                       else f"whole({name})")
    elif kind == "double":
        c_argument(f, "real(c_double), value :: @")
        f.dummies.append((name, f"class(*), intent(in){optional} :: {name}"))
        default = p.default + ".0" if p.default.isdigit() else p.default
        f.given.append(f"number({name}, {default}_real64)" if default else f"number({name})")
    elif kind == "bool":
        c_argument(f, "logical(c_bool), value :: @")
        f.dummies.append((name, f"logical, intent(in){optional} :: {name}"))
        f.given.append(f"truth({name}, {constant(p.default)})" if p.default else f"truth({name})")
    elif kind == "const char *":
        c_argument(f, "character(kind=c_char), intent(in) :: @(*)")
        f.dummies.append((name, f"character(len=*), intent(in){optional} :: {name}"))
        quoted = p.default.replace('"', "'")
        f.given.append(f"text_or({name}, {quoted})" if p.default else f"trim({name}) // nul")
    elif kind == "tsr_task_function":
        c_argument(f, "type(c_funptr), value :: @")
        f.dummies.append((name, f"procedure(tsr_task_function) :: {name}"))
        f.given.append(f"c_funloc({name})")
    elif kind == "arrays":
        c_argument(f, "type(array_list), value :: @")
        f.dummies.append((name, f"type(tsr_array), intent(in), target :: {name}(:)"))
        f.given.append("list")
    elif kind == "tsr_rng *":
        c_argument(f, "type(tsr_rng), intent(inout) :: @")
        f.dummies.append((name, f"type(tsr_rng), intent(inout) :: {name}"))
        f.given.append(name)
    elif kind == "tsr_array *":
        c_argument(f, "integer(c_int64_t), intent(inout) :: @(*)")
        f.dummies.append((name, f"type(tsr_array), intent(inout) :: {name}(:)"))
        f.given.append("ids")
        f.out = True
    else:
        return False
    return True


RESULTS = {"tsr_array": "integer(c_int64_t)", "tsr_function": "integer(c_int64_t)", "tsr_status": "integer(c_int)",
           "double": "real(c_double)", "int64_t": "integer(c_int64_t)", "int": "integer(c_int)",
           "bool": "logical(c_bool)", "tsr_dtype": "integer(c_int)"}
OF_USER = {"tsr_array": "type(tsr_array)", "tsr_function": "type(tsr_function)", "double": "real(real64)",
           "int64_t": "integer(int64)", "int": "integer", "bool": "logical", "tsr_dtype": "integer"}


def function_of(row):
    """The row in Fortran, or None."""
    if row.name in BY_HAND or not row.is_generated() or row.result not in RESULTS:
        return None
    f = Function()
    c_argument(f, "type(c_ptr), value :: @")
    for p in row.parameters:
        if not add_parameter(f, p):
            return None
    f.dummies.sort(key=lambda d: "optional" in d[1])  # C's order, but for what may be left out
    return f


def wrapped(text, indent):
    """A statement over as many lines as it needs."""
    lines = textwrap.wrap(text, 116 - indent, break_long_words=False, break_on_hyphens=False)
    pad = " " * indent
    return [f"{pad}{'  ' if i else ''}{line}{' &' if i + 1 < len(lines) else ''}" for i, line in enumerate(lines)]


def abstract_of(key, name):
    result, declarations = key
    arguments = ", ".join(f"a{i}" for i in range(len(declarations)))
    out = wrapped(f"function {name}({arguments}) bind(c) result(r)", 4)
    out += ["      import"]
    out += [f"      {d}" for d in declarations]
    return out + [f"      {result} :: r", "    end function"]


def procedure(row, f):
    names = [n for n, _ in f.dummies]
    call = f"c_{row.name}({', '.join([f'site(n_{row.name})'] + f.given)})"
    is_call = row.result == "tsr_status"
    if is_call:
        names.append("status")
    words = f"subroutine tsr_{row.name}" if is_call else f"{OF_USER[row.result]} function tsr_{row.name}"
    out = wrapped(f"{words}({', '.join(names)}){'' if is_call else ' result(r)'}", 2)
    out += [f"    {declaration}" for _, declaration in f.dummies]
    if is_call:
        out.append("    integer, intent(out), optional :: status")
    lists = next((p.name for p in row.parameters if p.kind == "arrays"), None)
    outs = next((p.name for p in row.parameters if p.kind == "tsr_array *"), None)
    if lists:
        out += [f"    integer(c_int64_t), target :: of_list(size({lists}))", "    type(array_list) :: list"]
    if outs:
        out += [f"    integer(c_int64_t) :: ids(size({outs}))"]
        if is_call:
            out += ["    integer(c_int) :: got"]
    if f.text:
        out += ["    character(kind=c_char, len=:), allocatable, target :: line", f"    line = text_or({f.text}, '')"]
    if lists:
        out += [f"    of_list = {lists}%id", "    list = array_list(size(of_list), c_loc(of_list))"]
    if outs:
        out += [f"    ids = {outs}%id"] + wrapped(f"got = {call}", 4) + [f"    {outs}%id = ids",
                                                                         "    call settle(got, status)"]
    elif is_call:
        out += wrapped(f"call {'written' if row.how == 'write' else 'settle'}({call}, status)", 4)
    else:
        out += wrapped(f"r{'%id' if row.result in ('tsr_array', 'tsr_function') else ''} = {call}", 4)
    return out + [f"  end {'subroutine' if is_call else 'function'}"]


def operators():
    generics, functions = [], []
    for symbol, name in OPERATORS:
        specifics = [f"{name}_of_array"] + [f"{name}_of_{short}" for _, short in NUMBERS]
        if name == "subtract":
            specifics.append("minus_array")
        generics += [f"  interface operator({symbol})"] + wrapped(f"module procedure {', '.join(specifics)}",
                                                                  4) + ["  end interface"]
        for kind, short in [("type(tsr_array)", "array")] + NUMBERS:
            functions += [f"  type(tsr_array) function {name}_of_{short}(x, y) result(r)",
                          f"    {kind}, intent(in) :: x",
                          f"    {'class(*)' if short == 'array' else 'type(tsr_array)'}, intent(in) :: y",
                          f"    r = tsr_{name}(x, y)", "  end function"]
    functions += ["  type(tsr_array) function minus_array(x) result(r)", "    type(tsr_array), intent(in) :: x",
                  "    r = tsr_negative(x)", "  end function"]
    generics.append("  public :: " + ", ".join(f"operator({symbol})" for symbol, _ in OPERATORS))
    return generics[:-1] + wrapped(generics[-1].strip(), 2), functions


def host():
    """tsr_from_host and tsr_to_host, of arrays of any rank."""
    shorts = ", ".join
    generics = ["  interface tsr_from_host"] + wrapped("module procedure " + shorts(f"from_{s}" for _, s in NUMBERS),
                                                       4) + ["  end interface"]
    generics += ["  interface tsr_to_host"] + wrapped("module procedure " + shorts(f"to_{s}" for _, s in NUMBERS),
                                                      4) + ["  end interface"]
    functions = []
    for kind, short in NUMBERS:
        functions += [f"  type(tsr_array) function from_{short}(a) result(r)",
                      f"    {kind}, intent(in), target, contiguous :: a(..)",
                      f"    r = from_buffer(c_loc(a), tsr_{short}, shape(a, kind=int64))", "  end function",
                      f"  subroutine to_{short}(x, a, status)", "    class(*), intent(in) :: x",
                      f"    {kind}, intent(inout), target, contiguous :: a(..)",
                      "    integer, intent(out), optional :: status",
                      f"    call to_buffer(x, c_loc(a), tsr_{short}, shape(a, kind=int64), status)", "  end subroutine"]
    return generics, functions


def views():
    """tsr_view: pointers to the elements of a task's argument, of one to three axes."""
    ranks = range(1, 4)
    names = [f"view_{s}_{r}" for _, s in NUMBERS for r in ranks]
    functions = []
    for kind, short in NUMBERS:
        for rank in ranks:
            axes = range(1, rank + 1)
            section = ", ".join(f"at%first({f}):at%last({f}):at%step({f})" for f in axes)
            functions += [f"  recursive subroutine view_{short}_{rank}(argument, p)",
                          "    type(tsr_task_argument), intent(in) :: argument",
                          f"    {kind}, pointer, intent(out) :: p({','.join(':' * rank)})",
                          f"    {kind}, pointer :: all({','.join(':' * rank)})", "    type(place) :: at",
                          f"    at = place_of(argument, tsr_{short}, {rank}, storage_size(p, int64)/8)",
                          "    nullify (p)",
                          "    if (.not. at%ok) return", f"    call c_f_pointer(at%start, all, at%across(1:{rank}))"]
            functions += wrapped(f"p({', '.join(f'at%bounds({f}):' for f in axes)}) => all({section})",
                                 4) + ["  end subroutine"]
    return ["  interface tsr_view"] + wrapped("module procedure " + ", ".join(names),
                                              4) + ["  end interface"], functions


def module(rows, source):
    names, calls, public, functions, shapes = [], [], [], [], {}
    for row in rows:
        f = function_of(row)
        if not f:
            continue
        key = RESULTS[row.result], tuple(f.c)
        shape = shapes.setdefault(key, f"shape{len(shapes) + 1}")
        op = f"tsr_{row.name}"
        names.append(f"  character(kind=c_char, len={len(op) + 1}), target, save :: n_{row.name} = '{op}' // nul")
        calls.append(f"  procedure({shape}), bind(c, name='{op}_at') :: c_{row.name}")
        public.append(op)
        functions += procedure(row, f)
    of_operators, operator_functions = operators()
    of_host, host_functions = host()
    of_views, view_functions = views()
    parts = {"NAMES": names, "SHAPES": [line for key, name in shapes.items() for line in abstract_of(key, name)],
             "CALLS": calls, "GENERICS": of_operators + of_host + of_views, "PUBLIC": [],
             "FUNCTIONS": [""] + functions + operator_functions + host_functions + view_functions}
    for i in range(0, len(public), 40):  # a statement goes on over at most 39 lines in older standards
        parts["PUBLIC"] += wrapped("public :: " + ", ".join(public[i:i + 40]), 2)
    out = []
    for line in (root / "fortran" / "tessera.f90.in").read_text().splitlines():
        if line.startswith("!@"):
            out += parts[line.strip("!@")]
        else:
            out.append(line.replace("@SOURCE@", source))
    return "\n".join(out) + "\n"
