"""The text of a kernel from a Python function: its syntax tree, expression by expression. What the text language does
not have is an error that names the line and the construct."""
import ast
import builtins
import inspect
import math
import textwrap

from . import _core
from ._core import dtype, ndarray

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
              ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}
_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not "}
# What has another name in NumPy than in Python's own modules.
_CALLS = {abs: "absolute", float: "float64", int: "int64", bool: "bool", complex: "complex128", math.fabs: "absolute",
          math.pow: "power", math.gamma: "gamma", math.lgamma: "lgamma", math.radians: "deg2rad",
          math.degrees: "rad2deg", math.asin: "arcsin", math.acos: "arccos", math.atan: "arctan", math.atan2: "arctan2",
          math.asinh: "arcsinh", math.acosh: "arccosh", math.atanh: "arctanh"}
_DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
           "complex128").split()
_WORDS = {"raw", "auto", "np", "numpy", "pi", "inf", "nan", "i"}
_NOUNS = {"For": "a loop in a loop's head", "While": "a loop without a fixed count", "With": "a with statement",
          "Try": "a try statement", "FunctionDef": "a function in a function", "Lambda": "a lambda",
          "ListComp": "a list comprehension", "GeneratorExp": "a generator", "List": "a list", "Dict": "a dictionary",
          "Set": "a set", "Tuple": "a tuple", "JoinedStr": "a formatted string", "Attribute": "an attribute",
          "Starred": "a starred value", "Slice": "a slice", "NamedExpr": "an assignment in an expression",
          "Delete": "a del statement", "Global": "a global statement",
          "Nonlocal": "a nonlocal statement", "Raise": "a raise statement", "Assert": "an assertion",
          "Import": "an import", "ImportFrom": "an import", "Return": "a return in a loop",
          "AnnAssign": "a declaration without a value", "Expr": "a value that nobody takes",
          "MatMult": "a matrix product", "In": "a test of membership",
          "NotIn": "a test of membership", "Is": "a test of identity", "IsNot": "a test of identity",
          "Await": "an await", "Yield": "a yield", "Match": "a match statement", "ClassDef": "a class",
          "Break": "a break", "Continue": "a continue"}
_NOTHING_RAISED = "nothing raises in a kernel: numbers without a value are nan"
_HELP = {"While": "`for k in range(8)` has a fixed count",
         "Return": "give a name the value, and return it after the loop",
         "Try": _NOTHING_RAISED, "Raise": _NOTHING_RAISED, "Assert": _NOTHING_RAISED,
         "Break": "`a if c else b` chooses a value", "Continue": "`a if c else b` chooses a value"}


