# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constant arguments of instances that are requested by name: each type takes the numbers from its least to its most,
and no others, however many digits they have.
"""
import subprocess
import sys
import tempfile

TYPES = [f"{sign}{width}" for sign in "iu" for width in (8, 16, 32, 64)] + ["bool"]
source = "".join(f"#[gpu]\nfn of_{name}[const N: {name}](x: &mut [{name}]):\n    x[0] = N\n" for name in TYPES)


def arguments(name):
    """Texts, and whether the type has such a number."""
    if name == "bool":
        yield from ((text, text in ("true", "false")) for text in ("true", "false", "0", "1", "2", "-true"))
        return
    width, signed = int(name[1:]), name[0] == "i"
    least = -(1 << width - 1) if signed else 0
    most = least + (1 << width) - 1
    for bits in (0, width - 2, width - 1, width, width + 1, 63, 64, 65, 128):
        for number in {(1 << bits) - 1, 1 << bits, (1 << bits) + 1}:
            for value in (number, -number):
                yield str(value), least <= value <= most
    for text in ("true", "", "-", "1x", "0x1", "1.0", "--1"):
        yield text, False


wrong = []
with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
    file.write(source)
    file.flush()

    def compile_instances(instances):
        requests = [word for instance in instances for word in ("--kernel", instance)]
        return subprocess.run(["simple", "compile", file.name, "--emit", "mir", "-o", "-", *requests],
                              capture_output=True, text=True, check=False)

    for name in TYPES:
        cases = sorted(set(arguments(name)))
        # All that are in range are instances of one module, with the number that was written.
        inside = [text for text, fits in cases if fits]
        result = compile_instances(f"of_{name}[{text}]" for text in inside)
        for text in inside:
            constant = text if name == "bool" else f"{text} : {name.replace('u', 'i')}"
            if name[0] == "u" and int(text) >> int(name[1:]) - 1:
                constant = f"{int(text) - (1 << int(name[1:]))} : {name.replace('u', 'i')}"
            if f"arith.constant {constant}" not in result.stdout:
                wrong.append(f"of_{name}[{text}] has no constant {constant}: {result.stderr[:300]}")
        # An error names each of the others.
        outside = [text for text, fits in cases if not fits]
        result = compile_instances(f"of_{name}[{text}]" for text in outside)
        errors = sum(": error: " in line or line.startswith("error: ") for line in result.stderr.splitlines())
        if result.returncode not in (1, 2) or errors != len(outside):
            wrong.append(f"{name}: {errors} errors for {len(outside)} of {outside}\n{result.stderr[:3000]}")
sys.exit("\n".join(wrong) or None)
