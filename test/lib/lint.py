# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The common part of the checks in test/lint.

A check is a function from the root of a source tree to the problems it finds, one line of text each.
Each check comes with a small correct tree, in which it must find nothing, and with broken trees, in
which it must find the named problem. It runs on the project only after it passes this self-test. So
a check that never finds anything fails.
"""
import os
import pathlib
import sys
import tempfile

SOURCE_FOLDERS = [
    "abi", "bench", "cli", "codegen", "diagnostics", "driver", "examples", "frontend", "intrinsics", "jit", "mir", "runtime",
    "scripts", "test", "tools",
]
CODE_SUFFIXES = [".h", ".cpp", ".c", ".cl", ".td", ".def", ".py", ".sh"]


def sources(root, folders=None, suffixes=None):
    """The files under these folders with these suffixes, in a fixed order.

    Without suffixes: all code. In scripts/ this includes the commands, whose names have no suffix.
    """
    for folder in folders or SOURCE_FOLDERS:
        accepted = suffixes or CODE_SUFFIXES + ([""] if folder == "scripts" else [])
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in accepted:
                yield path


def read(path):
    return path.read_text(encoding="utf-8")


def main(check, sound, broken):
    """Runs the check on the correct and the broken trees, then on the tree that argv names.

    sound is {path: text}. broken is a list of ({path: text or None}, expected): each changes the correct
    tree (None removes a file) and names a text that one of the problems must contain.
    """
    errors = list(self_test(check, sound, broken))
    problems = [f"the check itself is wrong: {error}" for error in errors]
    if not errors:
        problems = list(check(pathlib.Path(sys.argv[1])))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def self_test(check, sound, broken):
    for problem in check_tree(check, sound):
        yield f"finds a problem in the sound tree: {problem}"
    for changes, expected in broken:
        problems = check_tree(check, {**sound, **changes})
        if not any(expected in problem for problem in problems):
            yield f"does not find '{expected}', but {problems}"


def check_tree(check, files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            if text is None:
                continue
            path = root / name
            os.makedirs(path.parent, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                path.chmod(0o755)
        return list(check(root))
