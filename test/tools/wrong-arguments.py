# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A launch argument of a C++ type that no kernel can take is one error of the C++ compiler. Its one line names
the argument and says what to pass instead."""
import collections
import re
import shutil
import subprocess
import sys

root = sys.argv[1]

BEGIN = r"""
#include <spl/spl.h>
#include <complex>
#include <map>

enum Small : std::uint8_t { First };
enum class Big : std::int64_t { First };
enum Level : std::int32_t { Low };
struct Body { float position[3]; float mass; };
struct Matrix { float values[4]; float operator()(int i) const { return values[i]; } };
struct Owner { std::string name; };

void test(spl::Context &ctx, spl::Kernel &kernel, spl::Stream &stream, spl::GraphExec &exec) {
  auto array = ctx.alloc<float>(3);
  const auto &readOnly = array;
  float numbers[3] = {};
  std::vector<float> vector(3);
  const std::vector<int> integers(3);
  std::vector<bool> flags(3);
  std::optional<spl::Array<float>> maybe;
  std::vector<spl::Argument> collected;
  auto lambda = [] { return 1; };
  auto closure = [&] { return vector; };
  float *pointer = numbers;
  const double *constant = nullptr;
  (void)readOnly; (void)integers; (void)flags; (void)maybe; (void)collected; (void)lambda; (void)closure;
  (void)pointer; (void)constant; (void)stream; (void)exec;
"""

# Valid arguments in every form of the call.
RIGHT = r"""
  ctx.launch(kernel, {.global = {1}});
  ctx.launch(kernel, {.global = {1}}, array, readOnly, ctx.alloc<int>(3), array.view(0, 1));
  ctx.launch(kernel, {.global = {1}}, 1, 2u, 3l, 4ll, 5.0f, 6.0, true, spl::f16(1), std::int8_t(7), Low);
  ctx.launch(kernel, {.global = {1}}, Body{}, Matrix{}, std::array<float, 4>{}, std::complex<float>());
  ctx.launch(kernel, {.global = {1}}, spl::Argument("a", array), spl::Argument("x", 2.0f));
  ctx.launch(kernel, {.global = {1}}, spl::Value(1.0f), spl::Value(2));
  ctx.launch(kernel, {.global = {1}}, collected);
  ctx.launch(kernel, {.global = {1}}, std::span<const spl::Argument>(collected));
  ctx.launchAsync(stream, kernel, {.global = {1}}, array, 1);
  ctx.launchAsync(stream, kernel, {.global = {1}}, collected);
  (void)ctx.unmetCondition(kernel, {.global = {1}}, array, 1);
  exec.setArguments(0, array, 1);
"""

CONTAINER = "is a container or a range of the host; pass an spl::Array, such as context.allocUpload(values)"
POINTER = "is a pointer; pass an spl::Array: context.allocUpload(values) for values of the host"
ENUM = "is an enum over another type than std::int32_t; declare it 'enum E : std::int32_t'"
TEXT = "is text or a character, which kernels do not have; pass a number such as std::uint8_t"
FUNCTION = "is a function or a lambda; pass an spl::Array or the value that it returns"
ARRAY = "is a pointer to an array, or an optional one; pass the array itself: *argument"
CLASS = "is of a class that is not trivially copyable; pass a struct of plain data"
NUMBER = "is of a type that kernels do not have; pass a bool, an integer of 8 to 64 bits, spl::f16"
SECOND = "argument 2 of the kernel "

# Invalid arguments, with the expected error if they are the second argument.
ARGUMENTS = {
    "vector": CONTAINER,
    "integers": CONTAINER,
    "std::vector<double>()": CONTAINER,
    "flags": CONTAINER,
    "std::span<float>(vector)": CONTAINER,
    "std::span<const float>(vector)": CONTAINER,
    "std::initializer_list<float>()": CONTAINER,
    "std::map<int, int>()": CONTAINER,
    "std::array<std::string, 2>()": CONTAINER,
    "pointer": POINTER,
    "constant": POINTER,
    "static_cast<void *>(pointer)": POINTER,
    "nullptr": POINTER,
    "&kernel": POINTER,
    "First": ENUM,
    "Big::First": ENUM,
    "'a'": TEXT,
    "u8'a'": TEXT,
    "L'a'": TEXT,
    '"alpha"': TEXT,
    "std::string()": TEXT,
    "std::string_view()": TEXT,
    "static_cast<const char *>(nullptr)": TEXT,
    "lambda": FUNCTION,
    "closure": FUNCTION,
    "test": FUNCTION,
    "&array": ARRAY,
    "&readOnly": ARRAY,
    "maybe": ARRAY,
    "std::make_shared<spl::Array<float>>()": ARRAY,
    "std::optional<float>()": "is a std::optional; pass its value: *argument",
    "numbers": "is a C array; for a slice pass an spl::Array, such as context.allocUpload(values)",
    "stream": "is a stream; pass it before the kernel, to launchAsync",
    "ctx": CLASS,
    "kernel": CLASS,
    "Owner()": CLASS,
    "std::unique_ptr<float>()": CLASS,
    "flags[0]": CLASS,
    "1.0L": NUMBER,
    "static_cast<__int128>(1)": NUMBER,
}
CASES = [(f"ctx.launch(kernel, {{.global = {{1}}}}, array, {argument});", SECOND + text)
         for argument, text in ARGUMENTS.items()]
# Every call, and every position.
CASES += [
    ("ctx.launch(kernel, {.global = {1}}, vector, 2);", "argument 1 of the kernel " + CONTAINER),
    ("ctx.launch(kernel, {.global = {1}}, 1, 2, vector);", "argument 3 of the kernel " + CONTAINER),
    ("ctx.launchAsync(stream, kernel, {.global = {1}}, 1, 2, 3, vector);", "argument 4 of the kernel " + CONTAINER),
    ("(void)ctx.unmetCondition(kernel, {.global = {1}}, 1, 2, 3, 4, vector);", "argument 5 of the kernel " + CONTAINER),
    ("exec.setArguments(0, 1, 2, 3, 4, 5, vector);", "argument 6 of the kernel " + CONTAINER),
    ("ctx.launch(kernel, {.global = {1}}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, vector);",
     "argument 16 of the kernel " + CONTAINER),
    ("ctx.launch(kernel, {.global = {1}}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, vector);",
     "an argument of the kernel after the 16th " + CONTAINER),
    ('ctx.launch(kernel, {.global = {1}}, spl::Argument("x", vector));', "the value of this spl::Argument " + CONTAINER),
]


def errors(compiler, statements):
    flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{root}/abi/include", f"-I{root}/runtime/include", "-x", "c++", "-"]
    if "clang" in compiler:
        flags.append("-ferror-limit=0")
    run = subprocess.run([compiler, *flags], input=BEGIN + statements + "}\n", text=True, encoding="utf-8",
                         stderr=subprocess.PIPE, check=False, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    return re.findall(r"error: (.*)", run.stderr)


compilers = [name for name in ("clang++-22", "g++") if shutil.which(name)]
assert compilers
failures = []
for compiler in compilers:
    failures += [f"{compiler}: {error}" for error in errors(compiler, RIGHT)]
    found = errors(compiler, "\n".join(statement for statement, _ in CASES))
    # The text of the C++ compiler before the message.
    said = [re.sub(r"^static assertion failed( due to requirement '.*?')?: (?=argument|an argument|the value)", "", error)
            for error in found]
    expected = collections.Counter(text for _, text in CASES)
    for text, count in expected.items():
        got = sum(each.startswith(text) for each in said)
        if got != count:
            failures.append(f"{compiler}: {count} times expected, {got} times found: {text}")
    failures += [f"{compiler}: not expected: {each}" for each in said if not each.startswith(tuple(expected))]
print("\n".join(failures))
sys.exit(bool(failures))
