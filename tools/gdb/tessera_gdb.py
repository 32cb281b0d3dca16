"""Tessera in gdb: arrays print as what they are, `tessera arrays` lists a rank's arrays, `tessera window` its
recorded operations. Reads memory only, calls nothing: works on a hung run and on a core file with symbols.

    (gdb) source tools/gdb/tessera_gdb.py
    (gdb) print u
    $1 = array (4096, 128) float32, made at heat.c:31 by tsr_zeros, stored
    (gdb) tessera arrays
    (gdb) tessera window

Both commands use the context of the selected thread (`thread 2` selects another rank of tsr_run_ranks), or
take one: `tessera arrays some_context_pointer`.

Try it:  gdb -batch -x tools/gdb/tessera_gdb.py -ex 'break tsr_finalize' -ex run -ex up -ex 'tessera arrays' PROGRAM
"""

import gdb

SLOT_CHUNK = 1024  # array/core/handles.c


def current_context():
    """The selected thread's tsr_context, or None."""
    try:
        context = gdb.parse_and_eval("tsr__current")  # array/core/context.c
    except gdb.error:
        return None
    return context.dereference() if int(context) else None


def text(pointer):
    return pointer.string(errors="replace") if int(pointer) else "?"


def enum_name(value, prefix):
    return str(value).replace(prefix, "").lower()


def dtype_name(value):
    return enum_name(value.cast(gdb.lookup_type("tsr_dtype")), "TSR_DTYPE_")


def shape_of(ndim, lengths):
    items = [str(int(lengths[k])) for k in range(int(ndim))]
    return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"


def place(where):
    """"heat.c:31 by tsr_zeros" of a tsr_location pointer."""
    if not int(where):
        return "an unknown place"
    return "%s:%d by %s" % (text(where["file"]), int(where["line"]), text(where["op"]))


def state(region):
    if region["poisoned"]:
        return "poisoned by an error"
    waiting = int(region["n_ops"])
    parts = ["stored" if int(region["storage"]) else "a recipe"]
    if waiting:
        parts.append("in %d recorded operation%s" % (waiting, "" if waiting == 1 else "s"))
    return ", ".join(parts)


def handle_text(handle):
    region = handle["region"].dereference()
    view = handle["view"]["view"]
    return "%s %s, made at %s, %s" % (
        shape_of(view["ndim"], view["shape"]),
        dtype_name(region["dtype"]),
        place(handle["made"]),
        state(region),
    )


def handle_at(context, index):
    return context["chunks"][index // SLOT_CHUNK][index % SLOT_CHUNK]


def array_text(handle):
    number = int(handle["id"])
    if number & 0xFFFFFFFF == 0:
        came_from = {0: "never made", 2: "released"}
        return "array (%s)" % came_from.get(number >> 32, "null handle")
    context = current_context()
    if context is None:
        return "array %#x (this thread has no context)" % number
    index, generation = number & 0xFFFFFFFF, number >> 32
    if index == 0 or index >= int(context["n_used"]):
        return "array %#x (not of this thread's context)" % number
    handle = handle_at(context, index)
    if int(handle["region"]) and int(handle["generation"]) == generation:
        return "array " + handle_text(handle)
    if int(handle["old_released"]):
        return "array %#x (released at %s)" % (number, place(handle["old_released"]))
    return "array %#x (released, or of another context)" % number


class ArrayPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return array_text(self.value)
        except gdb.error as error:  # no symbols of the library, no threads yet
            return "array %#x (%s)" % (int(self.value["id"]), error)


def find_printer(value):
    kind = value.type.strip_typedefs().unqualified()
    return ArrayPrinter(value) if kind.tag == "tsr_array" else None


class Tessera(gdb.Command):
    """Look into a Tessera program: tessera arrays, tessera window."""

    def __init__(self):
        super().__init__("tessera", gdb.COMMAND_DATA, prefix=True)


class ContextCommand(gdb.Command):
    def invoke(self, argument, from_tty):
        if argument.strip():
            context = gdb.parse_and_eval(argument).dereference()
        else:
            context = current_context()
        if context is None:
            raise gdb.GdbError("this thread has no context (tsr_init makes one), or the library has no symbols")
        self.show(context)


class Arrays(ContextCommand):
    """tessera arrays [CONTEXT]: the arrays that are alive, with the scope that each belongs to."""

    def __init__(self):
        super().__init__("tessera arrays", gdb.COMMAND_DATA)

    def show(self, context):
        world = context["world"]
        print("rank %d of %d: %d arrays" % (int(world["rank"]), int(world["size"]), int(context["n_arrays"])))
        for index in range(1, int(context["n_used"])):
            handle = handle_at(context, index)
            if not int(handle["region"]):
                continue
            scope = int(handle["scope"])
            owner = "held" if scope < 0 else "root" if scope == 0 else "scope %d" % scope
            print("  %4d  %-8s %s" % (index, owner, handle_text(handle)))


class Window(ContextCommand):
    """tessera window [CONTEXT]: the recorded operations that wait, oldest first."""

    def __init__(self):
        super().__init__("tessera window", gdb.COMMAND_DATA)

    def show(self, context):
        window = context["window"]
        print("%d operations recorded" % int(window["n_ops"]))
        for i in range(int(window["n_ops"])):
            op = window["ops"][i].dereference()
            name = enum_name(op["kind"].cast(gdb.lookup_type("tsr_op_kind")), "TSR_OPKIND_")
            if name == "map":
                name = enum_name(op["code"].cast(gdb.lookup_type("tsr_opcode")), "TSR_OP_")
            elif name == "reduce":
                name = enum_name(op["code"].cast(gdb.lookup_type("tsr_reduction")), "TSR_REDUCE_")
            out = op["out"].dereference()
            print(
                "  %4d  %-12s -> region %d %s %s, %s"
                % (
                    i,
                    name,
                    int(out["id"]),
                    shape_of(out["ndim"], out["shape"]),
                    dtype_name(out["dtype"]),
                    place(op["where"]),
                )
            )


gdb.pretty_printers.append(find_printer)
Tessera()
Arrays()
Window()
