# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The control flow of SASS, the machine code of NVIDIA GPUs, as nvdisasm prints it. Used by gpu_code.py."""
import re

SECTION = re.compile(r"^\s*\.section\s+\.text\.([\w$]+)")
LABEL = re.compile(r"^(\.L_x_\d+):")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@(!?U?P\w+)\s+)?(\S[^;]*?)\s*;")
TARGET = re.compile(r"`\((\.L_x_\d+)\)")
JUMPS = ("BRX", "JMX", "JMP", "BRXU")  # to addresses in registers; nvdisasm adds those of a table as a comment
TABLE = re.compile(r"BRANCH_TARGETS ([^\"]*)")


class Function:
    """A kernel: its instructions, and the instructions that may run after each.

    - The subroutines that ptxas adds, as for divisions, and the padding are not reached.
    - Nor is the code to which BRA.DIV branches: it shuffles the lanes of a warp that is not converged.
    """

    def __init__(self, name, code, labels):
        self.name, self.code, self.labels = name, code, labels
        self.successors = [self._successors(at) for at in range(len(code))]
        self.reached = self._reached_without(frozenset())

    def _successors(self, at):
        predicate, text = self.code[at]
        opcode, _, operands = text.partition(" ")
        operation = opcode.split(".")[0]
        if operation in JUMPS:
            table = TABLE.search(operands)
            if not table:
                raise ValueError(f"{self.name}: cannot follow '{text}'")
            return [self.labels[label] for label in table.group(1).split(",")]
        # ptxas also jumps by CALL within a kernel. A subroutine has another kind of label.
        target = TARGET.search(operands)
        if target and operation in ("BRA", "CALL") and not opcode.startswith("BRA.DIV"):
            is_conditional = predicate is not None or not operands.startswith("`")
            return [self.labels[target.group(1)], *([at + 1] if is_conditional else [])]
        if operation in ("EXIT", "RET") and predicate is None:
            return []
        if operation == "BSYNC":
            return self._after_bsync(at, operands)
        return [at + 1]

    def _after_bsync(self, at, barrier):
        """A BSYNC continues where the BSSY of its barrier says, which is mostly the next instruction."""
        targets = [self.labels[TARGET.search(text).group(1)] for _, text in self.code
                   if re.match(rf"BSSY\S* {barrier},", text)]
        return [at + 1] if at + 1 in targets or not targets else sorted(set(targets))

    def _reached_without(self, without):
        """The instructions that may run before any of a set does."""
        found, pending = set(), [0]
        while pending:
            at = pending.pop()
            if at not in found and at not in without and at < len(self.code):
                found.add(at)
                pending += self.successors[at]
        return found

    def _leading_to(self, ends, without=frozenset()):
        """The instructions from which one of these can be reached without running those of another set."""
        predecessors = {}
        for at in self.reached:
            for successor in self.successors[at]:
                predecessors.setdefault(successor, []).append(at)
        found, pending = set(), list(ends)
        while pending:
            at = pending.pop()
            if at not in found and at not in without:
                found.add(at)
                pending += predecessors.get(at, [])
        return found

    def before_exit(self):
        """The instructions that a thread without a fault may run.

        A check that fails tests whether there is a record of faults, and branches to a trap if not. A thread
        without a fault does not run that test, and ends otherwise.
        """
        traps = {at for at in self.reached if self.code[at][1].startswith("BPT.TRAP")}
        tests = {at for at in self.reached if traps & set(self.successors[at])}
        live = self._reached_without(traps | tests)
        return live & self._leading_to([at for at in live if self.code[at][1] == "EXIT"], traps | tests)

    def count(self):
        """The number of instructions that a thread without a fault may run."""
        return sum(self.code[at][1] != "NOP" for at in self.before_exit())

    def loops(self):
        """The innermost loops, as sets of instructions."""
        dominators = self._dominators()
        bodies = {}
        for at in self.reached:
            for header in self.successors[at]:
                if header < len(self.code) and dominators[at] >> header & 1:
                    bodies.setdefault(header, {header}).update(self._leading_to([at], {header}))
        return [body for header, body in bodies.items()
                if not any(other in body for other in bodies if other != header)]

    def _dominators(self):
        """For each instruction, a set of bits: the instructions that run before it in any case, and itself."""
        every = (1 << len(self.code)) - 1
        found = {at: every for at in self.reached}
        found[0] = 1
        predecessors = {at: [] for at in self.reached}
        for at in self.reached:
            for successor in self.successors[at]:
                if successor in predecessors:
                    predecessors[successor].append(at)
        changed = True
        while changed:
            changed = False
            for at in sorted(self.reached - {0}):
                common = every
                for predecessor in predecessors[at]:
                    common &= found[predecessor]
                common |= 1 << at
                if common != found[at]:
                    found[at], changed = common, True
        return found

    def round(self, pattern, number):
        """The instructions of a round of the innermost loop with the most instructions that match the pattern, if
        there is one. A round has this number of them, so a loop with twice as many has been unrolled twice."""
        most, rounds = 0, None
        for body in self.loops():
            texts = [self.code[at][1] for at in body if self.code[at][1] != "NOP"]
            matches = sum(bool(re.match(pattern, text)) for text in texts)
            if matches > most:
                most, rounds = matches, len(texts) * number / matches
        return rounds


def functions(text):
    """The kernels of a listing."""
    found, name, code, labels = [], None, [], {}
    for line in [*text.splitlines(), ".section .text.$end"]:
        section, label, instruction = SECTION.match(line), LABEL.match(line), INSTRUCTION.match(line)
        if section:
            if code:
                found.append(Function(name, code, labels))
            name, code, labels = section.group(1), [], {}
        elif label:
            labels[label.group(1)] = len(code)
        elif instruction:
            code.append((instruction.group(1), instruction.group(2)))
    return found
