"""The name under which cuPyNumeric's programs import their arrays: `import cupynumeric as np` is `import tessera as
np`.

A folder of its own, which nothing installs: `PYTHONPATH=tests/python/shim python3 program.py`."""
import sys

import tessera

sys.modules[__name__] = tessera
for _part in ("fft", "linalg", "random"):
    sys.modules[f"{__name__}.{_part}"] = getattr(tessera, _part)
