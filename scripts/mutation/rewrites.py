# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of rewrites: which small errors scripts/mutate plants, and where.

The rewrites are those of Mull and cargo-mutants. Each is found on a cursor of libclang. A Mutant replaces the
bytes [start, end) of a file by `text`; `kind` says how it is compiled in beside the original (instrument.py).
"""
import dataclasses
import re

from clang.cindex import CursorKind, TypeKind

# An operator, and what is written in its place: its neighbours and its negation.
COMPARISONS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
}
ARITHMETIC = {"+": "-", "-": "+"}
ASSIGNMENTS = {"+=": "-=", "-=": "+="}
LOGIC = {"&&": "||", "||": "&&"}
# A function, and the one that is called in its place.
CALLS = {
    "all_of": "any_of", "any_of": "all_of", "none_of": "any_of", "min": "max", "max": "min",
    "success": "failure", "failure": "success",
}
# What a function returns at once, by the kind of its result and by its name.
RETURNS = {
    TypeKind.VOID: [""], TypeKind.BOOL: ["false", "true"], TypeKind.POINTER: ["nullptr"], TypeKind.ENUM: ["{}"],
    TypeKind.RECORD: ["{}"],
}
RETURNS_BY_NAME = {
    "llvm::LogicalResult": ["llvm::success()", "llvm::failure()"],
    "llvm::Error": ["llvm::Error::success()"],
}
# The names of the rewrites. A sample is drawn evenly over them.
NAMES = [
    "comparison", "arithmetic", "logic", "operand-dropped", "call", "constant", "condition-negated",
    "statement-dropped", "early-return", "else-dropped", "case-dropped",
]

# Arguments of these are texts of messages, or are never evaluated in a sound program.
UNTOUCHED_CALLS = {"formatv", "report_fatal_error", "llvm_unreachable_internal"}
# Macros, whose text is not the program's: what stands in their parentheses is left alone.
MACRO = re.compile(r"\b(?:[A-Z][A-Z0-9_]{2,}|assert|static_assert|llvm_unreachable)\s*\(")

INTEGERS = {
    TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG,
    TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG,
}
NUMBERS = INTEGERS | {TypeKind.FLOAT, TypeKind.DOUBLE}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION, CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
}
LOOPS = {CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT, CursorKind.CXX_FOR_RANGE_STMT}
EXPRESSION_STATEMENTS = {
    CursorKind.CALL_EXPR, CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,
    CursorKind.UNARY_OPERATOR, CursorKind.UNEXPOSED_EXPR, CursorKind.CONTINUE_STMT,
}
# Below these, a number is an argument of a template.
NAMES_OF_THINGS = {
    CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF,
    CursorKind.OVERLOADED_DECL_REF,
}


@dataclasses.dataclass
class Mutant:
    rewrite: str
    kind: str  # "expression", "condition" (of type bool), "statement" or "insertion"
    start: int
    end: int
    text: str


class Finder:
    """Finds the mutants of one file. `source` is bytes, as the offsets of libclang count them."""

    def __init__(self, unit, path, source):
        self.unit = unit
        self.path = path
        self.source = source
        self.macros = list(macro_ranges(source))
        self.mutants = []

    def find(self):
        for cursor in self.unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == self.path:
                self.outside(cursor)
        # libclang visits some expressions, such as those in lambdas of a template's arguments, more than once.
        return list({dataclasses.astuple(mutant): mutant for mutant in self.mutants}.values())

    # Only bodies of functions are mutated: tables and constants have their values at compile time.
    def outside(self, cursor):
        if cursor.kind in FUNCTIONS:
            self.function(cursor)
        elif cursor.kind in (CursorKind.NAMESPACE, CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL,
                             CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
            for child in cursor.get_children():
                self.outside(child)

    def function(self, cursor):
        body = next((child for child in cursor.get_children() if child.kind == CursorKind.COMPOUND_STMT), None)
        if body is None or not self.is_here(body):
            return
        head = self.text(cursor.extent.start.offset, body.extent.start.offset)
        if re.search(r"\b(constexpr|consteval)\b", head):
            return
        values = returned(cursor)
        statements = list(body.get_children())
        only_one_dropped = len(statements) == 1 and values == [""]
        if statements and not only_one_dropped:
            for value in values:
                if self.returns(statements[0], value):
                    continue
                self.insert("early-return", body.extent.start.offset + 1, f"return {value};")
        self.walk(body, cursor, values, in_loop=False)

    def walk(self, cursor, parent, values, in_loop):
        """Finds mutants below the cursor. `values` are what the function around it may return."""
        kind = cursor.kind
        if not self.is_here(cursor):
            return
        if kind == CursorKind.DECL_STMT and re.search(
                r"\b(constexpr|struct|enum)\b", self.text_of(cursor).split("=")[0]):
            return
        if kind == CursorKind.LAMBDA_EXPR:
            values = []
            in_loop = False
        children = list(cursor.get_children())
        if kind == CursorKind.CALL_EXPR and cursor.spelling in UNTOUCHED_CALLS:
            return
        if kind == CursorKind.BINARY_OPERATOR:
            self.binary(cursor, children)
        elif kind == CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
            self.operator(cursor, children, ASSIGNMENTS, "arithmetic")
        elif kind == CursorKind.CALL_EXPR:
            self.call(cursor)
        elif kind in (CursorKind.INTEGER_LITERAL, CursorKind.CXX_BOOL_LITERAL_EXPR):
            self.constant(cursor, parent)
        elif kind == CursorKind.IF_STMT:
            self.choice(cursor, children)
        elif kind == CursorKind.CONDITIONAL_OPERATOR and len(children) == 3:
            self.negate(children[0])
        elif kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
            if kind == CursorKind.CASE_STMT:
                children = children[1:]  # the label is a constant
            self.case(children[-1], values)
        if kind in LOOPS:
            in_loop = True
        elif kind == CursorKind.SWITCH_STMT:
            in_loop = False
        for index, child in enumerate(children):
            if self.is_statement(child, index, kind, len(children), in_loop):
                start, end = self.range_of(child)
                self.mutants.append(Mutant("statement-dropped", "statement", start, end, ""))
            self.walk(child, cursor, values, in_loop)

    def is_statement(self, child, index, parent, count, in_loop):
        body = (parent in (CursorKind.COMPOUND_STMT, CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT)
                or parent == CursorKind.IF_STMT and index > 0 and index >= count - 2
                or parent in LOOPS and index == count - 1)
        droppable = child.kind in EXPRESSION_STATEMENTS or child.kind == CursorKind.BREAK_STMT and in_loop
        # A semicolon follows a statement; it does not follow a condition.
        after = self.source[child.extent.end.offset:].lstrip()[:1]
        return body and droppable and after == b";" and self.is_here(child)

    def binary(self, cursor, children):
        if len(children) != 2:
            return
        self.operator(cursor, children, ARITHMETIC, "arithmetic")
        operator = self.between(*children)
        start, end = self.range_of(cursor)
        left, right = (self.text_of(child) for child in children)
        for other in COMPARISONS.get(operator, []):
            self.mutants.append(Mutant("comparison", "expression", start, end, f"{left} {other} {right}"))
        if operator in LOGIC:
            text = f"({left}) {LOGIC[operator]} ({right})"
            self.mutants.append(Mutant("logic", "condition", start, end, text))
            for side in (left, right):
                self.mutants.append(Mutant("operand-dropped", "condition", start, end, side))

    def operator(self, cursor, children, table, rewrite):
        numbers = all(child.type.get_canonical().kind in NUMBERS for child in [cursor, *children])
        operator = self.between(*children) if len(children) == 2 else None
        if numbers and operator in table:
            left, right = (self.text_of(child) for child in children)
            # In `a - b`, b may be a product, but never a sum: no parentheses are missing.
            self.mutants.append(
                Mutant(rewrite, "expression", *self.range_of(cursor), f"{left} {table[operator]} {right}"))

    def call(self, cursor):
        name = cursor.spelling
        start, end = self.range_of(cursor)
        text = self.text(start, end)
        if name in CALLS:
            match = re.match(rf"(?:\w+::)*{name}\b", text)
            if match:
                changed = text[:match.end() - len(name)] + CALLS[name] + text[match.end():]
                self.mutants.append(Mutant("call", "expression", start, end, changed))
        comparison = name.removeprefix("operator")
        if comparison in COMPARISONS and cursor.type.get_canonical().kind == TypeKind.BOOL:
            self.mutants.append(Mutant("comparison", "condition", start, end, f"!({text})"))

    def constant(self, cursor, parent):
        start, end = self.range_of(cursor)
        text = self.text(start, end)
        before, after = self.source[:start].rstrip()[-1:], self.source[end:].lstrip()[:1]
        if parent.kind in NAMES_OF_THINGS or before == b"<" and parent.kind != CursorKind.BINARY_OPERATOR:
            return
        if after in (b">", b"]") and parent.kind not in (
                CursorKind.BINARY_OPERATOR, CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.CALL_EXPR):
            return
        if cursor.kind == CursorKind.CXX_BOOL_LITERAL_EXPR:
            others = {"true": ["false"], "false": ["true"]}.get(text, [])
        else:
            match = re.fullmatch(r"(0|[1-9][0-9']*|0[xX][0-9a-fA-F']+|0b[01']+)([uUlLzZ]*)", text)
            if not match:
                return
            number, suffix = int(match[1].replace("'", ""), 0), match[2]
            others = [f"{other}{suffix}" for other in (number + 1, number - 1) if other >= 0]
        for other in others:
            self.mutants.append(Mutant("constant", "expression", start, end, other))

    def choice(self, cursor, children):
        declares = any(child.kind == CursorKind.VAR_DECL for child in children)
        rest = [child for child in children if child.kind not in (CursorKind.VAR_DECL, CursorKind.DECL_STMT)]
        if "constexpr" in self.text(cursor.extent.start.offset, rest[0].extent.start.offset):
            return
        if not declares:
            self.negate(rest[0])
        if len(rest) == 3 and not self.ends_in_return(rest[2]):
            self.insert("else-dropped", rest[2].extent.start.offset, "{} else ")

    def negate(self, condition):
        start, end = self.range_of(condition)
        if self.is_here(condition):
            text = f"!({self.text(start, end)})"
            self.mutants.append(Mutant("condition-negated", "condition", start, end, text))

    def case(self, body, values):
        if body.kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT, CursorKind.BREAK_STMT):
            return
        if not self.is_here(body):
            return
        start = body.extent.start.offset
        if not self.ends_in_return(body):
            self.insert("case-dropped", start, "break;")
        elif values and not self.returns(body, values[0]):
            self.insert("case-dropped", start, f"return {values[0]};")

    def insert(self, rewrite, at, text):
        self.mutants.append(Mutant(rewrite, "insertion", at, at, text))

    def returns(self, statement, value):
        return self.text_of(statement).rstrip(" ;") == f"return {value}".rstrip()

    def ends_in_return(self, statement):
        text = self.text_of(statement)
        last = re.split(r"[;{}]", text.rstrip("; \n}"))[-1]
        return statement.kind == CursorKind.RETURN_STMT or last.strip().startswith("return")

    # Places in the source.

    def is_here(self, cursor):
        """Whether the text of the cursor is written in this file, and in no macro."""
        extent = cursor.extent
        if not extent.start.file or extent.start.file.name != self.path or extent.end.file.name != self.path:
            return False
        start = extent.start.offset
        return start < extent.end.offset and not any(low <= start < high for low, high in self.macros)

    def range_of(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def text(self, start, end):
        return self.source[start:end].decode()

    def text_of(self, cursor):
        return self.text(*self.range_of(cursor))

    def between(self, left, right):
        text = self.text(left.extent.end.offset, right.extent.start.offset)
        return re.sub(r"//.*", "", text).strip()


def returned(function):
    """What a function can return at once, without a look at anything."""
    if function.kind in (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR) or function.spelling == "main":
        return []
    result = function.result_type.get_canonical()
    if result.spelling in RETURNS_BY_NAME:
        return RETURNS_BY_NAME[result.spelling]
    if result.kind in INTEGERS:
        return ["0", "1"]
    return RETURNS.get(result.kind, [])


def macro_ranges(source):
    text = source.decode("latin-1")  # one character a byte
    for match in MACRO.finditer(text):
        depth, at = 1, match.end()
        while depth and at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        yield match.start(), at
