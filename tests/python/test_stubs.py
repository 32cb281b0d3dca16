"""The type stubs name what the extension has, with its parameters, and nothing else."""
import ast
import inspect
import pathlib

import tessera as np
from support import Case

STUB = pathlib.Path(np.__path__[0]) / "_core.pyi"


def names_of(body):
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)) and (one.name[0] != "_" or one.name[1] == "_"):
            yield one.name
        elif isinstance(one, ast.AnnAssign) and one.target.id[0] != "_":
            yield one.target.id


def parameters_of(function):
    a = function.args
    return [p.arg for p in a.posonlyargs + a.args + ([a.vararg] if a.vararg else []) + a.kwonlyargs
            if p.arg not in ("self", "cls")]


class Stubs(Case):
    def setUp(self):
        self.tree = ast.parse(STUB.read_text())

    def test_names(self):
        there = {name for name in dir(np._core) if not name.startswith("__")}
        self.assertEqual(set(names_of(self.tree.body)), there)

    def test_what_the_package_takes(self):
        """`from ._core import *` takes what the package has as it is, and neither what its Python files have themselves
        nor what they delete."""
        listed = next(ast.literal_eval(one.value) for one in self.tree.body if isinstance(one, ast.Assign) and
                      one.targets[0].id == "__all__")
        there = {name for name in dir(np._core) if name[0] != "_"
                 and getattr(np, name, None) is getattr(np._core, name)}
        self.assertEqual(set(listed), there)

    def test_members_of_the_types(self):
        for name in ("ndarray", "dtype", "LocalTile", "ufunc"):
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
        calls = {one.name: one.body[0] for one in self.tree.body if isinstance(one, ast.ClassDef)
                 and one.name[0] == "_"}
        functions = [(one.name, one) for one in self.tree.body if isinstance(one, ast.FunctionDef)]
        functions += [(one.target.id, calls[one.annotation.id]) for one in self.tree.body
                      if isinstance(one, ast.AnnAssign) and
                      getattr(one.annotation, "id", "") in calls]
        for name, one in functions:
            function = getattr(np._core, name)
            if not getattr(function, "__text_signature__", None):
                continue
            wanted = [p.name for p in inspect.signature(function).parameters.values()]
            self.assertEqual(parameters_of(one), wanted, name)
            n += 1
            self.assertEqual(isinstance(function, np.ufunc), one.name == "__call__", name)
        self.assertGreater(n, 150)

    def test_the_package_says_that_it_has_types(self):
        self.assertTrue((STUB.parent / "py.typed").exists())
