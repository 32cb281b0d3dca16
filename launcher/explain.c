/* The explanations, one per status code of tessera/base.h; a test checks that none is missing. */
#include "launcher/explain.h"

static const tsr_explanation explanations[] = {
    {"TSR0101", "an argument outside what the call accepts",
     "The message says what it got and what it takes. An integer scalar must fit the integer dtype "
     "that it meets: a C\n"
     "scalar is weak and never widens the array (NumPy's rule, NEP 50).",
     "  tsr_add(int32_array, 5000000000);",
     "  tsr_add(tsr_astype(int32_array, TSR_INT64), 5000000000);"},
    {"TSR0102", "a released, never made or foreign handle",
     "A result belongs to the innermost open scope and is released with it. Move what must live on "
     "to the enclosing scope\n"
     "with tsr_keep, or hold it with tsr_hold. Handles belong to one context.",
     "  tsr_array f(void) { TSR_SCOPE(); return tsr_add(a, b); }",
     "  tsr_array f(void) { TSR_SCOPE(); return tsr_keep(tsr_add(a, b)); }"},
    {"TSR0103", "scopes opened and closed out of order",
     "TSR_SCOPE() and tsr_device_scope() are declarations: they end with their block, also by "
     "break, continue, return and\n"
     "goto. longjmp past one does not end it; the scope around it does.",
     "", ""},
    {"TSR0201", "a dtype that the operation does not take",
     "As in NumPy, bools have no minus: use logical_not or logical_and with logical_not instead of "
     "negative and subtract.",
     "  tsr_subtract(mask, other_mask);", "  tsr_logical_and(mask, tsr_logical_not(other_mask));"},
    {"TSR0202", "an assignment that would lose kind",
     "Values are cast on assignment within their kind (NumPy's same_kind rule): float64 into "
     "float32 is fine, float into\n"
     "int or number into bool is not. Say that you mean it with tsr_astype.",
     "  tsr_assign(int_array, 0.5);",
     "  tsr_assign(int_array, tsr_astype(float_array, TSR_INT64));"},
    {"TSR0203", "shapes that do not broadcast",
     "Shapes are compared from the last axis backwards. Two lengths agree if they are equal or one "
     "of them is 1; a missing\n"
     "axis counts as 1.",
     "  tsr_add(a, b);                              /* (4096, 128) and (4096,) */",
     "  tsr_add(a, tsr_slice(b, \":, newaxis\"));     /* (4096, 128) and (4096, 1) */"},
    {"TSR0204", "a shape or a number of axes that does not fit",
     "An array has at most 8 axes; a read of one value needs an array of one element.",
     "  tsr_item_f64(row);", "  tsr_item_f64(tsr_slice(row, \"0\"));"},
    {"TSR0205", "an axis out of range or named twice",
     "Axes count from 0, or from -1 at the end; each may be named once.",
     "  tsr_sum(matrix, TSR_AXES(2));", "  tsr_sum(matrix, TSR_AXES(-1));"},
    {"TSR0206", "an index out of range",
     "An integer index must lie in [-n, n). Slice bounds are clipped as in Python and never fail.",
     "  tsr_slice(x, \"$\", n);", "  tsr_slice(x, \"$\", n - 1);"},
    {"TSR0207", "a write to a view that repeats elements, or to a copy that stands for a view",
     "A broadcast view shows one element many times; it can be read, not written.\n"
     "What tsr_reshape, tsr_ravel, tsr_real and tsr_imag copied where NumPy has a view cannot be\n"
     "written while the array itself lives: the write would be lost.",
     "  tsr_assign(tsr_broadcast_to(row, TSR_SHAPE(4, n)), 1.0);", "  tsr_assign(row, 1.0);"},
    {"TSR0301", "text that does not parse",
     "Slices are Python's, each $ taking one integer argument; expressions are Python's, with "
     "calls by NumPy's names. The\n"
     "caret shows where reading stopped.",
     "  tsr_slice(x, \"1:-1; 0\");", "  tsr_slice(x, \"1:-1, 0\");"},
    {"TSR0302", "an unknown or unused name in a text expression",
     "A name stands for the argument whose source text ends in it (s->dt is dt); $1 is the first "
     "argument. Every argument\n"
     "must be used.",
     "  tsr_exec(\"u = u + dt*v\", u, s->dt);", "  tsr_exec(\"u = u + dt*v\", u, s->dt, v);"},
    {"TSR0401", "a size that overflows or that no machine has",
     "The product of the lengths and the element's size must fit 63 bits.",
     "  tsr_zeros(TSR_SHAPE(1LL << 40, 1LL << 40));", ""},
    {"TSR0402", "out of memory, or over the agreed limit",
     "An array that all ranks together could not address (2^47 bytes each) is refused by the call "
     "that would make it.\n"
     "All ranks agree at the start on a limit per rank (TESSERA_MEMORY, or a share of the node). A "
     "window of operations\n"
     "that would go over it is refused before anything runs: what it would have made is lost, and "
     "what is computed or\n"
     "written from that, every other array keeps its value, and the program can release arrays and "
     "go on. With a directory for files (TESSERA_SPILL_DIR) there is no such limit: what memory "
     "has no "
     "room for is\n"
     "there. If the system itself refuses memory to one rank, all ranks get the same "
     "error at the next read.",
     "", ""},
    {"TSR0501", "an unknown setting or a value that it does not take",
     "`tessera info --config` lists all settings. An unknown TESSERA_ variable is a warning with "
     "the nearest name.",
     "  TESSERA_THREAD=4 ./prog", "  TESSERA_THREADS=4 ./prog"},
    {"TSR0502", "a file that cannot be read or written",
     "The message has the system's reason, or the byte at which a .npy file is not one. A file is "
     "written under a name of\n"
     "its own beside the one asked for and takes that name when it is whole: the directory must be "
     "there and writable, and\n"
     "one that all ranks see; what stood there before stays until then. Only regular files are "
     "read and replaced.",
     "", ""},
    {"TSR0503", "a device failed, and runs nothing any more",
     "The message has what the device's driver says and the operations that ran. Arrays on devices "
     "are lost on every rank;\n"
     "those that were in the host's memory can still be read, and nothing is computed any more. A "
     "kernel that failed is\n"
     "found by running the program under `compute-sanitizer`.",
     "", ""},
    {"TSR0601", "the MPI library reported an error, or is another one",
     "A program that mpirun started must be built with the same MPI; otherwise each process would "
     "be a rank of its own\n"
     "and the same job would run n times.",
     "", ""},
    {"TSR0602", "the ranks did not make the same calls",
     "Every rank runs the whole program and must record the same operations in the same order. The "
     "message names, per\n"
     "rank, the first call that differs. Random numbers, clocks and file contents that differ "
     "between ranks must come\n"
     "from rank 0.",
     "  if (tsr_rank() == 0) tsr_assign(u, 1.0);", "  tsr_assign(u, 1.0);"},
    {"TSR0603", "another rank failed",
     "Its error is in the text. What the failed operations would have made is lost on every rank; "
     "other arrays keep their\n"
     "values.",
     "", ""},
    {"TSR0701", "the C function of a user's task reported a failure",
     "The function that tsr_task was given returned another number than 0, which the message has "
     "with the task's name and the\n"
     "call. What the operations of that window wrote is lost on every rank; other arrays keep "
     "their "
     "values.",
     "", ""},
    {"TSR0901", "a defect of Tessera", "Please report the message together with the program.", "",
     ""},
};

int tsr__n_explanations(void)
{
  return (int)(sizeof explanations / sizeof explanations[0]);
}

const tsr_explanation *tsr__explanation(int i)
{
  return &explanations[i];
}
