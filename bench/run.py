"""Runs the benchmark cases: those of cases.py, and here those that are compared with a number instead of a program."""
import os
import subprocess
import sys
import tempfile

from cases import CASES, METG
from measure import CORES, Bench, line, measure


def limits(bench, name, command, pairs):
    """Several numbers of one program, each with the most that it may be, in microseconds."""
    results = [bench.run(command) for _ in range(bench.repeats)]
    verdicts = []
    for key, limit in pairs:
        ours = sorted(result[key] for result in results)[bench.repeats // 2]
        verdicts.append(line(f"{name}_{key[:-3]}" if key != "us" else name, 1, 1, ours, "limit", limit, 1))
    return verdicts


def record(bench):
    return limits(bench, "record", ["record"], [("op_us", 0.15), ("slice_us", 0.1), ("slice_dollar_us", 0.1)])


def flush(bench):
    return limits(bench, "flush", ["flush"], [("replay_us", 1), ("first_us", 3)])


def flush_tiled(bench):
    return limits(bench, "flush_tiled", ["flush", "tiled"], [("first_512_us", 3), ("first_1024_us", 3)])


def tiled_box(bench):
    """A box of a step that is tiled over time, beside its kernel."""
    return limits(bench, "tiled_box", ["box"], [("line_us", 0.15), ("sweep_us", 0.15)])


def tasks(bench):
    """A user's task: a repeated call, and a box of a plan that has not been seen before."""
    return limits(bench, "task", ["task"], [("call_us", 0.15), ("first_us", 3)])


def lists(bench):
    """Static lists beside a process that takes one core, against the deques beside it."""
    if CORES < 2:
        return []
    command, got = ["stencil_bench", 1000, 300, 100], {"all": [], "off": []}
    for _ in range(bench.repeats):
        for which, times in got.items():
            with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
                try:
                    times.append(bench.run(command, 2, 1, {"TESSERA_LISTS": which})["us"])
                finally:
                    busy.kill()
    lists_us, deques_us = (sorted(times)[bench.repeats // 2] for times in got.values())
    return [line("lists_busy", 2, 1, lists_us, "deques", deques_us, 1 / 1.1)]


def start(bench):
    return limits(bench, "start", ["start"], [("us", 50e3)])


def plan(bench):
    """An interior rank's planning: of 4,096 ranks against one of 16, in turn in one process."""
    results = [bench.run(["plan", 4, 64]) for _ in range(bench.repeats)]
    few, many = (sorted(result[key] for result in results)[bench.repeats // 2] for key in ("few_us", "many_us"))
    return [line("plan_4096", 1, 1, many, "plan_16", few, 0.95)]


def spill(bench):
    """Four times a device's memory, against copying the same bytes alone."""
    results = [bench.run(["spill", 64, 9]) for _ in range(bench.repeats)]
    ours, link = (sorted(result[key] for result in results)[bench.repeats // 2] for key in ("us", "link_us"))
    return [line("spill_check", 1, 1, ours, "copies", link, 0.7)]


def faces(bench):
    """A face from array to array between two ranks of a node, both ways, beside MPI_Isend and MPI_Irecv."""
    if CORES < 2 or not bench.exists(["face"]):
        return []
    results = [bench.run(["face"], 1, 2) for _ in range(bench.repeats)]
    verdicts = []
    for size, bar in ((8, 1), (8192, 1 / 0.6), (65536, 1 / 0.8)):
        ours, mpi = (sorted(result[f"{who}_{size}_us"] for result in results)[bench.repeats // 2]
                     for who in ("ours", "mpi"))
        verdicts.append(line(f"face_{size}", 1, 2, ours, "mpi", mpi, bar))
    return verdicts


def compiled(bench, name, n, **environment):
    """Each kernel compiled anew, in an empty cache."""
    def once():
        with tempfile.TemporaryDirectory() as cache:
            return bench.run(["compile", n], 1, 1, dict(environment, TESSERA_CACHE=cache))["us"]
    return [line(name, 1, 1, bench.median(once), "limit", 5e3, 1)]


def cold(bench):
    """A new program against the same one whose kernels are in the cache: whole processes."""
    command, threads = ["stencil_bench", 1000, 99, 1], min(2, CORES)
    walls = []
    for _ in range(bench.repeats):
        with tempfile.TemporaryDirectory() as cache:
            walls.append([bench.run(command, threads, 1, {"TESSERA_CACHE": cache})["wall"] for _ in range(2)])
    first, warm = (1e6 * sorted(wall[k] for wall in walls)[bench.repeats // 2] for k in range(2))
    return [line("cold_1000", threads, 1, first, "1.3*warm+150ms", 1.3 * warm + 150e3, 1)]


def memory_line(name, ours, peer, theirs, bar, n_threads):
    """Bytes instead of microseconds; the bar is the most that ours may be of theirs."""
    ratio = ours / theirs
    verdict = "ok" if ratio <= bar else "MISS"
    print(f"case {name} threads={n_threads} ranks=1 ours_bytes={ours:.0f} peer={peer} peer_bytes={theirs:.0f} "
          f"ratio={ratio:.3g} bar={bar} {verdict}", flush=True)
    return verdict


def messages(bench):
    """Messages per step of two ranks, tiled over time against untiled: at most an eighth."""
    got = bench.run(["messages", 4000, 96])
    verdict = "ok" if 8 * got["tiled"] <= got["untiled"] else "MISS"
    print(f"case messages_4000 threads=1 ranks=2 ours={got['tiled']:.4g} peer=untiled peers={got['untiled']:.4g} "
          f"bar=1/8 {verdict}", flush=True)
    return [verdict]


def memory(bench):
    threads = min(2, CORES)
    got = bench.run(["memory", "stencil", 8000, 4], threads)
    return [memory_line("memory_8000", got["peak_bytes"], "grid", got["grid_bytes"], 2.2, threads)]


def memory_tiled(bench):
    """Steps tiled over time need no more than those that run one by one."""
    threads = min(2, CORES)
    got = bench.run(["memory", "stencil", 8000, 96], threads)
    return [memory_line("tiled_memory_8000", got["peak_bytes"], "grid", got["grid_bytes"], 2.2, threads)]


def loop(bench):
    """A million steps of a small loop: what the process holds must not grow by more than a megabyte."""
    got = bench.run(["memory", "loop", 16, 1000000])
    return [memory_line("loop_1000000", max(got["growth_bytes"], 0), "limit", float(1 << 20), 1, 1)]


def measured(cases):
    return [(case.name, lambda bench, case=case: measure(bench, case)) for case in cases]


def all_cases():
    return measured(CASES) + [
        ("record", record), ("flush", flush), ("flush_tiled", flush_tiled), ("tiled_box", tiled_box),
        ("plan_4096", plan), ("spill_check", spill), ("start", start), ("task", tasks), ("lists_busy", lists),
        ("messages_4000", messages), ("face", faces), ("cold_1000", cold),
        ("compile_200", lambda bench: compiled(bench, "compile_200", 200, TESSERA_JIT_AFTER="0")),
        ("compile_eager_200", lambda bench: compiled(bench, "compile_eager_200", 200, TESSERA_JIT="eager")),
        ("memory_8000", memory), ("tiled_memory_8000", memory_tiled), ("loop_1000000", loop)]


def main():
    build, only = sys.argv[1], sys.argv[2]
    bench = Bench(build, int(os.environ.get("BENCH_REPEATS", "5")))
    cases = measured(METG) if only.startswith("metg") else all_cases()
    chosen = [case for name, case in cases if name == only] or [case for name, case in cases if name.startswith(only)]
    if not chosen:
        raise SystemExit(f"no case starts with {only}: " + ", ".join(name for name, _ in cases))
    verdicts = [verdict for case in chosen for verdict in case(bench)]
    return 1 if "MISS" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
