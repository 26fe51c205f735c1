# UNSUPPORTED: asan
# RUN: rm -rf %t && mkdir -p %t/bin %t/tmp && %python %s %src_root/examples/saxpy.spl %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compilation that is interrupted leaves no output and no temporary files. The next start removes what SIGKILL
leaves, but no files of a running process."""
import atexit
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time

source, folder = sys.argv[1:]
# A linker that waits for a file.
linker = f"{folder}/bin/ld.lld-22"
real = next(filter(None, map(shutil.which, ["ld.lld-22", "ld.lld", "ld"])))
with open(linker, "w") as script:
    script.write(f"#!/bin/sh\ntouch {folder}/links\nuntil test -e {folder}/go; do sleep 0.05; done\nexec {real} \"$@\"\n")
os.chmod(linker, 0o755)
environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", TMPDIR=f"{folder}/tmp")


def temporaries():
    return set(os.listdir(f"{folder}/tmp"))


def end(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def linking(disposition):
    """Starts a compilation that waits for its linker."""
    def dispose():
        for each in SIGNALS:
            signal.signal(each, disposition)

    process = subprocess.Popen(
        ["simple", "compile", source, "--emit", "bundle", "--target", "cpu:x86-64-v3", "-o",
         f"{folder}/out"], env=environment, start_new_session=True, preexec_fn=dispose)
    atexit.register(end, process)
    while not os.path.exists(f"{folder}/links"):
        assert process.poll() is None, process.returncode
        time.sleep(0.01)
    os.remove(f"{folder}/links")
    assert temporaries()
    return process


def start(*command):
    return subprocess.run(["simple", *command], env=environment, check=True, stdout=subprocess.DEVNULL)


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
for ended in SIGNALS:
    process = linking(signal.SIG_DFL)
    os.killpg(process.pid, ended)  # like a terminal
    assert process.wait() == -ended, process.returncode
    assert not temporaries(), (ended, temporaries())
    assert not os.path.exists(f"{folder}/out")

process = linking(signal.SIG_IGN)
for ignored in SIGNALS:
    os.killpg(process.pid, ignored)
time.sleep(0.3)
assert process.poll() is None and temporaries()
os.killpg(process.pid, signal.SIGKILL)
process.wait()

# The next start removes its files. Files of others with similar names stay.
left = temporaries()
assert left
others = {"spl-000000.o", "simple-gpu-temporary-mine.lock", "simple-gpu-temporary-abcdef-1.o"}
for name in others:
    open(f"{folder}/tmp/{name}", "w").close()
start("devices")
assert temporaries() == others, temporaries()

# One of two linking processes is killed. The next start and the end of the other process remove
# only the right files.
living = linking(signal.SIG_DFL)
ofLiving = temporaries() - others
killed = linking(signal.SIG_DFL)
ofKilled = temporaries() - others - ofLiving
assert ofLiving and ofKilled
os.killpg(killed.pid, signal.SIGKILL)
killed.wait()
assert temporaries() == others | ofLiving | ofKilled
start("compile", source, "-o", f"{folder}/other.ptx")
assert temporaries() == others | ofLiving, temporaries()
open(f"{folder}/go", "w").close()
assert living.wait(20) == 0 and os.path.getsize(f"{folder}/out")
assert temporaries() == others, temporaries()

# The same for temporary files beside outputs: one of a killed process, and one of a running
# process.
os.mkdir(f"{folder}/outputs")
written = open(f"{folder}/outputs/.simple-gpu-output-living", "w", encoding="utf-8")
fcntl.flock(written, fcntl.LOCK_EX)
outputs = {".simple-gpu-output-living", ".simple-gpu-output", ".simple-gpu-output-abcdefg"}
for name in outputs | {".simple-gpu-output-killed"}:
    open(f"{folder}/outputs/{name}", "a").close()
start("compile", source, "-o", f"{folder}/outputs/out.ptx")
assert set(os.listdir(f"{folder}/outputs")) == outputs | {"out.ptx"}, os.listdir(f"{folder}/outputs")
