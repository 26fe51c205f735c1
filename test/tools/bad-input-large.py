# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t %slowdown
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Very long or deeply nested sources give a diagnostic or a result, without a signal and within seconds."""
import pathlib
import random
import resource
import sys

from simple_tool import simple

FOLDER = pathlib.Path(sys.argv[1])
MANY = 100_000
LONG = 10_000_000
SECONDS = 10 * int(sys.argv[2])
GIGABYTES = 4

KERNEL = "#[gpu]\nfn k(a: i32, out: &mut [i32]):\n"
VALUE = KERNEL + "    out[0] = "
DEEP = ["nesting-too-deep"]


def lines(template, count):
    return "".join(template.format(i=i, before=i - 1) for i in range(count))


def nest(opening, innermost, closing):
    return opening * MANY + innermost + closing * MANY


# The source, the expected errors (none: it compiles), and the last stage to run.
CASES = {
    # Nearly empty files.
    "empty": ("", ["no-kernel"], "ptx"),
    "only a mark of byte order": (b"\xef\xbb\xbf", ["no-kernel"], "ptx"),
    "ten million empty lines": ("\n" * LONG, ["no-kernel"], "ptx"),
    "a megabyte of junk": (random.Random(1).randbytes(1 << 20), ["invalid-utf8"], "ptx"),
    "a megabyte of zeros": (b"\0" * (1 << 20), ["nul-byte"], "ptx"),
    # Lines of ten million characters.
    "a long comment": ("#" + "x" * LONG + "\n" + KERNEL + "    pass\n", [], "ptx"),
    "a long name": (VALUE + "x" * LONG + "\n", ["unknown-name"], "ptx"),
    "a long whole number": (VALUE + "9" * LONG + "\n", ["literal-too-large"], "ptx"),
    "a long hexadecimal number": (VALUE + "0x" + "f" * LONG + "\n", ["literal-too-large"], "ptx"),
    "a long fraction": (KERNEL + "    val f = 0." + "9" * LONG + "\n", ["invalid-number"], "ptx"),
    "a long exponent": (KERNEL + "    val f = 1e" + "9" * LONG + "\n", ["invalid-number"], "ptx"),
    "a long expression": (VALUE + "a+" * (LONG // 2) + "a\n", DEEP, "ptx"),
    "a long indentation": (KERNEL + " " * LONG + "pass\n", [], "ptx"),
    "a long string": (VALUE + '"' + "x" * LONG + "\n", ["unterminated-string"], "ptx"),
    "a long call": (VALUE + "math.max(" + "a, " * MANY + "a)\n", ["argument-count"], "ptx"),
    # Nested a hundred thousand times.
    "parentheses": (VALUE + "(" * MANY + "a" + ")" * MANY + "\n", DEEP, "ptx"),
    "parentheses never closed": (VALUE + "(" * MANY + "\n", ["unclosed-bracket"], "ptx"),
    "brackets": (VALUE + "out[" * MANY + "0" + "]" * MANY + "\n", DEEP, "ptx"),
    "calls": (VALUE + "math.abs(" * MANY + "a" + ")" * MANY + "\n", DEEP, "ptx"),
    "minus": (VALUE + "-" * MANY + "a\n", DEEP, "ptx"),
    "complements": (VALUE + "~" * MANY + "a\n", DEEP, "ptx"),
    "not": (KERNEL + "    val _b = " + "not " * MANY + "true\n", DEEP, "ptx"),
    "powers": (VALUE + "a ** " * MANY + "a\n", DEEP, "ptx"),
    "conditionals": (VALUE + "a if a > 0 else " * MANY + "a\n", DEEP, "ptx"),
    "casts": (VALUE + "a" + " as i32" * MANY + "\n", DEEP, "ptx"),
    "members": (VALUE + "a" + ".x" * MANY + "\n", DEEP, "ptx"),
    "a sum": (VALUE + "a + " * MANY + "a\n", DEEP, "ptx"),
    "a condition": (KERNEL + "    if " + "a > 0 and " * MANY + "true: pass\n", DEEP, "ptx"),
    "inline conditionals": (VALUE + "if a > 0: " * MANY + "a\n", DEEP, "ast"),
    "arrays": (VALUE + nest("[", "a", "]") + "\n", DEEP, "ast"),
    "arrays by count": (VALUE + nest("[a; ", "1", "]") + "\n", DEEP, "ast"),
    "tuples": (VALUE + nest("(a, ", "1", ")") + "\n", DEEP, "ast"),
    "sub-slices": (VALUE + nest("out[a..", "1", "]") + "\n", DEEP, "ast"),
    "places": (VALUE + nest("f(&mut g(", "a", "))") + "\n", DEEP, "ast"),
    "named arguments": (VALUE + nest("f(x: ", "a", ")") + "\n", DEEP, "ast"),
    "tuple members": (VALUE + "a" + ".0" * MANY + "\n", DEEP, "ast"),
    "arguments of generics": (VALUE + nest("f[", "i32", "](a)") + "\n", DEEP, "ast"),
    "array types": (KERNEL + "    val _t: " + nest("[", "i32", "; 1]") + " = a\n", DEEP, "ast"),
    "slice types": (KERNEL + "    val _t: " + nest("&[", "i32", "]") + " = a\n", DEEP, "ast"),
    "tuple types": (KERNEL + "    val _t: " + nest("(i32, ", "i32", ")") + " = a\n", DEEP, "ast"),
    "types in lengths": (VALUE + nest("a as [i32; ", "1", "]") + "\n", DEEP, "ast"),
    "long lengths in each other": (
        VALUE + ("a as [i32; " + "1 + " * 500) * 200 + "1" + "]" * 200 + "\n", DEEP, "ast"),
    "ranges": (KERNEL + "    for i in 0..=" + nest("(", "1", ")") + " step 1: pass\n", DEEP, "ast"),
    "unroll": (KERNEL + "    for i in 0..a unroll" + nest("(", "1", ")") + ": pass\n", DEEP, "ast"),
    "a pattern": (KERNEL + "    match a:\n        case " + "-" * MANY + "1: pass\n", DEEP, "ast"),
    "a value in a string": (KERNEL + '    print "{' + nest("(", "1", ")") + '}"\n', DEEP, "ast"),
    "a default argument": ("fn f(x: i32 = " + nest("(", "1", ")") + "): pass\n", DEEP, "ast"),
    "a constant": ("const C = " + nest("(", "1", ")") + "\n", DEEP, "ast"),
    "a field": ("struct S:\n    x: " + nest("[", "i32", "; 1]") + "\n", DEEP, "ast"),
    "an enum's value": ("enum E:\n    A = " + "-" * MANY + "1\n", DEEP, "ast"),
    "a block's size": ("#[gpu(block: [" + nest("(", "1", ")") + "])]\nfn k(): pass\n", DEEP, "ast"),
    # Blocks: 3,000 nested ones have 18 MB of indentation.
    "blocks": (KERNEL + "".join("    " * i + f"if a > {i}:\n" for i in range(1, 3000)), DEEP,
               "ptx"),
    "loops": (KERNEL + "".join("  " * i + "while a > 0:\n" for i in range(1, 3000)), DEEP, "ptx"),
    "matches": (KERNEL + "".join("  " * i + ("case 1:\n" if i % 2 else "match a:\n")
                                 for i in range(2, 3000)), DEEP, "ast"),
    "structs": ("".join("  " * i + "struct S:\n" for i in range(3000)), ["misplaced-item"], "ast"),
    "elif": (KERNEL + "    if a == 0: pass\n" + lines("    elif a == {i}: pass\n", MANY), DEEP,
             "ptx"),
    # Many statements of a kind. The longest kernels stop before LLVM, whose passes take most of the
    # time.
    "statements": (KERNEL + "    out[0] += a\n" * MANY, [], "mir-final"),
    "names": (KERNEL + lines("    val _x{i} = a\n", MANY), [], "ptx"),
    "functions": (lines("fn fn{i}(x: i32) -> i32: return x\n", MANY) + VALUE + "fn5(a)\n", [],
                  "ptx"),
    "a chain of calls": (lines("fn fn{i}(x: i32) -> i32: return fn{before}(x)\n", MANY)
                         .replace("fn-1(x)", "x", 1) + VALUE + f"fn{MANY - 1}(a)\n", [], "ptx"),
    "parameters": ("#[gpu]\nfn k(" + lines("p{i}: i32, ", 20000) + "):\n    pass\n", [],
                   "mir-final"),
    "cases": (KERNEL + "    match a:\n" + lines("        case {i}: pass\n", MANY), [], "ast"),
    "alternatives": (KERNEL + "    match a:\n        case " + "1 | " * MANY + "1: pass\n",
                     [], "ast"),
    "attributes": ("#[inline]\n" * MANY + "fn f(): pass\n",
                   ["duplicate-attribute", "too-many-errors"], "ast"),
    "fields": ("struct S:\n" + lines("    x{i}: i32\n", MANY), [], "ast"),
    "members": ("enum E:\n" + lines("    X{i}\n", MANY), [], "ast"),
    "generics": ("fn f[" + lines("T{i}, ", MANY) + "](): pass\n", [], "ast"),
    "used names": ("use a.{" + lines("x{i}, ", MANY) + "}\n", [], "ast"),
    "values in a string": (KERNEL + '    print "' + "{a}" * MANY + '"\n', [], "ast"),
    "braces in a string": (KERNEL + '    print "' + "{" * MANY + '"\n', [], "ast"),
    "braces never closed": (KERNEL + '    print "' + "{a " * MANY + '"\n', ["lone-brace"], "ast"),
    "escapes": (KERNEL + '    print "' + "\\n" * MANY + '"\n', [], "ast"),
    "wrong escapes": (KERNEL + '    print "' + "\\q" * MANY + '"\n',
                      ["unknown-escape", "too-many-errors"], "ast"),
    "elements": (VALUE + "[" + "a, " * MANY + "]\n", [], "ast"),
    "names of a tuple": (KERNEL + "    val (" + lines("x{i}, ", MANY) + ") = a\n", [], "ast"),
    "a chain of comparisons": (KERNEL + "    if " + "a < " * MANY + "a: pass\n",
                               DEEP, "ptx"),
    "errors": (KERNEL + lines("    out[0] = q{i}\n", MANY), ["unknown-name", "too-many-errors"],
               "ptx"),
    "one name a hundred thousand times": (KERNEL + "    out[0] = b\n" * MANY, ["unknown-name"],
                                          "ptx"),
    "else": (KERNEL + "    if a == 0: pass\n" + "    else: pass\n" * MANY,
             ["else-without-if", "too-many-errors"], "ptx"),
    "a ring of calls": (lines("fn fn{i}(x: i32) -> i32: return fn{before}(x)\n", MANY)
                        .replace("fn-1(x)", f"fn{MANY - 1}(x)"), ["recursion"], "ptx"),
    # Unterminated constructs.
    "a docstring": ('"""' + "x\n" * 1000, ["unterminated-docstring"], "ptx"),
    "a string": (VALUE + '"x\n', ["unterminated-string"], "ptx"),
    "a bracket": (VALUE + "out[a\n    out[1] = 2\n", ["unclosed-bracket"], "ptx"),
    "a parenthesis": ("#[gpu]\nfn k(a: i32\n", ["unclosed-bracket"], "ptx"),
    "an attribute": ("#[gpu\nfn k():\n    pass\n", ["unclosed-bracket"], "ptx"),
    "a block": (KERNEL + "    if a > 0:\n", ["expected-block"], "ptx"),
    "a function": ("#[gpu]\nfn k():\n", ["expected-block"], "ptx"),
    "a header": ("#[gpu]\nfn k()", ["missing-colon"], "ptx"),
    # Misspelt names.
    "a name": (VALUE + "b\n", ["unknown-name"], "ptx"),
    "a misspelt name": (KERNEL + "    uot[0] = a\n", ["unknown-name"], "ptx"),
    "a misspelt function": (VALUE + "math.squirt(a)\n", ["unknown-member"], "ptx"),
}


def check(name, text, kinds, stage):
    path = FOLDER / "source.spl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = simple("compile", path, "--emit", stage, "-o", FOLDER / "out")
    names = [line.rsplit("[", 1)[1].rstrip("]") for line in result.err.splitlines()
             if "error: " in line and line.endswith("]")]
    if result.status != (1 if kinds else 0):
        yield f"ended with {result.status}"
    if sorted(set(names)) != sorted(kinds):
        yield f"reported {sorted(set(names))}, not {kinds}"
    if "too-many-errors" not in kinds and len(names) != len(kinds):
        yield f"reported {len(names)} errors for one error"
    if len(result.err) > 100_000:
        yield f"wrote {len(result.err)} characters"
    if result.seconds > SECONDS:
        yield f"took {result.seconds:.1f} s"


problems = [f"{name}: {problem}"
            for name, case in CASES.items() for problem in check(name, *case)]
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if kilobytes > GIGABYTES << 20:
    problems.append(f"one of them took {kilobytes} KiB of memory")
print("\n".join(problems))
sys.exit(1 if problems else 0)
