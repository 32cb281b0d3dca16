"""Programs under mpirun: what is printed, an exception of one rank, ranks that do not make the same calls."""
import os
import shutil
import subprocess
import sys
import unittest

from support import needed

MPIRUN = [shutil.which("mpirun"), "--oversubscribe", "-n"]


def run(n, text, **settings):
    return subprocess.run([*MPIRUN, str(n), sys.executable, "-c", text], capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, env={**os.environ, "TESSERA_STALL_S": "20", **settings})


class Launched(unittest.TestCase):
    def test_rank_0_prints(self):
        done = run(3, "import tessera as np\nprint('once', np.n_ranks())\nprint(np.arange(3))")
        self.assertEqual((done.returncode, done.stdout), (0, "once 3\n[0 1 2]\n"), done.stderr)

    def test_all_print_when_asked(self):
        done = run(2, "import tessera as np\nnp.output('all')\nprint('each', flush=True)\nnp.barrier()")
        self.assertEqual(done.stdout, "each\neach\n", done.stderr)

    def test_lines_of_ranks_that_do_not_buffer_stay_whole(self):
        done = run(3,
                   "import tessera as np\nnp.output('all')\nfor n in range(200): print('line', n, 'of', 'all')\n"
                   "np.barrier()",
                   PYTHONUNBUFFERED="1")
        self.assertEqual(sorted(set(done.stdout.splitlines())), sorted(f"line {n} of all" for n in range(200)),
                         done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 600)

    def test_an_exception_of_one_rank_ends_the_job_with_its_traceback(self):
        for who in (0, 1):
            done = run(2,
                       "import tessera as np\nx = np.zeros(100000)\n"
                       f"if np.rank() == {who}: raise ValueError('only I')\nprint(float(np.sum(x)))")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("ValueError: only I", done.stderr)
            self.assertIn(f"rank {who} ends the job", done.stderr)

    def test_exceptions_of_several_ranks_do_not_mix(self):
        done = run(2,
                   "import tessera as np\nnp.init()\ndef deep(n):\n  if n == 0: raise ValueError(f'of {np.rank()}')\n"
                   "  deep(n - 1)\ndeep(20)")
        self.assertNotEqual(done.returncode, 0)
        said = [line for line in done.stderr.splitlines() if line.startswith("rank ")]
        for who in (0, 1):
            mine = [line[8:] for line in said if line.startswith(f"rank {who}: ")]
            if mine:  # the launcher may end the other rank before it fails
                self.assertEqual(mine[0], f"tessera: rank {who} ends the job:")
                self.assertEqual(mine[-1], f"ValueError: of {who}")
                first = said.index(f"rank {who}: {mine[0]}")
                self.assertEqual(said[first:first + len(mine)], [f"rank {who}: {line}" for line in mine])
        self.assertIn("Traceback", done.stderr)
        self.assertTrue(said)

    def test_ranks_that_differ_get_an_error_with_the_line(self):
        done = run(2, "import tessera as np\nx = np.ones(100000)\ny = x + np.rank() * 1.0\nprint(float(np.sum(y)))")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("error[TSR0602]"), 1, done.stderr)  # of all ranks, the first says it
        self.assertIn("only a number differs, behind `from (100000,) float64, `: 0 on rank 0, 1 on rank 1", done.stderr)
        self.assertIn("<string>:3", done.stderr)

    def test_the_seed_of_hashes_is_blamed_where_it_differs(self):
        text = ("import os\nos.execve(sys.executable, [sys.executable, '-c', text], "
                "{**os.environ, 'PYTHONHASHSEED': seed})")
        for seed, is_blamed in (("'3'", False), ("os.environ['OMPI_COMM_WORLD_RANK']", True)):
            done = run(2,
                       "import sys\ntext = 'import tessera as np; print(float(np.sum(np.ones(100000) + "
                       "np.rank())))'\n" +
                       text.replace("seed}", seed + "}"))
            self.assertIn("TSR0602", done.stderr)
            self.assertEqual("PYTHONHASHSEED=0" in done.stderr, is_blamed, done.stderr)

    def test_a_release_of_one_rank_alone_gets_an_error(self):
        done = run(2,
                   "import tessera as np\nx = np.ones(100000)\ny = x + 1\nif np.rank() == 1: del x\n"
                   "print(float(np.sum(y)))")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("TSR0602", done.stderr)
        self.assertIn("rank 1: del() at <string>:4 in <module>(): (100000,) float64", done.stderr)

    def test_a_release_of_one_rank_before_memory_ends(self):
        """The rank that keeps the array says what may be the reason; where the ranks wait before, the error names the
        line."""
        text = ("import tessera as np\nz = np.full(4000000, 1.0)\nnp.flush()\nif np.rank() == 0: del z\n{}\n"
                "y = np.full(5500000, 2.0)\nw = y + y\nnp.flush()\nprint(float(w.sum()))")
        done = run(2, text.format(""), TESSERA_MEMORY="50M")
        self.assertIn("TSR0402", done.stderr)
        self.assertIn("tessera.barrier() before the call that failed names the line where the ranks parted",
                      done.stderr)
        done = run(2, text.format("np.barrier()"), TESSERA_MEMORY="50M")
        self.assertIn("rank 0: del() at <string>:4 in <module>(): (4000000,) float64", done.stderr)

    def test_arrays_that_die_at_other_times_on_other_ranks_are_released(self):
        """By a thread, by a collection of one rank alone, and in a block that says so: 60 arrays of 8 MB where 150 MB
        may be had."""
        for way in ("t = threading.Thread(target=box.clear); t.start(); t.join()",
                    "box.append(box); del box\n  if np.rank() == n % 2: gc.collect()",
                    "late.append(box); del box\n  with np.unaligned(): del late[:-3 if np.rank() else None]"):
            done = run(2,
                       "import gc, os, threading\nos.environ['TESSERA_MEMORY'] = '150M'\nimport tessera as np\n"
                       "late = []\nfor n in range(60):\n  box = [np.ones(1000000) * n]\n  np.flush()\n  " + way
                          + "\n  float(np.sum(np.ones(3)))\n"
                          "print(float(np.sum(np.ones(100000))))")
            self.assertEqual((done.returncode, done.stdout), (0, "100000.0\n"), way + done.stderr)

    def test_an_interrupt_of_one_rank_is_answered_by_all_at_the_next_read(self):
        text = ("import tessera as np, os, signal\nx = np.zeros(100000)\ntry:\n  for n in range(100):\n    x += 1\n"
                "    if n == 7 and np.rank() == {who}: os.kill(os.getpid(), signal.SIGINT)\n"
                "    if n % 5 == 4: float(np.sum(x))\nexcept KeyboardInterrupt:\n  np.output('all')\n"
                "  print('stopped at', n, float(x[5]), flush=True)\n")
        for who in (0, 2):
            done = run(3, text.format(who=who))
            self.assertEqual((done.returncode, done.stdout), (0, 3 * "stopped at 9 10.0\n"), done.stderr)
            self.assertEqual(done.stderr.count("all ranks answer the interrupt at their next read"), 1, done.stderr)

    def test_an_interrupt_of_all_is_answered_once(self):
        done = run(2,
                   "import tessera as np, os, signal, threading, time\nx = np.zeros(100000)\nfloat(np.sum(x))\n"
                   "how = 'never'\nthreading.Timer(0.3 + 3 * np.rank(), lambda: os.kill(os.getpid(), "
                   "signal.SIGINT)).start()\ntry:\n  try:\n    for n in range(100000):\n      x += 1\n"
                   "      float(np.sum(x))\n  except KeyboardInterrupt:\n    how = 'once'\n"
                   "    for n in range(400):\n      float(np.sum(x))\n      time.sleep(0.01)\n"
                   "except KeyboardInterrupt:\n  how = 'twice'\nnp.output('all')\nprint(how)\n")
        self.assertEqual((done.returncode, done.stdout), (0, "once\nonce\n"), done.stderr)

    def test_a_forked_child_answers_an_interrupt_itself(self):
        done = run(2,
                   "import tessera as np, os, signal, time\nx = np.zeros(100000)\nfloat(np.sum(x))\n"
                   "if np.rank() == 1:\n  ready, tells = os.pipe()\n  child = os.fork()\n  if not child:\n    try:\n"
                   "      os.write(tells, b'.')\n      time.sleep(60)\n    except KeyboardInterrupt:\n"
                   "      os._exit(7)\n    os._exit(1)\n  os.read(ready, 1)\n  os.kill(child, signal.SIGINT)\n"
                   "  assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\nprint(float(np.sum(x)))")
        self.assertEqual((done.returncode, done.stdout), (0, "0.0\n"), done.stderr)

    def test_a_second_interrupt_before_the_next_read_ends_the_job(self):
        done = run(2, "import tessera as np, os, signal\nx = np.zeros(100000)\nif np.rank() == 1:\n"
                      "  for n in range(2): os.kill(os.getpid(), signal.SIGINT)\nprint(float(np.sum(x)))")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("KeyboardInterrupt", done.stderr)
        self.assertIn("rank 1 ends the job", done.stderr)

    def test_a_rank_may_look_at_arrays_alone(self):
        done = run(2,
                   "import tessera as np\nx = np.ones((400, 400))\nfor k in range(300):\n  y = x * 0.5\n  z = y + 1\n"
                   "  if np.rank() == 0:\n    np.progress(k, 300), x.describe(), np.shape(x), np.ndim(x), "
                   "np.size(x)\n    np.asarray(x), np.iscomplexobj(x), np.isrealobj(x), np.shares_memory(x, y), "
                   "np.may_share_memory(x, y)\n    x.shape, x.dtype, x.nbytes, len(x), repr(x.dtype)\n"
                   "  x[1:-1] = 0.25 * (z[:-2] + z[2:])\nprint('done', float(np.sum(x)) > 0)")
        self.assertEqual((done.returncode, done.stdout), (0, "done True\n"), done.stderr)

    def test_a_rank_may_ask_which_one_it_is(self):
        done = run(2,
                   "import tessera as np\nx = np.ones(100000)\nfor k in range(300):\n"
                   "  if k % 7 == 0 and np.rank() == 1: np.n_ranks()\n  y = x + 1\n  y[0] = 3\n"
                   "print(float(np.sum(y)))")
        self.assertEqual((done.returncode, done.stdout), (0, "200001.0\n"), done.stderr)

    def test_a_communicator_of_mpi4py_in_any_order(self):
        if subprocess.run([sys.executable, "-c", "import mpi4py.MPI"], capture_output=True).returncode != 0:
            needed(self, "mpi4py")
        ours, theirs = "import tessera as np", "from mpi4py import MPI"
        rest = ("comm = MPI.COMM_WORLD{split}\n{joins}\nx = np.arange(100000.)\n"
                "is_same = (np.rank(), np.n_ranks(), float(np.sum(x))) == (comm.rank, {n}, 4999950000.0)\n"
                "print(MPI.COMM_WORLD.allreduce(is_same))\n")
        for first, second in ((ours, theirs), (theirs, ours)):
            for split, joins, n in (("", "np.init(comm)", 4), ("", "", 4),
                                    (".Split(MPI.COMM_WORLD.rank % 2)", "np.init(comm)", 2)):
                done = run(4, f"{first}\n{second}\n" + rest.format(split=split, joins=joins, n=n))
                self.assertEqual((done.returncode, done.stdout), (0, "4\n"), done.stderr)
        for text, words in (("x = np.zeros(3)\nnp.init(MPI.COMM_WORLD)", "has started already"),
                            ("np.init(3)", "communicator of mpi4py"), ("np.init(MPI.COMM_NULL)", "within one group")):
            done = run(2, f"{ours}\n{theirs}\n{text}")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
