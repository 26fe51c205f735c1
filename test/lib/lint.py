# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checks of test/lint share.

A check is a function from a source tree's root to the problems it finds, each one line of text. Each
check comes with a small sound tree, in which it finds nothing, and with broken ones, in which it must
find what is named; only then is it let loose on the project. So no check can pass by finding nothing
anywhere.
"""
import os
import pathlib
import sys
import tempfile

SOURCE_FOLDERS = [
    "abi", "bench", "cli", "codegen", "driver", "examples", "frontend", "intrinsics", "jit", "mir", "runtime",
    "scripts", "test", "tools",
]
CODE_SUFFIXES = [".h", ".cpp", ".c", ".td", ".def", ".py", ".sh"]


def sources(root, folders=None, suffixes=None):
    """The files under these folders with these suffixes, in a fixed order.

    Without suffixes: all code, which in scripts/ includes the commands, whose names have none.
    """
    for folder in folders or SOURCE_FOLDERS:
        accepted = suffixes or CODE_SUFFIXES + ([""] if folder == "scripts" else [])
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in accepted:
                yield path


def read(path):
    return path.read_text(encoding="utf-8")


def main(check, sound, broken):
    """Tries the check on the sound and broken trees, then runs it on the tree named by argv.

    sound is {path: text}; broken is a list of ({path: text or None}, expected), each a change to the
    sound tree (None removes a file) and a text that one of the problems must contain.
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
