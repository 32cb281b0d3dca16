"""The text of a kernel from expressions of C, as cupy.ElementwiseKernel takes them: `z = x > 0 ? sqrt(x) : (T)0`.

Taken are statements `name = expression`, `type name = expression` and `name += expression`, separated by `;`, and loops
over fixed counts, `for (int k = 0; k < 8; ++k)`. The operators have C's precedence. An error shows the place in the
text."""
import re

from . import _core

_TOKEN = re.compile(r"\s*(?:(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFuUlL]*)"
                    r"|(?P<name>_(?:in_|out_)?ind\.size\(\)|[A-Za-z_]\w*(?:::\w+)*)"
                    r"|(?P<sign><<=|>>=|&&|\|\||[<>=!]=|<<|>>|[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,(){}\[\]]))")
_LEVELS = [{"||", "or"}, {"&&", "and"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"<<", ">>"},
           {"+", "-"}, {"*", "/", "%"}]
_WORDS = {"||": "or", "&&": "and"}
_TYPES = {"double": "float64", "float": "float32", "half": "float16", "int": "int32", "unsigned": "uint32",
          "long": "int64", "short": "int16", "char": "int8", "size_t": "uint64", "ptrdiff_t": "int64", "bool": "bool",
          "auto": "", "long long": "int64", "complex<double>": "complex128", "complex<float>": "complex64"}
_DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
           "complex128").split()
_TYPES.update({name: name for name in _DTYPES})
_TYPES.update({name + "_t": name for name in _DTYPES if "int" in name})
_FUNCTIONS = {"fabs": "absolute", "abs": "absolute", "pow": "power", "fmin": "fmin", "fmax": "fmax", "min": "min",
              "max": "max", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
              "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "tgamma": "gamma", "rsqrt": "1/sqrt",
              "mod": "fmod"}


_SMALL = ("bool", "int8", "int16", "uint8", "uint16")
_KEEPING = ("min", "max", "absolute", "floor_divide", "fmod", "remainder")  # whole numbers of whole numbers


def dtypes_of(declarations, letters={}):
    """name -> dtype or letter, of "float64 x, raw T y"; `letters`: dtypes of letters."""
    parts = [one.split() for one in declarations.split(",")]
    return {part[-1]: letters.get(part[-2], part[-2]) for part in parts if len(part) > 1}


