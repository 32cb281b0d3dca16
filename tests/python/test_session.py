"""A process with Tessera in it: when it starts, threads, forks, the end, collected cycles, call sites."""
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading

import numpy
import tessera as np
from support import Case


def run(text, *options, arguments=(), stdin=None):
    env = {**os.environ, "LD_PRELOAD": os.environ.get("TEST_PRELOAD", "")}
    return subprocess.run([sys.executable, *options, "-c", text, *arguments], capture_output=True, text=True,
                          timeout=120, env=env, stdin=stdin)


# A task during which Ctrl-C comes `times` times.
PRESSED = """
#include "tessera/task.h"
#include <signal.h>
int pressed(const tsr_task_box *box)
{
  static int n;
  const int times = *(const int *)box->data;
  while (n < times) {
    n++;
    raise(SIGINT);
  }
  for (int64_t i = 0; i < box->shape[0]; i++)
    *(double *)((char *)box->out[0].data + i * box->out[0].stride_bytes[0]) = 7;
  return 0;
}
"""
INTERRUPTED = """
import ctypes, sys
import tessera as np
x = np.ones(3)
task = np.task("pressed", "float64 u", "float64 v", ctypes.CDLL(sys.argv[1]).pressed)
y = task(x, data=ctypes.c_int(int(sys.argv[2])))
try:
    np.flush()
except KeyboardInterrupt:
    print("interrupted")
print(y.tolist(), flush=True)
"""


NOTEBOOK = """
import ast, io, linecache, sys
shown, output = [], io.StringIO()
space = {"__name__": "__main__"}
def cell(number, text):
    name = f"/tmp/ipykernel_1/{number}.py"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    before, sys.stdout = sys.stdout, output
    try:
        exec(compile(tree, name, "exec"), space)
        if last:
            space["_"] = eval(compile(ast.Expression(last.value), name, "eval"), space)
            if space["_"] is not None:
                output.write(repr(space["_"]) + "|")
    except Exception as error:
        output.write(str(error).split(":")[0] + "|" if "TSR" in str(error) else type(error).__name__ + "|")
    finally:
        sys.stdout = before
cell(1, "import tessera as np\\nx = np.ones(3)\\nx")
cell(2, "x = np.arange(3.0)\\nx")
cell(3, "x + np.ones(4)")
cell(4, "x[7]")
cell(5, "@np.kernel\\ndef f(v, k=3):\\n    return k * v\\nf(x)")
cell(5, "@np.kernel\\ndef f(v, k=3):\\n    return (k + 1) * v\\nprint(f(x), end='|')")
cell(6, "y = x * 3\\ny[1:] += 3\\ny[1:2] = 6")
cell(6, "y")
print(output.getvalue())
"""


class Interrupts(Case):
    def run_interrupted(self, times, stdin):
        include = os.path.join(os.path.dirname(__file__), "..", "..", "include")
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, "task.c"), os.path.join(folder, "task.so")
            with open(source, "w") as file:
                file.write(PRESSED)
            subprocess.run(["cc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-I", include, source, "-o", library],
                           check=True, env={**os.environ, "LD_PRELOAD": ""})
            return run(INTERRUPTED, arguments=(library, str(times)), stdin=stdin)

    def test_an_interrupt_in_a_wait_is_told_and_answered_after_it(self):
        for times in (1, 3):
            done = self.run_interrupted(times, subprocess.DEVNULL)
            self.assertEqual((done.returncode, done.stdout), (0, "interrupted\n[7.0, 7.0, 7.0]\n"), done.stderr)
            self.assertEqual(done.stderr,
                             "\nTessera: the interrupt is answered when the operations that run have ended\n")

    def test_a_second_one_from_a_terminal_ends_the_program(self):
        terminal, end = os.openpty()
        try:
            done = self.run_interrupted(1, end)
            self.assertEqual((done.returncode, done.stdout), (0, "interrupted\n[7.0, 7.0, 7.0]\n"), done.stderr)
            done = self.run_interrupted(2, end)
            self.assertEqual((done.returncode, done.stdout), (-signal.SIGINT, ""), done.stderr)
            self.assertIn("once more ends the program", done.stderr)
        finally:
            os.close(terminal)
            os.close(end)


