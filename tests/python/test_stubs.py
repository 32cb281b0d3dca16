"""The type stubs name what the extension has, with its parameters, and nothing else."""
import ast
import inspect
import pathlib

import tessera as np
from support import Case

STUB = pathlib.Path(np.__path__[0]) / "_core.pyi"


def names_of(body):
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            yield one.name
        elif isinstance(one, ast.AnnAssign):
            yield one.target.id


def parameters_of(function):
    a = function.args
    return [p.arg for p in a.posonlyargs + a.args + ([a.vararg] if a.vararg else []) + a.kwonlyargs if p.arg not in ("self", "cls")]


class Stubs(Case):
    def setUp(self):
        self.tree = ast.parse(STUB.read_text())

    def test_names(self):
        there = {name for name in dir(np._core) if not name.startswith("__")}
        self.assertEqual(set(names_of(self.tree.body)), there)

    def test_members_of_the_types(self):
        for name in ("ndarray", "dtype", "LocalTile"):
            own = {m for m in vars(getattr(np._core, name)) if not m.startswith("_")}
            if name == "ndarray":  # what only says why it is not there
                own -= set(np._ndarray.MISSING)
            stub = {one.name: one for one in self.tree.body if isinstance(one, ast.ClassDef)}[name]
            listed = list(names_of(stub.body))
            self.assertEqual({m for m in listed if not m.startswith("_")}, own, name)
            self.assertEqual(len(listed), len(set(listed)), name)
            for member in listed:
                if member != "__buffer__":  # of Python 3.12 and newer; memoryview takes the object before, too
                    self.assertTrue(hasattr(getattr(np._core, name), member), (name, member))

    def test_parameters(self):
        n = 0
        for one in self.tree.body:
            function = getattr(np._core, getattr(one, "name", ""), None)
            if not isinstance(one, ast.FunctionDef) or not getattr(function, "__text_signature__", None):
                continue
            wanted = [p.name for p in inspect.signature(function).parameters.values()]
            self.assertEqual(parameters_of(one), wanted, one.name)
            n += 1
        self.assertGreater(n, 150)

    def test_the_package_says_that_it_has_types(self):
        self.assertTrue((STUB.parent / "py.typed").exists())
