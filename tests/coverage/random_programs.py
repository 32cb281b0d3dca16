"""Every public function is drawn in the random array programs, or listed here with its reason.

Drawn are the rows of kernel/ops/ops.def (tests/random asserts so when it is compiled) and whatever tests/random calls.
A new function gets a node there, or a line here; a line about a function that is drawn, or that is no more, is wrong.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]

# Reason: functions without tsr_.
NOT_DRAWN = {
    "another function, which is drawn, with other arguments": """dstack hstack vstack fliplr flipud split split_indices
        repeat_counts percentile nanpercentile empty_like zeros_like ones_like full_like ipow""",
    "what it holds is open": "empty",
    "device_scope_open and its end, which are drawn": "device_scope",
    "waits for a truth of drawn operations": "allclose array_equal",
    "text of drawn calls, in tests/array/test_text_*.c and tests/fuzz": "eval exec slice site",
    "the end of a statement that other languages write, in tests/array/test_cpp.c": "statement_end_later",
    "how calls fail, in tests/array/test_errors.c": "errors_open errors_close",
    "no operation on arrays": """can_cast promote_types result_type size default_rng item_c128 last_error error_to_throw
        interrupt take_interrupt n_ranks time print printf options n_places memory_info version n_passes n_views
        shares_memory may_share_memory lies_in_order""",
    "calls of drawn functions alone, compared with NumPy in tests/python/numpy_calls.txt": """column_stack cross kron
        trace vecdot logaddexp2 float_power""",
    "a release at a time that differs between ranks, in tests/array/test_ranks.c": "release_later",
    "what the process or a rank does": "init init_comm finalize context_set_current local local_device local_end",
    "files, in tests/files and tests/array/test_files.c, test_xdmf.c":
        "load_npy save_npy save_png load_png picture panels progress xdmf_open xdmf_grid xdmf_write xdmf_close",
    "from_host and to_host, which are drawn, with other memory, in tests/array/test_host.c and test_host_tiles.c":
        "from_tiles from_dlpack to_dlpack facts_of describe",
    "what a binding says of a copy, in tests/python": "stand_for_view stands_for_view note_column_major",
    "a drawn call with data beside its arrays, in tests/array/test_task.c": "call_data",
    "a text for GPUs of tasks, which are drawn, in tests/array/test_task_cuda.c": "task_cuda kernel_raw",
    "drawn functions, applied to many elements, in tests/array/test_ufuncs.c": "ufunc_reduce ufunc_outer",
    "matmul, which is drawn, in place, in tests/array/test_matmul.c": "matmul_into",
    "views that other drawn views make, in tests/array": "broadcast_arrays",
}


def public_functions():
    found = set()
    for header in (root / "include" / "tessera").glob("*.h"):
        if header.name.startswith("cpp"):
            continue
        text = header.read_text()
        names = re.findall(r"TSR_API [^;{]*?\b(tsr_[a-z0-9_]+)\)?\s*\(", text)
        names += re.findall(r"#define (tsr_[a-z0-9_]+)\(", text)
        found.update(name.removeprefix("tsr_").removesuffix("_at") for name in names)
    return found


def drawn_functions():
    rows = re.findall(r"^TSR_OP\([A-Z0-9_]+, ([a-z0-9_]+),", (root / "kernel/ops/ops.def").read_text(), re.M)
    calls = set(rows)
    for source in (root / "tests/random").glob("*.c"):
        calls.update(re.findall(r"\btsr_([a-z0-9_]+?)(?:_at)?\b", source.read_text()))
    return calls


functions, drawn = public_functions(), drawn_functions()
listed = {name: reason for reason, names in NOT_DRAWN.items() for name in names.split()}
wrong = [f"tsr_{name} is neither drawn by tests/random nor listed" for name in sorted(functions - drawn - set(listed))]
wrong += [f"tsr_{name} is listed, but drawn" for name in sorted(set(listed) & drawn)]
wrong += [f"tsr_{name} is listed, but no public function" for name in sorted(set(listed) - functions)]
print(*wrong, sep="\n")
print(f"{len(functions & drawn)} of {len(functions)} public functions are drawn, {len(listed)} listed with a reason")
print(f"{int(not wrong)} passed, {int(bool(wrong))} failed, 0 skipped")
sys.exit(bool(wrong))
