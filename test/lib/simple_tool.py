# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `simple` for the tests of test/tools that are Python programs."""
import os
import pathlib
import resource
import struct
import subprocess

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
VECTOR_ADD = str(EXAMPLES / "vector_add.spl")


class Result:
    """The result of a run. status is the exit status, negative for a signal. out and err are its output.
    seconds is its CPU time, which does not depend on other processes."""

    def __init__(self, arguments, done, seconds):
        self.arguments = arguments
        self.status = done.returncode
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")
        self.seconds = seconds

    def __str__(self):
        shown = " ".join(text[:100] for text in self.arguments)
        return f"simple {shown}\n-> {self.status} after {self.seconds:.1f} s\n" \
               f"{self.out[:1000]}\n{self.err[:1000]}"


def simple(*arguments, time_limit=120, **environment):
    """Runs simple. Its kernels run on the CPU, even if there is a GPU."""
    arguments = [str(argument) for argument in arguments]
    before = seconds_of_children()
    done = subprocess.run(["simple", *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          env={**os.environ, "SPL_BACKEND": "cpu", **environment},
                          timeout=time_limit, check=False)
    return Result(arguments, done, seconds_of_children() - before)


def seconds_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def npy(descr, shape, data, fortran=False, version=1):
    """The bytes of a .npy file, as the specification of the format defines them."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape!r}, }}"
    size = 2 if version == 1 else 4
    header += " " * (-(6 + 2 + size + len(header) + 1) % 64) + "\n"
    return (b"\x93NUMPY" + bytes([version, 0]) + len(header).to_bytes(size, "little")
            + header.encode() + data)


def read_npy(path):
    """The (descr, shape, data) of a .npy file that simple wrote."""
    content = pathlib.Path(path).read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    end = 10 + struct.unpack("<H", content[8:10])[0]
    assert end % 64 == 0 and content[end - 1:end] == b"\n"
    header = eval(content[10:end])  # pylint: disable=eval-used  # the header is a Python literal
    assert set(header) == {"descr", "fortran_order", "shape"} and header["fortran_order"] is False
    return header["descr"], header["shape"], content[end:]