class Translation:
    """Declarations and text of one function: `inputs`, `outputs`, `text`."""

    def __init__(self, function):
        self.root, self.definitions, self.helpers, self.open, self.functions = self, [], {}, [function], set()
        tree = self.read(function)
        if not tree.args.args and not tree.args.posonlyargs and not tree.args.kwonlyargs and not tree.args.vararg:
            self.refuse(tree, "a function without parameters", "its arguments say how many points there are")
        self.inputs = ", ".join(self.parameters(tree.args))
        self.body(tree)
        self.text = "\n".join(self.definitions + self.statements)

    def read(self, function):
        """The function's syntax tree, and what every translation has."""
        self.function = function
        if not inspect.isfunction(function) or function.__name__ == "<lambda>":
            raise TypeError(f"tessera.kernel takes a function made by def, not {function!r}")
        try:
            lines, self.first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise TypeError(f"tessera.kernel: the source of {function.__name__} is not at hand: it is read from a "
                            "file") from None
        self.lines = lines
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
        self.margin = len(lines[0]) - len(lines[0].lstrip())
        if not isinstance(tree, ast.FunctionDef):
            self.refuse(tree, "an asynchronous function")
        self.names = {}  # Python's name -> the text's
        self.used = set()
        self.spare = set()  # those of the text's names that are no name of the function
        self.around = inspect.getclosurevars(function).nonlocals
        self.inputs_of = set()
        self.raw = set()
        self.counters = set()  # variables of loops, of which counts of others may be
        self.branch = None  # within an if: the names that have got values in this branch
        self.partly = {}  # names that have a value in one branch of an if only -> its line
        self.statements, self.depth = [], 0
        return tree

    def refuse(self, node, what, help=""):
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        place = (inspect.getsourcefile(self.function), self.first + line - 1,
                 self.margin + getattr(node, "col_offset", 0) + 1, text)
        message = f"{self.function.__name__}, line {place[1]}: {what} is no part of a kernel"
        raise SyntaxError(message + (f"; {help}" if help else ""), place)

    def refuse_kind(self, node, at=None):
        kind = type(node).__name__
        self.refuse(at or node, _NOUNS.get(kind, kind), _HELP.get(kind, ""))

    # Declarations.

    def parameters(self, args):
        if args.vararg or args.kwarg:
            self.refuse(args.vararg or args.kwarg, "a parameter of any number of arguments")
        for one in args.posonlyargs + args.args + args.kwonlyargs:
            declared = self.declared(one.annotation)
            name = self.new_name(one.arg)
            self.inputs_of.add(one.arg)
            if declared.startswith("raw"):
                self.raw.add(one.arg)
                declared = "raw auto" if declared == "raw" else declared
            yield f"{declared} {name}"

    def declared(self, node):
        """A dtype of an annotation; what says nothing of dtypes is `auto`."""
        if node is None:
            return "auto"
        of = node.value if isinstance(node, ast.Constant) else self.value_of(node)
        if isinstance(of, str):
            return of.strip()
        is_scalar = isinstance(of, type) and (of in (float, int, bool, complex) or of.__module__ == "numpy")
        try:
            return dtype(of).name if isinstance(of, dtype) or is_scalar else "auto"
        except TypeError:  # numpy.ndarray
            return "auto"

    def new_name(self, name):
        text = name if name.isascii() and name not in _WORDS else f"{name if name.isascii() else 'v'}_"
        while text in self.used:
            text += "_"
        self.used.add(text)
        self.names[name] = text
        return text

    # Statements.

    def write(self, statement):
        self.statements.append("  " * self.depth + statement)

    def values_of(self, tree):
        """Writes the statements up to the end: the texts of the values that are returned."""
        body = tree.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value,
                                                                 ast.Constant) and isinstance(body[0].value.value, str):
            body = body[1:]
        way, is_end = self.way(body)
        if not is_end:
            self.refuse(body[-1] if body else tree, "an end without a value",
                        "every way through the function returns the value of the point")
        return self.taken(way, [])

    def way(self, body):
        """Writes statements up to where all points have returned. Gives the returns in order, and whether none goes on:
        each is the texts of a return, or what choice gives for an if that returns."""
        way = []
        for s in body:
            if isinstance(s, ast.Return):
                if s.value is None:
                    self.refuse(s, "a return without a value")
                texts = [self.expression(one) for one in (s.value.elts if isinstance(s.value, ast.Tuple)
                                                          else [s.value])]
                return way + [texts if self.branch is None else self.saved(texts)], True
            if not isinstance(s, ast.If) or self.first_return(s) is None:
                self.statement(s)
                continue
            way.append(self.choice(s))
            if all(is_end for _, is_end in way[-1][2:]):
                return way, True
        return way, False

    def taken(self, way, rest):
        """The texts of what the points of a way return; `rest`: of those that go on behind it. Each is written once."""
        for k in reversed(range(len(way))):
            if isinstance(way[k], list):
                rest = way[k]
                continue
            s, condition, (first, first_ends), (second, second_ends) = way[k]
            if not first_ends and not second_ends:
                rest = self.saved(rest)
            first, second = self.taken(first, rest), self.taken(second, rest)
            if len(first) != len(second):
                self.refuse(s,
                            f"an if statement that returns {len(first)} values in one case, and {len(second)} in the "
                            "other,")
            rest = [f"({a} if {condition} else {b})" for a, b in zip(first, second)]
            rest = self.saved(rest) if k > 0 else rest
        return rest

    def saved(self, texts):
        """Names for values, which stay when those they follow from change."""
        names = [text if text in self.spare else self.spare_name() for text in texts]
        for name, text in zip(names, texts):
            if name != text:
                self.write(f"{name} = {text}")
        return names

    def first_return(self, s):
        return next((one for one in ast.walk(s) if isinstance(one, ast.Return)), None)

    def body(self, tree):
        texts = self.values_of(tree)
        returns = self.declared(tree.returns) if tree.returns is not None else ""
        dtypes = [one.strip() for one in returns.split(",")] if returns not in ("", "auto") else ["auto"] * len(texts)
        if len(dtypes) != len(texts):
            self.refuse(tree, f"a result of {len(dtypes)} dtypes and {len(texts)} values")
        outputs = [self.new_name("result" if len(texts) == 1 else f"result{k}") for k in range(len(texts))]
        for name, text in zip(outputs, texts):
            self.write(f"{name} = {text}")
        self.outputs = ", ".join(f"{of} {name}" for of, name in zip(dtypes, outputs))
        self.n_outputs = len(texts)

    def statement(self, s):
        if isinstance(s, ast.Assign):
            texts = self.values(s.value, s.targets[0])
            for target in s.targets:
                self.give(target, texts)
        elif isinstance(s, ast.AnnAssign) and s.value is not None:
            self.give(s.target, [self.expression(s.value)])
        elif isinstance(s, ast.AugAssign):
            if type(s.op) not in _OPERATORS:
                self.refuse_kind(s.op, s)
            if not isinstance(s.target, ast.Name):
                self.refuse_kind(s.target)
            self.give(s.target,
                      [f"({self.expression(ast.copy_location(ast.Name(s.target.id), s.target))} "
                       f"{_OPERATORS[type(s.op)]} {self.expression(s.value)})"])
        elif isinstance(s, ast.For):
            self.loop(s)
        elif isinstance(s, ast.If):
            if self.first_return(s) is not None:  # in a loop: elsewhere it is a way's
                self.refuse_kind(self.first_return(s))
            self.choice(s)
        elif isinstance(s, ast.Expr) and isinstance(s.value, ast.Call):
            called = ast.unparse(s.value.func)
            self.refuse(s, f"a call of {called} whose value nobody takes",
                        "it would run for no point; print what the kernel returns" if called == "print" else "")
        elif not isinstance(s, ast.Pass):
            self.refuse_kind(s)

    def choice(self, s):
        """An if statement: both branches are written, under names of their own, and one value of each name is taken.
        Gives the statement, the name of the condition's value, and each branch's way."""
        condition = self.spare_name()
        self.write(f"{condition} = {self.expression(s.test)}")
        (first, given), (second, otherwise) = self.branch_of(s.body), self.branch_of(s.orelse)
        for name in given | otherwise:
            if first[1] or second[1]:  # who goes on has come by the other branch
                self.write(f"{self.new_name_of(name, False)} = {(given | otherwise)[name]}")
            elif name in given and name in otherwise or name in self.names:
                a, b = given.get(name, self.names.get(name)), otherwise.get(name, self.names.get(name))
                self.write(f"{self.new_name_of(name, False)} = {a} if {condition} else {b}")
            else:
                self.partly[name] = s.lineno
        return s, condition, first, second

    def branch_of(self, part):
        """Writes a branch: its way, and the texts of the names with new values. None has one behind a branch that
        returns."""
        before = self.names, self.inputs_of, self.partly, self.branch
        self.names, self.inputs_of, self.partly, self.branch = dict(before[0]), set(before[1]), dict(before[2]), {}
        way = self.way(part)
        given = {name: self.names[name] for name in self.branch if name in self.names}
        partly = self.partly
        self.names, self.inputs_of, self.partly, self.branch = before
        if way[1]:
            return way, {}
        self.partly.update(partly)
        return way, given

    def loop(self, s):
        """`for k in range(…)`, whose turns the text writes out."""
        if s.orelse:
            self.refuse(s.orelse[0], "an else of a loop")
        if not isinstance(s.target, ast.Name):
            self.refuse_kind(s.target)
        call = s.iter
        is_call = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id not in self.names
        if not is_call or self.value_of(call.func) is not range:
            self.refuse(call, f"a loop over {ast.unparse(call)}", "`for k in range(8)` has a fixed count")
        if call.keywords or not 1 <= len(call.args) <= 3:
            self.refuse(call, f"a range of {len(call.args) + len(call.keywords)} numbers")
        counts = [self.count(one) for one in call.args]
        given = [one.id for part in s.body for one in ast.walk(part) if isinstance(one, ast.Name)
                 and isinstance(one.ctx, ast.Store)]
        for name in dict.fromkeys(given + [s.target.id]):
            if name in self.raw:
                self.refuse(s, f"a new value of the raw input {name}")
            is_outer = self.branch is not None and name in self.names and name not in self.branch
            if name in self.inputs_of or is_outer:  # each turn finds the value of the last one under the same name
                text = self.names[name]
                self.write(f"{self.new_name_of(name, False)} = {text}")
        self.write(f"for {self.new_name_of(s.target.id, False)} in range({', '.join(counts)}):")
        self.counters.add(s.target.id)
        self.depth += 1
        for statement in s.body:
            self.statement(statement)
        self.depth -= 1

    def count(self, e):
        for one in ast.walk(e):
            if isinstance(one, ast.Name) and (one.id not in self.counters if one.id in self.names
                                              else self.is_point(one.id)):
                self.refuse(e, f"a count that follows from {one.id}",
                            "loops are written out when the kernel is made: their counts are numbers of the program, "
                            "or of loops around")
        return self.expression(e)

    def is_point(self, name):
        """Is it the number of the point, or of the points?"""
        return name in ("i", "n") and name not in self.names and not self.is_there(name)

    def values(self, value, target):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            return [self.expression(one) for one in value.elts]
        return [self.expression(value)]

    def give(self, target, texts):
        targets = target.elts if isinstance(target, ast.Tuple) and len(target.elts) == len(texts) > 1 else [target]
        if len(targets) != len(texts):
            self.refuse_kind(target)
        for one in targets:
            if not isinstance(one, ast.Name):
                self.refuse_kind(one)
            if one.id in self.raw:
                self.refuse(one, f"a new value of the raw input {one.id}")
        is_exchange = len(targets) > 1
        if is_exchange and self.depth > 0:  # the next turn finds them under the same names
            spare = [self.spare_name() for _ in texts]
            for name, text in zip(spare, texts):
                self.write(f"{name} = {text}")
            texts, is_exchange = spare, False
        for one, text in zip(targets, texts):
            self.write(f"{self.new_name_of(one.id, is_exchange)} = {text}")

    def spare_name(self):
        name = f"t_{len(self.spare)}"
        while name in self.used:
            name += "_"
        self.used.add(name)
        self.spare.add(name)
        return name

    def new_name_of(self, name, is_fresh):
        """The text's name for a new value. An input keeps its own, as what is exchanged does: the value gets
        another."""
        is_outer = self.branch is not None and name not in self.branch
        if name in self.names and name not in self.inputs_of and not is_fresh and not is_outer:
            return self.names[name]
        self.inputs_of.discard(name)
        self.partly.pop(name, None)
        if self.branch is not None:
            self.branch[name] = True
        return self.new_name(name)

    # Expressions.

    def expression(self, e):
        method = getattr(self, "on_" + type(e).__name__.lower(), None)
        if method is None:
            self.refuse_kind(e)
        return method(e)

    def on_constant(self, e):
        return self.number(e.value, e)

    def number(self, value, e):
        if isinstance(value, bool):
            return repr(value)
        if isinstance(value, (int, float)):
            text = repr(value)
            return f"({text})" if text.startswith("-") else text
        if isinstance(value, complex):
            return f"({value.real!r} + {value.imag!r}j)".replace("+ -", "- ")
        self.refuse(e, "a string" if isinstance(value, str) else f"the value {value!r}")

    def on_name(self, e):
        if e.id in self.raw:
            self.refuse(e, f"the raw input {e.id} without an index", f"`{e.id}[i]` is its element at the point")
        if e.id in self.partly:
            self.refuse(e,
                        f"the name {e.id}, which has a value in one case of line {self.first + self.partly[e.id] - 1} "
                        "only,",
                        "give it one before the if statement, or in its else")
        if e.id in self.names:
            return self.names[e.id]
        if e.id == "i":
            if self.raw and self.is_there("i"):  # which of them x[i] means is not to depend on what a module has
                self.refuse(e, "the name i, which the program has for a value beside the point's number,",
                            "give the value another name, or take it as a parameter")
            if not self.is_there("i"):
                return "i"
        if self.is_point(e.id):
            if "n" in self.root.used:
                self.refuse(e, "the name n, which the kernel has for a value,",
                            "as the number of the points it is free")
            return "n"
        return self.constant(e)

    def on_attribute(self, e):
        if isinstance(e.value, ast.Name) and e.value.id in self.names:
            if e.attr in ("real", "imag"):
                return f"{e.attr}({self.expression(e.value)})"
            self.refuse(e, f"the attribute {e.attr} of a value")
        return self.constant(e)

    def constant(self, e):
        value = self.value_of(e)
        if isinstance(value, ndarray) or hasattr(value, "__array__"):
            self.refuse(e, f"the array {ast.unparse(e)}, which is no argument,", "make it a parameter")
        return self.number(value, e)

    def is_there(self, name):
        return name in self.around or name in self.function.__globals__ or hasattr(builtins, name)

    def value_of(self, e):
        """What a name of the program around the function stands for."""
        if isinstance(e, ast.Name):
            if e.id in self.around:
                return self.around[e.id]
            if e.id in self.function.__globals__:
                return self.function.__globals__[e.id]
            if hasattr(builtins, e.id):
                return getattr(builtins, e.id)
            self.refuse(e, f"the name {e.id}, which has no value here,")
        if isinstance(e, ast.Attribute):
            of = self.value_of(e.value)
            if inspect.ismodule(of) and hasattr(of, e.attr):
                return getattr(of, e.attr)
        if isinstance(e, (ast.Name, ast.Attribute)):
            self.refuse(e, f"the name {ast.unparse(e)}")
        self.refuse_kind(e)

    def on_binop(self, e):
        if type(e.op) not in _OPERATORS:
            self.refuse_kind(e.op, e)
        return f"({self.expression(e.left)} {_OPERATORS[type(e.op)]} {self.expression(e.right)})"

    def on_unaryop(self, e):
        return f"({_UNARY[type(e.op)]}{self.expression(e.operand)})"

    def on_boolop(self, e):
        word = " and " if isinstance(e.op, ast.And) else " or "
        return "(" + word.join(self.expression(one) for one in e.values) + ")"

    def on_compare(self, e):
        operands = [self.expression(one) for one in [e.left] + e.comparators]
        for op in e.ops:
            if type(op) not in _COMPARISONS:
                self.refuse_kind(op, e)
        pairs = [f"({a} {_COMPARISONS[type(op)]} {b})" for a, op, b in zip(operands, e.ops, operands[1:])]
        return pairs[0] if len(pairs) == 1 else "(" + " and ".join(pairs) + ")"

    def on_ifexp(self, e):
        return f"({self.expression(e.body)} if {self.expression(e.test)} else {self.expression(e.orelse)})"

    def on_subscript(self, e):
        if not isinstance(e.value, ast.Name) or e.value.id not in self.raw:
            self.refuse(e, f"an element of {ast.unparse(e.value)}",
                        "a parameter with the annotation \"raw\" has elements")
        if isinstance(e.slice, (ast.Tuple, ast.Slice)):
            self.refuse(e, "an index of several axes", "elements are counted in flat order: x[row*columns + column]")
        return f"{self.names[e.value.id]}[{self.expression(e.slice)}]"

    def on_call(self, e):
        if isinstance(e.func, ast.Name) and e.func.id in self.names:
            self.refuse(e, f"a call of the value {e.func.id}")
        if not isinstance(e.func, (ast.Name, ast.Attribute)):
            self.refuse_kind(e.func)
        if isinstance(e.func, ast.Attribute) and isinstance(e.func.value, ast.Name) and e.func.value.id in self.names:
            self.refuse(e, f"the method {e.func.attr} of the value {e.func.value.id}",
                        "a value has functions: np.sqrt(x), abs(x), x.real")
        helper, kernel = self.helper_named(e)
        if helper is not None:
            return self.call_of(e, helper, kernel)
        if e.keywords:
            self.refuse(e, f"the keyword {e.keywords[0].arg}")
        name = self.function_named(e)
        arguments = [self.expression(one) for one in e.args]
        if name in ("min", "max"):
            if len(arguments) < 2:
                self.refuse(e, f"{name} of one value")
            text = arguments[0]
            for one in arguments[1:]:
                text = f"{name}({text}, {one})"
            return text
        return f"{name}({', '.join(arguments)})"

    def function_named(self, e):
        function = self.value_of(e.func)
        if isinstance(function, dtype):
            return function.name
        if function is min or function is max:
            return function.__name__
        name = _CALLS.get(function) if getattr(function, "__hash__", None) else None
        if name is None and (getattr(function, "__module__", None)
                             or "numpy").split(".")[0] in ("tessera", "numpy", "math"):
            name = getattr(getattr(_core, getattr(function, "__name__", ""), None), "__name__", None)
        if name not in _core.point_functions and name not in _CALLS.values():
            self.refuse(e, f"the function {ast.unparse(e.func)}",
                        "the functions of one point are tessera's elementwise ones")
        return name

    # Functions of the program, which the text defines, too.

    def helper_named(self, e):
        """The Python function that is called, and the kernel's translation if it is one; None: it is none of the
        program's."""
        function = self.value_of(e.func)
        kernel = getattr(function, "translation", None)
        if isinstance(kernel, Translation):
            return kernel.function, kernel
        is_foreign = (getattr(function, "__module__", None) or "").split(".")[0] in ("tessera", "numpy", "math")
        return (function if inspect.isfunction(function) and not is_foreign else None), None

    def call_of(self, e, function, kernel):
        """A call of a function of the program, with its values in order."""
        starred = [one for one in e.args + e.keywords if isinstance(one, ast.Starred)
                   or getattr(one, "arg", "") is None]
        if starred:
            self.refuse(e, "a starred value")
        try:
            bound = inspect.signature(function).bind(*e.args, **{one.arg: one.value for one in e.keywords})
        except TypeError as error:
            self.refuse(e, f"this call of {function.__name__} ({error})")
        bound.apply_defaults()
        values = list(bound.arguments.values())
        if function in self.root.open:
            self.refuse(e, f"a call of {function.__name__} within itself",
                        "functions are written out where they are called")
        is_raw = tuple(isinstance(one, ast.Name) and one.id in self.raw for one in values)
        if (function, is_raw) not in self.root.helpers:
            self.root.helpers[function, is_raw] = Helper(self.root, function, kernel, is_raw).name
        texts = [self.names[one.id] if raw else self.expression(one) if isinstance(one, ast.AST)
                 else self.number(one, e)
                 for one, raw in zip(values, is_raw)]
        return f"{self.root.helpers[function, is_raw]}({', '.join(texts)})"


