# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which memory is the same for all work-items of a group, through every view of it.

A value that is loaded decides about a barrier. That is an error where work-items may write the memory, and none
where they may not. Every kind of memory is combined with every kind of view.
"""
import subprocess
import sys

# Parameters, operations that make %slice, its type, and whether a load from it is the same for all.
MEMORY = {
    "a parameter": ("%s: !spl.slice<T> {spl.name = \"s\"}", "", "T", True),
    "a mut parameter": ("%s: !spl.slice<T, mut> {spl.name = \"s\"}", "", "T, mut", False),
    "a mut parameter, read only": (
        "%p: !spl.slice<T, mut> {spl.name = \"s\"}", "%s = spl.read_only %p : !spl.slice<T, mut> -> !spl.slice<T>", "T", False),
    "shared": ("", "%s = spl.shared \"s\"[16] : !spl.slice<T, mut>", "T, mut", True),
    "shared, written": (
        "", "%s = spl.shared \"s\"[16] : !spl.slice<T, mut>\n  spl.call @write(%s) : (!spl.slice<T, mut>) -> ()", "T, mut",
        False),
    "shared_dyn": ("", "%s = spl.shared_dyn %zero : !spl.slice<T, mut>", "T, mut", False),
    "local, stored to alike": ("", "%s = spl.local 16 : !spl.slice<T, mut>", "T, mut", True),
    "the result of a function": (
        "%p: !spl.slice<T, mut> {spl.name = \"s\"}", "%s = spl.call @made(%p) : (!spl.slice<T, mut>) -> !spl.slice<T>",
        "T", False),
}
# A view of %s, with the type of the memory and the element that is loaded from it.
VIEWS = {
    "the whole": ("i64", "", "%s", "{kind}"),
    "a part": ("i64", "%v = spl.subslice %s[%zero to %two] : !spl.slice<{kind}>", "%v", "{kind}"),
    "a part of a part": (
        "i64", "%w = spl.subslice %s[%zero to %two] : !spl.slice<{kind}>\n  %v = spl.subslice %w[%zero to %one] : !spl.slice<{kind}>", "%v",
        "{kind}"),
    "a choice": ("i64", "%v = arith.select %true, %s, %s : !spl.slice<{kind}>", "%v", "{kind}"),
    "elements of vectors": (
        "vector<4xi64>", "%v = spl.part %s[%zero] : !spl.slice<{kind}> -> !spl.slice<{lane}>", "%v", "{lane}"),
}


def kernel(memory, view):
    parameters, make, kind, uniform = MEMORY[memory]
    element, make_view, loaded, type_of = VIEWS[view]
    lane = kind.replace("T", "i64")
    kind = kind.replace("T", element)
    make_view, type_of = (text.replace("{kind}", kind).replace("{lane}", lane) for text in (make_view, type_of))
    return f"""spl.func private @write(%p: !spl.slice<{element}, mut>) {{
  spl.return
}}
spl.func private @made(%p: !spl.slice<{element}, mut>) -> !spl.slice<{element}> {{
  %r = spl.read_only %p : !spl.slice<{element}, mut> -> !spl.slice<{element}>
  spl.return %r : !spl.slice<{element}>
}}
spl.kernel @k({parameters.replace("T", element)}) attributes {{signature = #spl.signature<"k()">}} {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %true = arith.constant true
  {make.replace("T", element)}
  {make_view}
  %x = spl.load {loaded}[%zero] : <{type_of}>
  %c = arith.cmpi eq, %x, %zero : i64
  scf.if %c {{
    spl.intrinsic "gpu.barrier" : () -> ()
  }}
  spl.return
}}
""", uniform


failed = False
for memory in MEMORY:
    for view in VIEWS:
        text, uniform = kernel(memory, view)
        result = subprocess.run(["simple-opt", "-", "-spl-check-barriers", "-o", "/dev/null"], input=text,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        refused = "barrier" in result.stdout and result.returncode != 0
        if result.returncode not in (0, 1) or refused == uniform or (uniform and result.returncode):
            failed = True
            print(f"{memory}, {view}: expected {'no error' if uniform else 'an error'}\n{text}\n{result.stdout}")
sys.exit(failed)
