// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that no store is out of bounds. The kernel gets the middle parts of the arrays of the
// launch, so that a store before or after them is visible.
#include "driver/Compilation.h"
#include "jit/HostJit.h"
#include "jit/Load.h"
#include "test/e2e/Harness.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <thread>

using namespace spl;
using namespace spl::e2e;

namespace {

constexpr std::int64_t guard = 4096; ///< elements before and after the part that the kernel gets
constexpr std::int32_t mark = 0x5ca1ab1e;

/// The compiled entry that shrunken() calls. The tests of this file run one after the other.
std::atomic<spl_cpu_entry> compiled;

/// Removes the guards from each slice of (source: &[i32], at: &[i64], out: &mut [i32]) and calls
/// the kernel.
void shrunken(void *const *params, const spl_cpu_launch *launch, std::int64_t begin,
              std::int64_t end) {
  void *shrunkenParams[6];
  char *addresses[3];
  std::int64_t extents[3];
  const std::int64_t elementSizes[3] = {4, 8, 4};
  for (int slice = 0; slice != 3; ++slice) {
    std::memcpy(&addresses[slice], params[2 * slice], sizeof(char *));
    std::memcpy(&extents[slice], params[2 * slice + 1], sizeof(std::int64_t));
    addresses[slice] += guard * elementSizes[slice];
    extents[slice] -= 2 * guard;
    shrunkenParams[2 * slice] = &addresses[slice];
    shrunkenParams[2 * slice + 1] = &extents[slice];
  }
  compiled.load()(shrunkenParams, launch, begin, end);
}

/// Compiles faults.spl and calls each kernel through shrunken().
HostCode compile(unsigned optLevel) {
  driver::CompileOptions options;
  options.codegen.target = jit::targetOf(cpu());
  options.codegen.optLevel = optLevel;
  driver::Compilation compilation(options);
  llvm::SmallVector<char, 0> object;
  if (!compilation.readFile(Source{"faults.spl"}.path()) || !compilation.emit("obj", object))
    throw std::runtime_error("faults.spl does not compile");
  llvm::Expected<HostCode> code =
      jit::linkIntoProcess({object.data(), object.size()}, compilation.kernels(), {});
  if (!code)
    throw std::runtime_error(llvm::toString(code.takeError()));
  return std::move(*code);
}

std::vector<std::int32_t> guarded(std::int64_t count) {
  return std::vector<std::int32_t>(static_cast<std::size_t>(count + 2 * guard), mark);
}

/// Launches the kernel with these indices. Checks whether it faults, and that both guards are
/// unchanged.
void expectGuardsKept(const HostCode &code, const std::string &name, std::int64_t sources,
                      std::int64_t outs, const std::vector<std::int64_t> &at, bool faults) {
  SCOPED_TRACE(name + " of " + std::to_string(sources) + " into " + std::to_string(outs));
  HostCode wrapped = code;
  for (HostKernel &kernel : wrapped.kernels) {
    if (kernel.signature.name() == name)
      compiled = kernel.entry;
    kernel.entry = shrunken;
    // Removed, because the runtime would test the contract on the arrays with their guards.
    kernel.signature = kernel.signature.withoutContract();
    kernel.unchecked = nullptr;
    kernel.unmet.clear();
  }
  const Module module = Module::load(cpu(), std::move(wrapped));
  std::vector<std::int64_t> indices(at.size() + 2 * guard);
  std::copy(at.begin(), at.end(), indices.begin() + guard);
  auto source = cpu().allocUpload<std::int32_t>(guarded(sources));
  auto atArray = cpu().allocUpload<std::int64_t>(indices);
  auto out = cpu().allocUpload<std::int32_t>(guarded(outs));
  bool faulted = false;
  try {
    cpu().launch(module[name], {.global = {1025}, .local = {256}}, source, atArray, out);
  } catch (const Error &error) {
    faulted = error.code() == ErrorCode::KernelFault;
  }
  EXPECT_EQ(faulted, faults);
  const std::vector<std::int32_t> after = out.download();
  for (std::size_t i = 0; i != after.size(); ++i)
    if (i < guard || i >= after.size() - guard)
      ASSERT_EQ(after[i], mark) << "a store " << static_cast<std::int64_t>(i) - guard
                                << " elements from the start of " << outs;
}

std::vector<std::int64_t> countingIndices() {
  std::vector<std::int64_t> at(1025);
  for (std::size_t i = 0; i != at.size(); ++i)
    at[i] = static_cast<std::int64_t>(i);
  return at;
}

} // namespace

TEST(Guards, NoStoreOutOfBounds) {
  for (unsigned optLevel : {0u, 2u, 3u}) {
    SCOPED_TRACE(optLevel);
    const HostCode code = compile(optLevel);
    for (std::int64_t outs : {0, 1, 31, 33, 255, 256, 257, 1000, 1023, 1024})
      expectGuardsKept(code, "write_straight", 1025, outs, {1}, true);
    expectGuardsKept(code, "write_straight", 1025, 1025, {1}, false);
    for (const char *kernel : {"write", "add_to"}) {
      expectGuardsKept(code, kernel, 1025, 1025, countingIndices(), false);
      for (std::int64_t wrong : {std::int64_t(-1), std::int64_t(-100), std::int64_t(1025),
                                 std::int64_t(1100), std::int64_t(5000), -guard}) {
        auto at = countingIndices();
        at[600] = wrong;
        expectGuardsKept(code, kernel, 1025, 1025, at, true);
      }
    }
  }
}
