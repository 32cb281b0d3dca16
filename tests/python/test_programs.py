"""Programs of science as they are written for NumPy (bench/kernels/peers): unmodified but for the import, they give the
same."""
import os
import pathlib
import re
import subprocess
import sys
import types

import numpy
import tessera as np
from support import Case

HERE = pathlib.Path(__file__).parent
PEERS = pathlib.Path(__file__).parents[2] / "bench" / "kernels"
NAMES = sorted(path.stem for path in (PEERS / "peers").glob("*.py"))


def loaded(path, module):
    """A file of the benchmark's with `import numpy as np` become `import <module> as np`."""
    made = types.ModuleType(path.stem)
    made.__file__ = str(path)
    text = path.read_text()
    exec(compile(text.replace("import numpy as np", f"import {module} as np"), str(path), "exec"), made.__dict__)
    return made


def after(name, module, n_steps):
    """The arrays of a program after some steps."""
    sys.modules["peer"] = loaded(PEERS / "peer.py", module)
    try:
        program = loaded(PEERS / "peers" / f"{name}.py", module)
        state = program.start(program.SMALL)
        for i in range(n_steps):
            program.step(state, i)
        return state
    finally:
        del sys.modules["peer"]


class Programs(Case):
    def test_each_gives_what_it_gives_with_numpy(self):
        self.assertGreaterEqual(len(NAMES), 20)
        for name in NAMES:
            with self.subTest(name):
                ours, theirs = after(name, "tessera", 3), after(name, "numpy", 3)
                self.assertEqual(len(ours), len(theirs))
                for k, (x, a) in enumerate(zip(ours, theirs)):
                    self.same(x, a, f"{name} {k}", tolerance=1e-9)

    def test_named_values_fuse_as_in_c(self):
        """passes.py has the same calls as the C programs: both take the same passes over memory."""
        twins = pathlib.Path(np.__path__[0]).parents[1] / "bench" / "kernels"
        if np.n_ranks() > 1 or not twins.exists():
            self.skipTest("on several ranks" if np.n_ranks() > 1 else "the build has no program bench/kernels")
        env = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_")}
        env["LD_PRELOAD"] = env.get("TEST_PRELOAD", "")
        for name, passes in (("nbody", 2), ("cavity_flow", 32), ("channel_flow", 21), ("hdiff", 3)):
            told = []
            for command in ([sys.executable, HERE / "passes.py", name, "24", "40"], [twins, name, "24", "40", "40"]):
                out = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
                self.assertIn("passes=", out.stdout, out.stderr)
                told.append(float(re.search(r"passes=([0-9.]+)", out.stdout)[1]))
            self.assertEqual(told[0], told[1], name)
            self.assertLessEqual(told[0], passes, name)
