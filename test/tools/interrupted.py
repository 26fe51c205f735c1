# UNSUPPORTED: asan
# RUN: rm -rf %t && mkdir -p %t/bin %t/tmp && %python %s %src_root/examples/saxpy.spl %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is compiled when somebody ends it leaves nothing behind: no output, no temporary files."""
import os
import signal
import subprocess
import sys
import time

source, folder = sys.argv[1:]
# A linker that never comes to its end.
linker = f"{folder}/bin/ld.lld-22"
with open(linker, "w") as script:
    script.write(f"#!/bin/sh\ntouch {folder}/links\nexec sleep 20\n")
os.chmod(linker, 0o755)
environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", TMPDIR=f"{folder}/tmp")



def linking(disposition):
    """A compilation that waits for its linker."""
    def dispose():
        for each in SIGNALS:
            signal.signal(each, disposition)

    process = subprocess.Popen(
        ["simple", "compile", source, "--emit", "bundle", "--target", "cpu:x86-64-v3", "-o",
         f"{folder}/out"], env=environment, start_new_session=True, preexec_fn=dispose)
    while not os.path.exists(f"{folder}/links"):
        assert process.poll() is None, process.returncode
        time.sleep(0.01)
    os.remove(f"{folder}/links")
    assert os.listdir(f"{folder}/tmp")
    return process


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
for ended in SIGNALS:
    process = linking(signal.SIG_DFL)
    os.killpg(process.pid, ended)  # as a terminal does
    assert process.wait() == -ended, process.returncode
    assert not os.listdir(f"{folder}/tmp"), (ended, os.listdir(f"{folder}/tmp"))
    assert not os.path.exists(f"{folder}/out")

process = linking(signal.SIG_IGN)
for ignored in SIGNALS:
    os.killpg(process.pid, ignored)
time.sleep(0.3)
assert process.poll() is None and os.listdir(f"{folder}/tmp")
os.killpg(process.pid, signal.SIGKILL)
process.wait()
