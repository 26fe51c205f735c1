# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The second process of scripts/bench gpu-time: runs kernels through the CUDA driver, compares their results and
measures them.

usage: gpu_time_device.py kernels|quick KERNEL..."""
import ctypes
import json
import math
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = "nvcc64"
ROUNDS = 40
SPAN = 1000.0  # microseconds that the launches of one measurement take, if LEAST and MOST permit it
LEAST, MOST = 3, 40  # launches of one measurement
FAULT_RECORD = 320  # bytes, the size of spl_fault_record
ATTRIBUTES = {"multiprocessors": 16, "clock_khz": 13, "memory_clock_khz": 36, "major": 75, "minor": 76}
FORMATS = {"i16": "h", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}


class DriverError(Exception):
    pass


class Driver:
    """The CUDA driver, with the context of the first device."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DriverError(str(error)) from error
        self.entries = {}
        self("cuInit", 0)
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuDeviceGet", ctypes.byref(self.device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self("cuCtxPushCurrent", context)

    def entry(self, name):
        if name not in self.entries:
            address, found = ctypes.c_void_p(), ctypes.c_int()
            status = self.library.cuGetProcAddress_v2(name.encode(), ctypes.byref(address), 12000,
                                                      ctypes.c_uint64(0), ctypes.byref(found))
            if status != 0 or not address.value:
                raise DriverError(f"the driver has no {name}")
            self.entries[name] = ctypes.CFUNCTYPE(ctypes.c_int)(address.value)
        return self.entries[name]

    def __call__(self, name, *arguments):
        status = self.entry(name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.entry("cuGetErrorString")(status, ctypes.byref(text))
            raise DriverError(f"{name}: {(text.value or b'unknown error').decode()} ({status})")

    def about(self):
        name, version = ctypes.create_string_buffer(128), ctypes.c_int()
        self("cuDeviceGetName", name, len(name), self.device)
        self("cuDriverGetVersion", ctypes.byref(version))
        found = {"name": name.value.decode(), "driver": f"{version.value // 1000}.{version.value % 1000 // 10}"}
        for key, number in ATTRIBUTES.items():
            value = ctypes.c_int()
            if self.entry("cuDeviceGetAttribute")(ctypes.byref(value), number, self.device) == 0:
                found[key] = value.value
        found["capability"] = f"sm_{found.pop('major')}{found.pop('minor')}"
        kernel = pathlib.Path("/proc/driver/nvidia/version")
        if kernel.exists():
            found["kernel_driver"] = re.search(r"(\d+\.\d+[.\d]*)", kernel.read_text(encoding="utf-8")).group(1)
        return found

    def module(self, image):
        module = ctypes.c_void_p()
        self("cuModuleLoadDataEx", ctypes.byref(module), image, 0, None, None)
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def allocated(self, size):
        address = ctypes.c_uint64()
        self("cuMemAlloc", ctypes.byref(address), ctypes.c_size_t(size))
        self("cuMemsetD8Async", address, 0, ctypes.c_size_t(size), None)
        return address

    def copy(self, to, source, size):
        self("cuMemcpyDtoDAsync", to, source, ctypes.c_size_t(size), None)

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        self("cuMemcpyDtoH", data, address, ctypes.c_size_t(size))
        return data.raw

    def write(self, address, data):
        self("cuMemcpyHtoD", address, data, ctypes.c_size_t(len(data)))

    def sync(self):
        self("cuCtxSynchronize")

    def event(self):
        event = ctypes.c_void_p()
        self("cuEventCreate", ctypes.byref(event), 0)
        return event


class Launch:
    """A function with its arguments."""

    def __init__(self, driver, function, grid, block, arguments, shared=0):
        self.driver, self.keep = driver, arguments  # the pointers below lead to the arguments
        pointers = (ctypes.c_void_p * len(arguments))(*map(ctypes.addressof, arguments))
        self.call = (driver.entry("cuLaunchKernel"), function, *grid, *block, shared, None, pointers, None)

    def __call__(self):
        entry, *arguments = self.call
        if entry(*arguments) != 0:
            self.driver("cuLaunchKernel", *arguments)  # for the message


class Code:
    """The modules of the folder code/: cubins, or PTX if the driver refuses cubins."""

    def __init__(self, driver):
        self.driver, self.modules = driver, {}
        self.kind = "cubin"
        try:
            self.module("tools")
        except DriverError:
            self.kind = "ptx"
            self.module("tools")

    def module(self, name):
        if name not in self.modules:
            path = HERE / "code" / f"{name}.{self.kind}"
            try:
                self.modules[name] = self.driver.module(path.read_bytes() + b"\0")
            except DriverError as error:
                raise DriverError(f"{path.name}: {error}") from error
        return self.modules[name]

    def function(self, name, entry):
        return self.driver.function(self.module(name), entry)

    def tool(self, entry, items, *arguments):
        """Runs a kernel of bench/gpu_time.spl."""
        Launch(self.driver, self.function("tools", entry), [-(-items // 256), 1, 1], [256, 1, 1], arguments)()


def value(kind, number):
    return ctypes.create_string_buffer(struct.pack("<" + FORMATS[kind], number), struct.calcsize(FORMATS[kind]))


class Array:
    """An array of a kernel on the device. If the kernel writes it, there are also copies of its first contents and of
    the results of the reference."""

    def __init__(self, code, row, seed, is_written, is_set):
        self.code, self.driver, self.row, self.is_set = code, code.driver, row, is_set
        self.size = row["bytes"]
        self.address = self.driver.allocated(self.size)
        for number, (numbers, fill) in enumerate(zip(row["numbers"], row["fills"])):
            self.fill(numbers, fill, seed + 100 * number)
        if is_written:
            self.first, self.reference = self.driver.allocated(self.size), self.driver.allocated(self.size)
            self.driver.copy(self.first, self.address, self.size)

    def count(self, kind):
        return self.size // (1 if kind == "u8" else struct.calcsize(FORMATS[kind]))

    def elements(self, numbers):
        return -(-(self.count(numbers["type"]) - numbers["offset"]) // numbers["stride"])

    def fill(self, numbers, fill, seed):
        kind = numbers["type"]
        slice_ = [self.address, value("i64", self.count(kind)), value("i64", numbers["offset"]),
                  value("i64", numbers["stride"]), value("u32", seed)]
        if kind in ("f32", "f64"):
            self.code.tool(f"fill_floats__{kind}", self.elements(numbers), *slice_, value(kind, fill["low"]),
                           value(kind, fill["high"]))
        else:
            self.code.tool(f"fill_integers__{kind}", self.elements(numbers), *slice_,
                           *(value("i64", fill[key]) for key in ("start", "step", "jitter")))

    def restore(self):
        self.driver.copy(self.address, self.first, self.size)

    def sort(self):
        """Sorts a set, so that the order does not matter."""
        elements = ctypes.c_int32 * (self.size // 4)
        ordered = sorted(elements.from_buffer_copy(self.driver.read(self.address, self.size)))
        self.driver.write(self.address, bytes(elements(*ordered)))

    def differing(self, other, tolerance):
        """How many numbers differ from those of another array."""
        count = self.driver.allocated(4)
        for numbers in self.row["numbers"]:
            kind = numbers["type"]
            length = value("i64", self.count(kind))
            both = [other, length, self.address, length, value("i64", numbers["offset"]),
                    value("i64", numbers["stride"])]
            if kind in ("f32", "f64"):
                self.code.tool(f"differ_floats__{kind}", self.elements(numbers), *both, value(kind, tolerance), count,
                               value("i64", 1))
            else:
                self.code.tool(f"differ_integers__{kind}", self.elements(numbers), *both, count, value("i64", 1))
        found = struct.unpack("<I", self.driver.read(count, 4))[0]
        self.driver("cuMemFree", count)
        return found

    def total(self):
        return sum(map(self.elements, self.row["numbers"]))


class Kernel:
    """A kernel in all its versions, on the same arrays."""

    def __init__(self, code, row, names):
        self.code, self.driver, self.row = code, code.driver, row
        self.arrays = {name: Array(code, each, seed, name in row["written"], name in row["sets"])
                       for seed, (name, each) in enumerate(row["arrays"].items(), 1)}
        self.faults = self.driver.allocated(FAULT_RECORD)
        self.versions = {name: row["versions"][name] for name in names}

    def launch(self, version, which):
        arguments = [self.faults if "faults" in each else self.arrays[each["array"]].address if "array" in each
                     else ctypes.create_string_buffer(bytes.fromhex(each["bytes"]), len(each["bytes"]) // 2)
                     for each in version[which]]
        function = self.code.function(version["code"], version["entry"])
        return Launch(self.driver, function, self.row["grid"], self.row["block"], arguments, self.row["shared"])

    def expect_no_fault(self, what):
        record = self.driver.read(self.faults, FAULT_RECORD)
        if any(record):
            raise DriverError(f"a check of {what} failed: the fault record begins with {record[:48].hex()}")

    def compare(self):
        """The versions whose results differ from those of the reference, with the number of differences."""
        mismatches = []
        for name in sorted(self.versions, key=lambda name: name != REFERENCE):
            for array in self.row["written"]:
                self.arrays[array].restore()
            self.launch(self.versions[name], "checked")()
            self.driver.sync()
            self.expect_no_fault(name)
            for each in self.row["written"]:
                array = self.arrays[each]
                if array.is_set:
                    array.sort()
                if name == REFERENCE:
                    if array.differing(array.first, 0) == 0:
                        raise DriverError(f"{name} does not change {each}")
                    self.driver.copy(array.reference, array.address, array.size)
                    continue
                count = array.differing(array.reference, self.row["tolerance"])
                if count > self.row["may_differ"] * array.total():
                    mismatches.append(f"{name}: {count} of {array.total()} numbers of {each} differ")
        return mismatches

    def restore(self):
        for each in self.row["restored"]:
            self.arrays[each].restore()

    def span(self, launch, events, count):
        """The microseconds of a launch: the mean of `count` launches, one after the other. A launch before them keeps
        the device busy until the first event is in the stream. If inputs are restored, each launch has two events."""
        driver = self.driver
        self.restore()
        launch()
        if self.row["restored"]:
            for number in range(count):
                self.restore()
                driver("cuEventRecord", events[2 * number], None)
                launch()
                driver("cuEventRecord", events[2 * number + 1], None)
            used = 2 * count
        else:
            driver("cuEventRecord", events[0], None)
            for _ in range(count):
                launch()
            driver("cuEventRecord", events[1], None)
            used = 2
        driver("cuEventSynchronize", events[used - 1])
        elapsed = ctypes.c_float()
        total = 0.0
        for number in range(0, used, 2):
            driver("cuEventElapsedTime", ctypes.byref(elapsed), events[number], events[number + 1])
            total += elapsed.value
        return total * 1e3 / count

    def measure(self, rounds, most):
        """By version: the microseconds of each round."""
        for array in self.row["written"]:
            self.arrays[array].restore()
        launches = {name: self.launch(version, "timed") for name, version in self.versions.items()}
        events = [self.driver.event() for _ in range(2 * most)]
        counts = {}
        for name, launch in launches.items():
            warm = [self.span(launch, events, LEAST if most > LEAST else most) for _ in range(3 if most > LEAST else 1)]
            counts[name] = max(min(LEAST, most), min(most, math.ceil(SPAN / max(min(warm), 0.1))))
        count = max(counts.values())
        times = {name: [] for name in launches}
        for turn in range(rounds):
            for name in list(launches)[::1 if turn % 2 == 0 else -1]:
                times[name].append(self.span(launches[name], events, count))
        for event in events:
            self.driver("cuEventDestroy", event)
        self.driver.sync()
        self.expect_no_fault("the measured launches")
        return times, count

    def free(self):
        for array in self.arrays.values():
            for name in ("address", "first", "reference"):
                if hasattr(array, name):
                    self.driver("cuMemFree", getattr(array, name))
        self.driver("cuMemFree", self.faults)


def main():
    """Prints a line of JSON for the device and for each kernel, and ends after an error."""
    def say(record):
        print(json.dumps(record), flush=True)

    table = json.loads((HERE / "table.json").read_text(encoding="utf-8"))
    size, *kernels = sys.argv[1:]
    try:
        driver = Driver()
        code = Code(driver)
    except DriverError as error:
        say({"no_device": str(error)})
        return
    say({"device": {**driver.about(), "code": code.kind}})
    for name in kernels:
        say({"begins": name})
        try:
            kernel = Kernel(code, table[size][name], table["ours"] + table["theirs"])
            mismatches = kernel.compare()
            times, count = kernel.measure(*((2, 1) if size == "quick" else (ROUNDS, MOST)))
            kernel.free()
        except DriverError as error:
            say({"kernel": name, "error": str(error)})
            return
        say({"kernel": name, "times": times, "launches": count, "mismatches": mismatches})


if __name__ == "__main__":
    main()
