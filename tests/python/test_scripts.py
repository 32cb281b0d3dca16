"""Programs to cuPyNumeric's interface (scripts/), through the shim: the same file with NumPy gives the same."""
import os
import pathlib
import subprocess
import sys
import warnings

import numpy
import tessera as np
from support import Case

HERE = pathlib.Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("[a-z]*.py"))
SMALL = {"stencil": (30, 8), "cfd": (17, 3), "jacobi": (40, 10), "cg": (24, 12), "gemm": (33, 3),
         "black_scholes": (500, 1), "einsum": (6, 1), "linreg": (80, 20), "logreg": (80, 20), "lstsq": (50, 1),
         "lstm": (8, 4), "scan": (200, 1)}


def results(script, module):
    text = script.read_text()
    space = {"__name__": "program"}
    exec(compile(text.replace("import cupynumeric as np", f"import {module} as np"), str(script), "exec"), space)
    return space["run"](*SMALL[script.stem])


class Scripts(Case):
    def setUp(self):
        sys.path.insert(0, str(HERE / "shim"))

    def tearDown(self):
        sys.path.remove(str(HERE / "shim"))

    def test_each_gives_what_it_gives_with_numpy(self):
        self.assertEqual([script.stem for script in SCRIPTS], sorted(SMALL))
        for script in SCRIPTS:
            with self.subTest(script.stem), warnings.catch_warnings():
                warnings.simplefilter("ignore", np.FallbackWarning)
                # The least squares of NumPy's, which Tessera lacks, take gathered arrays.
                with np.fallback("numpy" if script.stem == "lstsq" else None):
                    ours = results(script, "cupynumeric")
                theirs = results(script, "numpy")
                self.assertEqual(len(ours), len(theirs))
                for k, (x, a) in enumerate(zip(ours, theirs)):
                    single = numpy.asarray(a).dtype == "float32"
                    self.same(x, a, f"{script.stem} {k}", tolerance=1e-4 if single else 1e-9)

    def test_the_shim(self):
        import cupynumeric
        import cupynumeric.linalg
        from legate.timing import time
        self.assertIs(cupynumeric, np)
        self.assertIs(cupynumeric.linalg, np.linalg)
        first = time()
        np.sum(np.ones(1000))
        self.assertGreater(time("ns"), 1000 * first)
        with self.assertRaises(ValueError):
            time("h")

    def test_each_is_a_program(self):
        if np.n_ranks() > 1:
            self.skipTest("programs are started on one rank")
        env = {**os.environ, "LD_PRELOAD": os.environ.get("TEST_PRELOAD", "")}
        env["PYTHONPATH"] = os.pathsep.join([str(HERE / "shim"), env.get("PYTHONPATH", "")])
        for script in SCRIPTS:
            if script.stem == "lstsq":  # asks for a fallback
                continue
            with self.subTest(script.stem):
                n, i = SMALL[script.stem]
                done = subprocess.run([sys.executable, str(script), "-n", str(n), "-i", str(i)], capture_output=True,
                                      text=True, timeout=120, env=env)
                self.assertRegex(done.stdout, r"^Elapsed Time: [0-9.e-]+ ms, check [0-9.e+]+\n$", done.stderr)