class Session(Case):
    def test_the_session_opens_at_the_first_use(self):
        done = run("import tessera, sys; assert not tessera._core.is_open(); assert 'numpy' not in sys.modules\n"
                   "x = tessera.zeros(3); assert tessera._core.is_open(); print(x.tolist())")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "[0.0, 0.0, 0.0]\n", ""))

    def test_a_fallback_without_numpy_says_what_to_install(self):
        done = run("import sys; sys.modules['numpy'] = None; import tessera as np\n"
                   "try:\n    np.fallback('numpy')\nexcept ImportError as error:\n    print(error)\n"
                   "print(np.arange(3))")
        self.assertEqual(done.stdout,
                         'fallback("numpy") needs NumPy, which this Python lacks: install it, pip install numpy\n'
                         "[0 1 2]\n", done.stderr)

    def test_the_end_within_a_call(self):
        """Code of the program, run while its objects are converted, ends the session: an error, no crash."""
        program = """
import tessera as np
class End:
    def __index__(self):
        np.finalize()
        return 0
    def __array__(self, dtype=None, copy=None):
        import numpy
        return numpy.full(3, self.__index__())
x, end = np.ones(3), End()
try:
    print(CALL)
except RuntimeError as e:
    print("RuntimeError:", e)
"""
        for call in ("np.zeros((end, 2))", "x.reshape(end)", "x + end", "np.add(x, end)", "x[end]",
                     "x.__setitem__(0, end)",
                     "np.sum(x, axis=end)", "np.split(x, [end, 2])", "x.__iadd__(end)", "np.stack([x, end])",
                     "np.asarray([end, x])",
                     "np.take(x, end)", "np.save('/dev/null', end)", "np.random.default_rng(1).random(end)",
                     "divmod(x, end)", "x.__imatmul__(end)", "x ** end"):
            done = run(program.replace("CALL", call))
            self.assertEqual((done.returncode, done.stderr), (0, ""), call)
            self.assertRegex(done.stdout, "RuntimeError: Tessera (was|has) ended", call)

    def test_the_end_by_garbage_that_a_write_collects(self):
        done = run("import gc\ngc.disable()\nimport tessera as np\n"
                   "class End:\n    def __del__(self):\n        np.finalize()\n"
                   "end = End()\nend.end, end.x = end, np.ones((4, 4))\ny = end.x.ravel()\ndel end\n"
                   "try:\n    y[0] = 5\nexcept RuntimeError as error:\n    print(error)")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("has ended", done.stdout)

    def test_the_end(self):
        done = run("import tessera as np\nx = np.zeros(3)\nnp.finalize()\ntry:\n  x + 1\n"
                   "except RuntimeError as e: print(e)\ndel x")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("has ended", done.stdout)

    def test_an_exception_is_told_and_the_status_is_1(self):
        done = run("import tessera as np\nx = np.zeros(3)\nraise ValueError('told')")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ValueError: told", done.stderr)

    def test_a_forked_process_gets_an_error(self):
        done = run("import os, tessera as np\nx = np.zeros(3)\npid = os.fork()\nif pid == 0:\n"
                   "  try:\n    x + 1\n  except RuntimeError as e:\n    os._exit(7 if 'forked' in str(e) else 8)\n"
                   "  os._exit(9)\nprint(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), x.tolist())")
        self.assertEqual((done.returncode, done.stdout), (0, "7 [0.0, 0.0, 0.0]\n"), done.stderr)

    def test_an_interrupt_in_a_process_that_another_thread_forked(self):
        """While the owner waits: the child waits for nothing."""
        done = run("import ctypes, os, signal, threading, time, tessera as np\n"
                   "waits, forked = threading.Event(), threading.Event()\ncodes = []\n"
                   "def fork():\n  waits.wait()\n  pid = os.fork()\n  if pid == 0:\n    try:\n"
                   "      os.kill(os.getpid(), signal.SIGINT)\n      time.sleep(60)\n    except KeyboardInterrupt:\n"
                   "      os._exit(7)\n    os._exit(8)\n"
                   "  codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n  forked.set()\n"
                   "def box(pointer):\n  waits.set()\n  forked.wait()\n  return 0\n"
                   "thread = threading.Thread(target=fork)\nthread.start()\n"
                   "kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)\n"
                   "np.task('slow', 'float64 x', 'float64 y', kind(box))(np.ones(3))\nthread.join()\nprint(codes)")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "[7]\n", ""))

    def test_another_thread_gets_an_error(self):
        caught = []

        def use():
            try:
                np.zeros(3)
            except RuntimeError as e:
                caught.append(str(e))

        np.zeros(1)
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        self.assertIn("thread", caught[0])

    def test_threads_that_open_it_at_once(self):
        done = run("import threading, tessera as np\nbarrier = threading.Barrier(8)\ntold = []\n"
                   "done = threading.Semaphore(0)\ndef use():\n  barrier.wait()\n  try:\n    np.init()\n"
                   "    told.append(0)\n    for _ in range(7): done.acquire()\n    told.append(np.zeros(3).tolist())\n"
                   "    np.finalize()\n  except RuntimeError as e:\n"
                   "    told.append('belongs to the thread' in str(e))\n    done.release()\n"
                   "threads = [threading.Thread(target=use) for _ in range(8)]\nfor t in threads: t.start()\n"
                   "for t in threads: t.join()\nprint(sorted(map(str, told)))")
        self.assertEqual((done.returncode, done.stdout),
                         (0, str(sorted(["0", "[0.0, 0.0, 0.0]"] + ["True"] * 7)) + "\n"), done.stderr)

    def test_an_array_may_die_in_another_thread(self):
        held = [np.arange(1000) * 2]

        def drop():
            held.clear()

        thread = threading.Thread(target=drop)
        thread.start()
        thread.join()
        self.same(np.arange(3) + 1, numpy.arange(3) + 1)

    def test_cycles_and_weak_references(self):
        import weakref
        x = np.zeros(3)
        ref = weakref.ref(x)
        box = [x]
        box.append(box)
        del x, box
        gc.collect()
        self.assertIsNone(ref())

    def test_two_operations_on_one_line_have_two_sites(self):
        x = np.zeros((2, 3)); y = x + 1; z = x * 2  # noqa: E702
        self.same(y - z, numpy.ones((2, 3)))

        def each(shape):
            return np.zeros(shape)[1:] + np.ones(shape)[:-1]

        for n in range(2, 40):  # a site sees another slice in each turn
            self.same(each(n), numpy.ones(n - 1))

    def test_code_that_is_made_anew(self):
        for k in range(50):
            space = {"np": np}
            exec(f"def f(x):\n  return x[{k % 5}:] + {k}", space)
            self.same(space["f"](np.arange(6)), numpy.arange(6)[k % 5:] + k)

    def test_the_program_in_the_readme(self):
        import io
        import pathlib
        import re
        from contextlib import redirect_stdout
        text = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
        program = re.search(r"```python\n(import tessera.*?)```", text,
                            re.S)[1].replace("1002", "34").replace("1000", "20")
        told = []
        for module in ("tessera", "numpy"):
            out = io.StringIO()
            with redirect_stdout(out):
                exec(program.replace("import tessera as", f"import {module} as"), {})
            told.append(float(out.getvalue().split()[1]))
        self.assertAlmostEqual(*told, places=12)
        self.assertGreater(told[0], 1)

    def test_many_arrays_come_and_go(self):
        kept = {}
        for i in range(20000):
            kept[i % 100] = np.zeros(4) + i
        self.assertEqual(kept[99].tolist(), [19999.0] * 4)
        self.assertEqual(float(sum(v[0] for v in kept.values())), float(sum(range(19900, 20000))))

    def test_values_that_pile_up_are_told(self):
        kept = run("import tessera as np\nx, kept = np.arange(3.0), []\nfor i in range(300):\n    y = x + i\n"
                   "    kept.append(y * 2)")
        self.assertEqual(kept.stderr.count("warning"), 1, kept.stderr)
        self.assertRegex(kept.stderr,
                         "warning: 1[0-9][0-9] arrays made at <string>:5 by [*] are alive\nhelp: a list, an attribute")
        for fewer in ("y = x + i", "x += x * i", "kept.append(np.zeros(3))", "kept.append(x[1:])"):
            made = run(f"import tessera as np\nx, kept = np.arange(3.0), []\nfor i in range(300):\n    {fewer}")
            self.assertEqual((made.returncode, made.stderr), (0, ""), fewer)

    def test_named_values_that_are_written_later(self):
        """A value keeps what it was made of, however late it is computed."""
        x = np.arange(5)
        y = x * 2
        z = y + x
        x += 100
        np.flush()
        y[0] = -1
        self.assertEqual((z.tolist(), y.tolist(), x.tolist()),
                         ([0, 3, 6, 9, 12], [-1, 2, 4, 6, 8], [100, 101, 102, 103, 104]))

    def test_sizes_that_no_machine_has(self):
        with self.assertRaises((ValueError, MemoryError)):
            np.zeros((1 << 40, 1 << 20)) + 1
        self.same(np.zeros(2) + 1, numpy.ones(2))

    def test_sums_of_what_is_never_stored(self):
        """More than the memory is computed, and far more refused at once."""
        done = run("import os\nos.environ['TESSERA_MEMORY'] = '1M'\nimport tessera as np\n"
                   "print(float(np.ones(10**7).sum()))\ntry:\n    np.zeros(10**13).sum()\n"
                   "except MemoryError as error:\n    print(error)\nprint(int(np.arange(3).sum()))")
        self.assertRegex(done.stdout,
                         r"\A10000000.0\n.*takes 80000000000000 bytes, over 1,000 times the memory of 1 process[^$]*\n3"
                         r"\n\Z",
                         done.stderr)

    def test_a_notebook(self):
        """Cells of code in one namespace, some of them anew, as IPython runs them: with sources in linecache, and its
        own output."""
        done = run(NOTEBOOK)
        self.assertEqual(done.stdout,
                         "array([1., 1., 1.])|array([0., 1., 2.])|error[TSR0203]|error[TSR0206]|array([0., 3., "
                         "6.])|[0. 4. 8.]|array([0., 6., 9.])|\n", done.stderr)

    def test_other_programs_in_the_process(self):
        self.assertEqual(np.n_ranks(), 1)
        self.assertGreaterEqual(np.time(), 0)
        np.init()
        np.barrier()
        np.output("all")
        np.output("first")
        with self.assertRaises(ValueError):
            np.output("some")