class Text:
    """One text. `declared`: dtypes of the names that it may use; `letters`: of the letters, where they are known."""

    def __init__(self, text, declared, letters={}, has_points=True):
        self.has_points = has_points  # `_ind.size()` is their number
        self.letters, self.locals, self.given = letters, {}, set()
        self.outer = set()  # the names that a loop finds
        self.counters = set()  # the variables of the loops around
        self.declared = {name: letters.get(of, of) for name, of in declared.items()}
        self.text, self.at, self.kinds = text, 0, {name: self.kind_of(of) for name, of in declared.items()}
        self.take()

    @staticmethod
    def kind_of(of):
        return "small" if of in _SMALL else "whole" if "int" in of else ""

    @staticmethod
    def whole(value, kind):
        """A value as C computes with it: the small ones as int."""
        return f"int32({value})" if kind == "small" else value

    def dtype_named(self, name):
        return self.letters.get(name) or _TYPES.get(name, "")

    def fail(self, what, at=None):
        at = self.begin if at is None else at
        line = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        shown = self.text[line:end if end >= 0 else len(self.text)]
        raise ValueError(f"{what}\n  | {shown}\n  | {' ' * (at - line)}^")

    def take(self):
        match = _TOKEN.match(self.text, self.at)
        self.last_end = self.at
        if match:
            self.kind, self.value = match.lastgroup, match[match.lastgroup]
            self.begin, self.at = match.start(match.lastgroup), match.end()
            return
        rest = self.text[self.at:]
        self.kind, self.value, self.begin = "end", "", self.at + len(rest) - len(rest.lstrip())
        if rest.strip():
            self.fail(f"`{rest.strip()[0]}` is no part of the text of a kernel")

    def accept(self, *values):
        if self.kind in ("sign", "name") and self.value in values:
            self.take()
            return True
        return False

    def expect(self, value):
        if not self.accept(value):
            self.fail(f"expected `{value}`")

    # Statements.

    def statements(self):
        lines = []
        while self.kind != "end":
            lines += self.statement_lines()
        return "\n".join(lines)

    def statement_lines(self):
        """One statement with its end, as lines of the text."""
        if self.accept(";"):
            return []
        if self.kind == "name" and self.value == "for":
            return self.loop()
        line = self.statement()
        if self.kind != "end":
            self.expect(";")
        return [line]

    def loop(self):
        """`for (int k = first; k < stop; ++k)`, also with `<=`, `>`, `>=`, `k += 2`, and one statement or several in
        braces."""
        self.take()
        self.expect("(")
        at = self.begin
        is_declared, name = self.type_ahead() is not None, self.value
        if not is_declared or self.kind != "name" or name in self.kinds:
            self.fail("a loop over a fixed count is `for (int k = 0; k < 8; ++k)`, with a name of its own", at)
        self.take()
        self.expect("=")
        first, self.kinds[name] = self.choice()[0], "whole"
        self.expect(";")
        self.expect(name)
        if self.value not in ("<", "<=", ">", ">="):
            self.fail(f"expected `{name} <` and the loop's end")
        sign = self.value
        self.take()
        stop = self.choice()[0]
        stop = stop if sign in "<>" else f"{stop} {'+' if sign == '<=' else '-'} 1"
        self.expect(";")
        step = self.loop_step(name)
        if step.startswith("-") != (sign in (">", ">=")):
            self.fail("this loop does not end", at)
        self.expect(")")
        lines, outer, self.outer = [], self.outer, set(self.kinds)
        self.counters.add(name)
        if self.accept("{"):
            while not self.accept("}"):
                if self.kind == "end":
                    self.fail("expected `}`")
                lines += self.statement_lines()
        else:
            lines = self.statement_lines()
        for inner in set(self.kinds) - self.outer | {name}:  # they end with the loop
            del self.kinds[inner]
            self.locals.pop(inner, None)
            self.given.discard(inner)
        self.counters.remove(name)
        self.outer = outer
        if not lines:
            return []
        return [f"for {name} in range({first}, {stop}, {step}):"] + ["  " + line for line in lines]

    def loop_step(self, name):
        """`++k`, `k++`, `k += 2` and the same downwards."""
        for sign, before in (("+", ""), ("-", "-")):
            if self.accept(sign):
                self.expect(sign)
                self.expect(name)
                return before + "1"
        self.expect(name)
        for sign, before in (("+", ""), ("-", "-")):
            if self.accept(sign):
                self.expect(sign)
                return before + "1"
            if self.accept(sign + "="):
                return before + self.choice()[0]
        self.fail(f"expected `++{name}` or `{name} += 2`")

    def statement(self):
        if self.kind == "name" and self.value in ("if", "while", "do", "switch", "return", "else"):
            self.fail(f"`{self.value}` is no part of the text of a kernel: a value is chosen by `c ? a : b`")
        cast = self.type_ahead()
        name, at = self.value, self.begin
        if self.kind != "name":
            self.fail("expected a name to give a value")
        if name in self.counters:
            self.fail(f"`{name}` counts the turns of a loop, whose head alone changes it", at)
        if cast is not None and name in self.outer:
            self.fail(f"`{name}` is a name outside of the loop: give the one in it another name")
        self.take()
        if self.kind == "sign" and self.value == "[":
            self.fail("an output is written at its own point: `z = …`, without an index", at)
        sign = self.value
        if self.kind != "sign" or not re.fullmatch(r"=|[-+*/%&|^]=|<<=|>>=", sign):
            self.fail("expected `=`")
        self.take()
        value, kind = self.choice()
        if sign != "=":
            value, kind = self.joined(self.as_read(name), self.kinds.get(name, ""), sign[:-1], value, kind, at)
        cast = self.locals.setdefault(name, cast)  # a local keeps its type
        if cast:
            value, kind = self.cast(cast, value), self.kind_of(cast)
        self.kinds.setdefault(name, kind)
        self.given.add(name)
        return f"{name} = {value}"

    def as_read(self, name):
        """A name's value. An output that was given one has it in its dtype, which the text language applies at the
        end."""
        of = self.declared.get(name)
        return f"{of}({name})" if name in self.given and of in _DTYPES else name

    def lone_expression(self):
        value, _ = self.choice()
        if self.kind != "end":
            self.fail("expected an operator or the end of the text")
        return value

    def type_ahead(self):
        """A declaration's type: None if there is none, "" if it says nothing."""
        found = None
        while self.kind == "name" and (self.value == "const" or self.is_type(self.value)):
            following = _TOKEN.match(self.text, self.at)
            if not following or following.lastgroup != "name":
                break
            if self.value != "const":
                found = self.dtype_named(self.value)
            self.take()
        return found

    @staticmethod
    def is_type(name):
        return name in _TYPES or (len(name) == 1 and name.isupper())

    @staticmethod
    def cast(to, value):
        """The value in a dtype; of a number that the text writes, in steps, since one beyond the dtype is an error
        there."""
        if to and re.fullmatch(r"[0-9]+|0[xX][0-9a-fA-F]+", value) and "int" in to and int(value, 0) >= 1 << 7:
            value = f"int64({value})" if int(value, 0) < 1 << 63 else value
        return f"{to}({value})" if to else value

    # Expressions: text, and the kind of the value: "whole" for what C knows to be a whole number, "small" for one that
    # C computes with as int, "" for others.

    def choice(self):
        test, kind = self.level(0)
        if not self.accept("?"):
            return test, kind
        then, kind = self.choice()
        self.expect(":")
        otherwise, other = self.choice()
        if kind != other and kind and other:
            then, otherwise, kind = self.whole(then, kind), self.whole(otherwise, other), "whole"
        return f"({then} if {test} else {otherwise})", kind if kind == other or "" not in (kind, other) else ""

    def level(self, k):
        if k == len(_LEVELS):
            return self.unary()
        left, kind = self.level(k + 1)
        compared = False
        while self.kind in ("sign", "name") and self.value in _LEVELS[k]:
            sign, at = self.value, self.begin
            if compared and k in (5, 6):
                self.fail("comparisons do not follow one another: `a < b && b < c`")
            self.take()
            right, other = self.level(k + 1)
            left, kind = self.joined(left, kind, sign, right, other, at)
            compared = True
        return left, kind

    def joined(self, left, kind, sign, right, other, at):
        if sign in ("||", "&&", "==", "!=", "<", "<=", ">", ">="):
            return f"({left} {_WORDS.get(sign, sign)} {right})", "small"
        whole = kind != "" and other != ""
        if sign in ("&", "|", "^") and kind == other == "small":  # as large as its operands
            return f"({left} {sign} {right})", "small"
        if whole:
            left, right = self.whole(left, kind), self.whole(right, other)
        if sign == "/" and whole:
            self.fail("C divides whole numbers without a rest here, the text does not: `floor_divide(x, y)`, or "
                      "`(double)x / y`", at)
        if sign == "%":
            return f"fmod({left}, {right})", "whole" if whole else ""
        return f"({left} {sign} {right})", "whole" if whole else ""

    def unary(self):
        for sign, text in (("-", "-"), ("+", "+"), ("~", "~"), ("!", "not "), ("not", "not ")):
            if self.accept(sign):
                value, kind = self.unary()
                if text == "not ":
                    return f"(not {value})", "small"
                return f"({text}{self.whole(value, kind)})", "whole" if kind else ""
        if self.kind == "sign" and self.value == "(":
            following = _TOKEN.match(self.text, self.at)
            if following and following.lastgroup == "name" and self.is_type(following["name"]):
                close = _TOKEN.match(self.text, following.end())
                if close and close.lastgroup == "sign" and close["sign"] == ")":
                    to = self.dtype_named(following["name"])
                    for _ in range(3):
                        self.take()
                    value, kind = self.unary()
                    return self.cast(to, value), self.kind_of(to) if to else kind
        return self.atom()

    def atom(self):
        if self.accept("("):
            value, kind = self.choice()
            self.expect(")")
            return f"({value})", kind
        text, at = self.value, self.begin
        if self.kind == "number":
            self.take()
            is_hex = text[:2].lower() == "0x"
            digits = text.rstrip("uUlL") if is_hex else text.rstrip("fFuUlL")
            return digits, "whole" if is_hex or re.fullmatch(r"\d+", text.rstrip("uUlL")) else ""
        if self.kind != "name":
            self.fail("expected a value")
        self.take()
        if text.endswith("ind.size()"):
            if text != "_ind.size()" or not self.has_points:
                self.fail(f"`{text}` is not known where the text runs: it is the size of the array, outside of the "
                          "kernel", at)
            if "n" in self.kinds or "n" in self.locals:
                self.fail("`_ind.size()` is `n` in the text of Tessera's, which this text calls something else by", at)
            return "n", "whole"
        text = text.removeprefix("std::").removeprefix("::")
        if text in ("true", "false"):
            return text.title(), "small"
        if text == "static_cast":
            self.expect("<")
            to = self.dtype_named(self.value)
            self.take()
            self.expect(">")
            self.expect("(")
            value, kind = self.choice()
            self.expect(")")
            return self.cast(to, f"({value})"), self.kind_of(to) if to else kind
        if self.accept("("):
            return self.call(text, at)
        if self.accept("["):
            index, _ = self.choice()
            self.expect("]")
            return f"{text}[{index}]", self.kinds.get(text, "")
        return (self.as_read(text), "whole" if text in ("i", "n") and text not in self.kinds
                else self.kinds.get(text, ""))

    def call(self, name, at):
        arguments = []
        while not self.accept(")"):
            if arguments:
                self.expect(",")
            arguments.append(self.choice())
        if name in _TYPES or self.is_type(name):
            to = self.dtype_named(name)
            return self.cast(to, f"({arguments[0][0]})" if arguments else "0"), self.kind_of(to)
        known = _FUNCTIONS.get(name, name)
        if known not in _core.point_functions and name not in _FUNCTIONS and name.endswith("f"):
            known = _FUNCTIONS.get(name[:-1], name[:-1])  # sqrtf, expf
        if known not in _core.point_functions and known not in _FUNCTIONS.values():
            self.fail(f"`{name}` is not a function of one point", at)
        kinds = {kind for _, kind in arguments}
        if kinds == {"small"} and known in ("min", "max"):
            kind = "small"
        else:
            arguments = [(self.whole(text, kind), kind) for text, kind in arguments]
            kind = "whole" if known in _KEEPING and "" not in kinds else ""
        texts = ", ".join(text for text, _ in arguments)
        return (f"(1/sqrt({texts}))" if known == "1/sqrt" else f"{known}({texts})"), kind