class Helper(Translation):
    """A function that a kernel calls: a definition in the kernel's text. Annotations count if it is a kernel itself."""

    def __init__(self, root, function, kernel, is_raw):
        tree = self.read(function)
        self.root, self.kernel = root, kernel
        root.open.append(function)
        self.name = self.free_name(function.__name__)
        declared = [one.split()[0] for one in self.parameters(tree.args)]
        parameters = list(self.names)
        texts = [self.names[one] for one in parameters]
        self.raw = {one for one, raw in zip(parameters, is_raw) if raw}
        self.counters |= set(parameters)  # a call may give them numbers
        self.depth = 1
        for name, of in zip(parameters, declared):
            if of in _DTYPES:
                text = self.names[name]
                self.write(f"{self.new_name_of(name, False)} = {of}({text})")
        values = self.values_of(tree)
        if len(values) != 1:
            self.refuse(tree, f"a function of {len(values)} results that a kernel calls")
        value = values[0]
        returned = self.declared(tree.returns)
        self.write(f"return {returned}({value})" if returned in _DTYPES else f"return {value}")
        root.definitions.append("\n".join([f"def {self.name}({', '.join(texts)}):"] + self.statements))
        root.open.pop()

    def declared(self, node):
        return super().declared(node) if self.kernel else "auto"  # a function's annotations say nothing

    def free_name(self, name):
        """A name that hides none of the functions of the text."""
        functions = self.root.functions
        text = name if name.isascii() else "f"
        while any(text in names for names in (functions, _core.point_functions, _DTYPES, _WORDS, ("min", "max"))):
            text += "_"
        functions.add(text)
        return text
