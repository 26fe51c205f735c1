# RUN: %python %s %examples %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a failed check no access to memory is reached but those to the fault record, and with a null record
none at all. The test follows the control flow of the PTX of all examples and of the kernels that test faults,
at each level of optimisation."""
import pathlib
import re
import subprocess
import sys

import ptx

LAST_PARAMETER = re.compile(r"ld\.param\.b64 (%rd\d+), \[([\w$]+_param_(\d+))\];")
# LLVM writes the end of code that cannot be reached in another way for new targets.
BUILDS = [("sm_75", "-O0"), ("sm_80", "-O2"), ("sm_90", "-O3"), ("sm_100", "-O2"), ("sm_100", "-O0")]
# What may be behind a failed check besides accesses to the record.
HARMLESS = re.compile(r"^(?:@!?%p\d+ )?(?:mov|setp|selp|cvt|and|or|xor|not|shl|shr|add|sub|ld\.param)\.")


def is_behind(function, tests, claim):
    """Whether each path to the claim leads through one of the tests."""
    pending, seen = [0], set(tests)
    while pending:
        at = pending.pop()
        if at == claim:
            return False
        if at not in seen:
            seen.add(at)
            pending += function.successors(at)
    return True


def check(function):
    """What is wrong with a function; the number of its checks' blocks."""
    code = function.code
    numbers = [int(number) for number in re.findall(r"_param_(\d+)", function.text)]
    records = {match.group(1) for match in map(LAST_PARAMETER.match, code)
               if match and int(match.group(3)) == max(numbers)}
    own = "|".join(map(re.escape, records)) or "none"
    claim = re.compile(rf"^atom\.relaxed\.gpu\.global\.cas\.b32 %r\d+, \[(?:{own})\+4\], 0, 1;$")
    access = re.compile(rf"^(?:st|atom)\.[\w.]+ (?:%r\d+, )?\[(?:{own})(?:\+\d+)?\],")
    starts = [at for at, line in enumerate(code) if claim.match(line)]
    seen, wrong = set(), []
    traps = [at for at, line in enumerate(code) if line == "brkpt;"]
    wrong += [f"a trap before: {code[at + 1]}" for at in traps if code[at + 1] != "exit;"]
    # The record is compared with null before each claim.
    null = re.compile(rf"^setp\.[a-z]+\.[bsu]64 %p\d+, (?:{own}), 0;$")
    tests = [at for at, line in enumerate(code) if null.match(line)]
    wrong += [f"no test for null before: {code[at]}" for at in starts if not is_behind(function, tests, at)]
    pending = list(starts)
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        if at >= len(code):
            wrong.append("the end of the code is reached")
            continue
        line = code[at]
        if line == "exit;":
            continue
        if not (access.match(line) or HARMLESS.match(line) or ptx.BRANCH.match(line)):
            wrong.append(f"a failed check reaches: {line}")
        pending += function.successors(at)
    if "trap;" in code:
        wrong.append("a trap whose exit ptxas drops")
    return wrong, len(starts)


root = pathlib.Path(sys.argv[2])
sources = sorted(pathlib.Path(sys.argv[1]).glob("*.spl"))
sources += [root / "test/e2e/Inputs/faults.spl", root / "test/e2e/Inputs/atomics.spl"]
problems, blocks = [], 0
for source in sources:
    text = source.read_text(encoding="utf-8")
    instances = re.findall("^# Instances: (.*)$", text, re.MULTILINE)
    kernels = [f"--kernel={name}" for line in instances for name in line.split()]
    for target, level in BUILDS:
        done = subprocess.run(["simple", "compile", source, "--target", target, level, "-o", "-", *kernels],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            problems.append(f"{source.name} {target} {level}: {done.stderr}")
            continue
        for function in ptx.functions(done.stdout):
            wrong, found = check(function)
            blocks += found
            problems += [f"{source.name} {target} {level} {function.name}: {each}" for each in wrong]
if blocks < 100:
    problems.append(f"only {blocks} failed checks were found")
# The test itself: it finds a path back into the code, a missing test for null, and a trap that is not the end.
broken = ptx.Function(""".visible .entry k(
.param .u64 k_param_0)
{
ld.param.b64 %rd1, [k_param_0];
L:
st.global.b32 [%rd2], %r1;
atom.relaxed.gpu.global.cas.b32 %r2, [%rd1+4], 0, 1;
@%p1 bra L;
exit;
brkpt;
trap;
exit;
}""")
assert check(broken) == (["a trap before: trap;",
                          "no test for null before: atom.relaxed.gpu.global.cas.b32 %r2, [%rd1+4], 0, 1;",
                          "a failed check reaches: st.global.b32 [%rd2], %r1;",
                          "a trap whose exit ptxas drops"], 1), check(broken)
sys.exit("\n".join(problems) or 0)
