"""Programs under mpirun: what is printed, an exception of one rank, ranks that do not make the same calls."""
import os
import shutil
import subprocess
import sys
import unittest

MPIRUN = [shutil.which("mpirun"), "--oversubscribe", "-n"]


def run(n, text):
    return subprocess.run([*MPIRUN, str(n), sys.executable, "-c", text], capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, env={**os.environ, "TESSERA_STALL_S": "20"})


class Launched(unittest.TestCase):
    def test_rank_0_prints(self):
        done = run(3, "import tessera as np\nprint('once', np.n_ranks())\nprint(np.arange(3))")
        self.assertEqual((done.returncode, done.stdout), (0, "once 3\n[0 1 2]\n"), done.stderr)

    def test_all_print_when_asked(self):
        done = run(2, "import tessera as np\nnp.output('all')\nprint('each', flush=True)\nnp.barrier()")
        self.assertEqual(done.stdout, "each\neach\n", done.stderr)

    def test_an_exception_of_one_rank_ends_the_job_with_its_traceback(self):
        for who in (0, 1):
            done = run(2, f"import tessera as np\nx = np.zeros(100000)\nif np.rank() == {who}: raise ValueError('only I')\n"
                          "print(float(np.sum(x)))")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("ValueError: only I", done.stderr)
            self.assertIn(f"rank {who} ends the job", done.stderr)

    def test_ranks_that_differ_get_an_error_with_the_line(self):
        done = run(2, "import tessera as np\nx = np.ones(100000)\ny = x + np.rank() * 1.0\nprint(float(np.sum(y)))")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("TSR0602", done.stderr)
        self.assertIn("<string>:3", done.stderr)
        self.assertIn("PYTHONHASHSEED=0", done.stderr)

    def test_a_release_of_one_rank_alone_gets_an_error(self):
        done = run(2, "import tessera as np\nx = np.ones(100000)\ny = x + 1\nif np.rank() == 1: del x\nprint(float(np.sum(y)))")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("TSR0602", done.stderr)


if __name__ == "__main__":
    unittest.main()
