"""Programs of science as they are written for NumPy (bench/kernels/peers): unmodified but for the import, they give the same."""
import pathlib
import sys
import types

import numpy
import tessera as np
from support import Case

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
