# RUN: %python %s %examples %src_root %ptxas %nvdisasm
# REQUIRES: ptxas, nvdisasm
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In machine code, each trap is followed by EXIT, and behind the seal of a fault record nothing but EXIT is
reached. fault-paths.py shows the rest for PTX."""
import pathlib
import re
import subprocess
import sys
import tempfile

root, ptxas, nvdisasm = pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
sources = [*sorted(pathlib.Path(sys.argv[1]).glob("*.spl")), root / "test/e2e/Inputs/faults.spl"]
LINE = re.compile(r"/\*[0-9a-f]+\*/\s+(.*?)\s*;")
CLAIM = re.compile(r"ATOMG?\S*\.CAS\S*")


def blocks(lines):
    """The instructions behind each label, with the label that follows."""
    code, labels = [], {}
    for line in lines:
        label = re.match(r"^(\.L_x_\d+):", line)
        if label:
            labels[label.group(1)] = len(code)
        elif (match := LINE.search(line)) and match.group(1) != "NOP":
            code.append(match.group(1))
    return code, labels


def check(text):
    """What is wrong, and the number of claims of a fault record whose paths were followed."""
    wrong, claims = [], 0
    for function in re.split(r"^\.section\s+\.text\.|^\.text\.", text, flags=re.MULTILINE)[1:]:
        name = function.split(":")[0].split(",")[0].strip()
        code, labels = blocks(function.splitlines())
        traps = [at for at, line in enumerate(code) if "BPT" in line]
        wrong += [f"{name}: {code[at]} before {code[at + 1]}" for at in traps
                  if code[at] != "BPT.TRAP 0x1" or code[at + 1] != "EXIT"]
        if any("STRONG.SYS" in line for line in code):
            if not traps:
                wrong.append(f"{name}: no trap for a null record")
            claims += sum(bool(CLAIM.search(line)) for line in code)
        # From the seal of the record nothing but the end is reached.
        for start in [at for at, line in enumerate(code) if line.startswith("STG") and "STRONG.SYS" in line]:
            seen, pending = set(), [start + 1]
            while pending:
                at = pending.pop()
                if at in seen or at >= len(code):
                    continue
                seen.add(at)
                line = code[at]
                target = re.search(r"BRA `\((\.L_x_\d+)\)", line)
                if target:
                    pending.append(labels[target.group(1)])
                elif re.search(r"\b(ST|LD|ATOM|RED|BAR)", line):
                    wrong.append(f"{name}: behind a seal: {line}")
                if not re.match(r"^(EXIT|BRA )", line):
                    pending.append(at + 1)
    return wrong, claims


problems, found = [], 0
with tempfile.TemporaryDirectory() as folder:
    for source in sources:
        instances = re.findall("^# Instances: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
        kernels = [f"--kernel={name}" for line in instances for name in line.split()]
        for arch in ["sm_80", "sm_90"]:
            cubin = f"{folder}/{source.stem}.cubin"
            done = subprocess.run(["simple", "compile", source, "--target", arch, "--emit", "cubin", "-o", cubin,
                                   *kernels], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                problems.append(f"{source.name}: {done.stderr}")
                continue
            done = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                problems.append(f"{source.name}: {done.stderr}")
                continue
            wrong, claims = check(done.stdout)
            found += claims
            problems += [f"{source.name} for {arch}: {each}" for each in wrong]
if found < 50:
    problems.append(f"only {found} claims of a record were found")
sys.exit("\n".join(problems) or 0)
