# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The control flow of PTX as the compiler writes it: for tests, and for scripts/bench."""
import re

FUNCTION = re.compile(r"^(?:\.visible )?\.(?:entry|func)\b.*?^\}", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"^(\$?[\w$]+):$")
BRANCH = re.compile(r"^(?:@!?%p\d+ )?bra(?:\.uni)? (\$?[\w$]+);$")
NAME = re.compile(r"\.(?:entry|func)\b\s*(?:\([^)]*\)\s*)?([\w$]+)")


class Function:
    """A function or an entry: its instructions, each on a line, and the positions of its labels."""

    def __init__(self, text):
        self.text = text
        self.name = NAME.search(text).group(1)
        self.is_entry = ".entry" in text.split("{", 1)[0]
        self.code, self.labels = [], {}
        for line in text.split("{", 1)[1].splitlines():
            line = re.sub(r"\s+", " ", line.split("//")[0]).strip()
            if LABEL.match(line):
                self.labels[LABEL.match(line).group(1)] = len(self.code)
            elif line and line not in "{}" and not line.startswith((".", "{")):
                self.code.append(line)

    def successors(self, at):
        line = self.code[at]
        branch = BRANCH.match(line)
        if branch:
            target = self.labels[branch.group(1)]
            return [target, at + 1] if line.startswith("@") else [target]
        return [] if line in ("exit;", "ret;") else [at + 1]

    def before_return(self):
        """The instructions from which the function returns: all but those of failed checks. Branches that are
        always taken do not count: they order the text alone."""
        predecessors = {}
        for at in range(len(self.code)):
            for successor in self.successors(at):
                predecessors.setdefault(successor, []).append(at)
        pending = [at for at, line in enumerate(self.code) if line == "ret;"]
        found = set()
        while pending:
            at = pending.pop()
            if at not in found:
                found.add(at)
                pending += predecessors.get(at, [])
        return [at for at in sorted(found) if not self.code[at].startswith("bra")]


def functions(text):
    return [Function(each) for each in FUNCTION.findall(text)]
