# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No class has more than 40 member functions. A larger class does more than one thing."""
import re

import lint

LIMIT = 40
FOLDERS = ["abi", "bench", "cli", "codegen", "diagnostics", "driver", "examples", "frontend", "intrinsics", "jit", "mir", "runtime",
           "test", "tools"]
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#(?:[^\n\\]|\\.)*', re.DOTALL | re.MULTILINE)
CLASS = re.compile(r"\b(?:class|struct)\s+(?:alignas\s*\([^)]*\)\s*)?((?:\w+::)*\w+)(?:\s+final)?\s*(?::[^;{()]*)?\{")
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "decltype", "alignas", "static_assert", "noexcept",
            "requires", "explicit", "case"}
FUNCTION = re.compile(r"(~?\b[A-Za-z_]\w*|\boperator\b\s*[^\s\w(]*(?:\(\))?)\s*\(")


def closing(text, start):
    """The position after the brace that closes the brace at start."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def members(body):
    """The declarations in a class's body, without the bodies of functions and nested classes."""
    at, begin = 0, 0
    while at < len(body):
        if body[at] == ";":
            yield body[begin:at]
            begin = at + 1
        elif body[at] == "{":
            end = closing(body, at)
            yield body[begin:at]
            at, begin = end - 1, end
        at += 1


def is_function(declaration):
    declaration = re.sub(r"\b(?:public|private|protected)\s*:(?!:)", " ", declaration).strip()
    declaration = re.sub(r"^template\s*", "", declaration)
    while (shorter := re.sub(r"<[^<>]*>", "", declaration)) != declaration:
        declaration = shorter
    if not declaration or re.match(r"(?:using|typedef|friend|static_assert|enum|class|struct|union)\b", declaration):
        return False
    found = FUNCTION.search(declaration)
    return bool(found) and found.group(1) not in KEYWORDS and "=" not in declaration[:found.start()]


def classes(text):
    text = NOISE.sub(" ", text)
    for found in CLASS.finditer(text):
        start = found.end() - 1
        yield found.group(1), sum(map(is_function, members(text[start + 1:closing(text, start) - 1])))


def check(root):
    for path in lint.sources(root, folders=FOLDERS, suffixes=[".h", ".cpp"]):
        for name, count in classes(lint.read(path)):
            if count > LIMIT:
                yield f"{path.relative_to(root)}: class {name} has {count} member functions; the limit is {LIMIT}"


MANY = "".join(f"  int f{i}(int x) const;\n" for i in range(LIMIT))
lint.main(
    check,
    sound={
        "mir/A.h": f"class A : B<int> {{\npublic:\n{MANY}  // void g();\n  std::function<void(int)> done;\n"
                   "  friend bool same(A, A);\n  int x = f(1);\n  struct C { void h(); void i(); };\n};\n",
    },
    broken=[
        ({"mir/A.h": f"class A {{\n{MANY}  A() : x(1) {{ f(); }}\n}};\n"}, "class A has 41"),
        ({"mir/A.cpp": f"struct A::B final : C {{\n{MANY}  bool operator==(B) const;\n}};\n"}, "class A::B has 41"),
    ],
)
