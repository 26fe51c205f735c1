# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A math function of a vector gives each lane the result of its own lane, however many lanes the library's function
has: more, fewer or one. The code is followed lane by lane.
"""
import re
import subprocess
import sys

TARGETS = ["cpu:x86-64", "cpu:haswell", "cpu:skylake-avx512", "sm_75"]


def kernel(name, function, operands, lanes, element):
    vector = f"vector<{lanes}x{element}>"
    types = ", ".join([vector] * operands)
    arguments = ", ".join(["%x", "%y"][:operands])
    return f"""spl.func @{name}(%x: {vector}, %y: {vector}) -> {vector} {{
  %r = spl.intrinsic "math.{function}"({arguments}) : ({types}) -> {vector}
  spl.return %r : {vector}
}}
"""


def followed(body):
    """What the function returns, as one text for each lane."""
    values = {f"%arg{index}": [f"{letter}{lane}" for lane in range(64)] for index, letter in enumerate("xy")}
    for line in body.splitlines():
        line = line.strip()
        if match := re.match(r"(%\w+) = llvm.mlir.constant\((\d+) : ", line):
            values[match[1]] = int(match[2])
        elif match := re.match(r"(%\w+) = llvm.mlir.poison : vector<(\d+)x", line):
            values[match[1]] = ["poison"] * int(match[2])
        elif match := re.match(r"(%\w+) = llvm.shufflevector (%\w+), (%\w+) \[(.*?)\] : vector<(\d+)x", line):
            both = values[match[2]][:int(match[5])] + values[match[3]][:int(match[5])]
            values[match[1]] = [both[int(lane)] for lane in match[4].split(",")]
        elif match := re.match(r"(%\w+) = llvm.extractelement (%\w+)\[(%\w+) ", line):
            values[match[1]] = values[match[2]][values[match[3]]]
        elif match := re.match(r"(%\w+) = llvm.insertelement (%\w+), (%\w+)\[(%\w+) ", line):
            vector = list(values[match[3]])
            vector[values[match[4]]] = values[match[2]]
            values[match[1]] = vector
        elif match := re.match(r"(%\w+) = llvm.call @.*?\((.*?)\) : ", line):
            operands = [values[name] for name in match[2].split(", ")]
            is_vector = isinstance(operands[0], list)
            lanes = int(re.search(r"-> vector<(\d+)x", line)[1]) if is_vector else 1
            calls = [f"f({','.join(lane)})" for lane in (
                zip(*[operand[:lanes] for operand in operands]) if is_vector else [operands])]
            values[match[1]] = calls if is_vector else calls[0]
        elif match := re.match(r"llvm.return (%\w+) ", line):
            return values[match[1]]
    return None


cases = [(function, operands, lanes, element) for function, operands in (("sin", 1), ("atan2", 2))
         for lanes in (2, 4, 8, 16) for element in ("f32", "f64")]
text = "".join(kernel(f"f{index}", *case) for index, case in enumerate(cases))
wrong = []
for target in TARGETS:
    result = subprocess.run(["simple-opt", "-", f"--spl-to-llvm=target={target}"], input=text,
                            stdout=subprocess.PIPE, text=True, check=True)
    for index, (function, operands, lanes, element) in enumerate(cases):
        body = re.search(rf"llvm.func [^\n]*@spl\.fn\.f{index}\(.*?\n  }}", result.stdout, re.DOTALL)[0]
        found = followed(body)
        expected = [f"f({','.join(letter + str(lane) for letter in 'xy'[:operands])})" for lane in range(lanes)]
        if found is None or found[:lanes] != expected:
            wrong.append(f"{target}: {function} of {lanes} x {element} is {found}\n{body}")
sys.exit("\n".join(wrong[:3]) or None)
