// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that the driver has loaded, and their kernels. A module loads all versions of its kernels
// at once, except for those in CompiledCode::later, of source or of PTX. Such a version is loaded
// by the first launch that needs it, or before a capture of this context begins, because a capture
// must not load code. If another library captures, the thread that loads is exempt from its rules.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAMODULE_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAMODULE_H

#include "runtime/backends/cuda/CudaContext.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace spl::detail {

/// An image in the driver. The destructor unloads it.
class DriverModule {
public:
  /// Throws what the driver says of the image, with the text of its compiler.
  DriverModule(const CudaContext &opened, const std::string &image);
  ~DriverModule();
  DriverModule(const DriverModule &) = delete;
  DriverModule &operator=(const DriverModule &) = delete;

private:
  const CudaContext &opened;

public:
  const CuModule handle;
};

class CudaModule final : public BackendModule {
public:
  /// Loads the code, and all versions of its kernels that are not compiled later. Throws
  /// InvalidImage for an entry point that is missing.
  CudaModule(const std::shared_ptr<CudaContext> &opened, CompiledCode code);
  ~CudaModule() override;

  /// Compiles and loads the versions that are still missing.
  void loadLater() const;

  KernelAttributes attributes(std::size_t kernel) const override {
    return usual(kernel).attributes;
  }
  int groupsPerUnit(std::size_t kernel, std::int64_t groupSize,
                    std::int64_t sharedBytes) const override;
  std::int64_t suggestedGroupSize(std::size_t kernel, std::int64_t sharedBytes) const override;
  CooperativeLimit cooperativeLimit(std::size_t kernel, std::int64_t groupSize,
                                    std::int64_t sharedBytes) const override;
  std::optional<NoTimeLimit> noTimeLimit(std::size_t) const override {
    return NoTimeLimit{"the CUDA driver cannot end a kernel that runs",
                       "leave timeLimit out, or run the kernel on the CPU"};
  }

  /// The driver's function for \p request. \p inGraph says whether the launch is a node of a graph.
  CuFunction function(const LaunchRequest &request, bool inGraph) const;

  /// What the fault records of its kernels mean.
  const std::shared_ptr<const FaultTable> &faultTable() const { return checks; }

  /// Throws LaunchRefused if \p bytes plus the kernel's own shared memory exceed the device's
  /// limit.
  void requireShared(std::size_t kernel, std::int64_t bytes) const;

private:
  struct Function {
    CuFunction handle = nullptr;
    KernelAttributes attributes;
  };
  /// The version of a kernel. The once_flag is used if it is compiled later.
  struct Version {
    std::string entry;
    bool isLater = false;
    std::once_flag once;
    std::unique_ptr<const DriverModule> own; ///< the code of a version that was compiled later
    Function function;
  };
  using Versions = std::deque<Version>; ///< by number (abi::Contract::Version)

  int groupsPerUnit(const Function &function, std::int64_t groupSize,
                    std::int64_t sharedBytes) const;
  Function find(const DriverModule &code, const std::string &entry, bool isOfContract) const;
  void loadKernels(const std::set<std::string> &later);
  void loadFaultTable();
  /// The version whose attributes are those of the kernel.
  const Function &usual(std::size_t kernel) const;
  /// The version with this number. Compiles and loads it first if that is due.
  const Function &loaded(std::size_t kernel, std::size_t number) const;

  CudaContext &opened; ///< the base class keeps it open
  const DriverModule code;
  const std::function<std::string(const std::string &, std::int64_t)> compileLater;
  mutable std::vector<Versions> versions; ///< one for each kernel
  std::shared_ptr<const FaultTable> checks = std::make_shared<FaultTable>();
};

bool takesFaultRecord(const BackendModule &module, std::size_t kernel);
/// Tells \p record which launch it belongs to.
void describe(FaultRecord &record, const BackendModule &module, std::size_t kernel,
              const Geometry &geometry);

bool isCooperative(const BackendModule &module, std::size_t kernel);

/// The driver's parameters for a launch. They refer to the objects of the request. A kernel that
/// takes a fault record gets the address of one, and a kernel with a grid barrier also that of the
/// record's counter, in front of it.
class KernelParams {
public:
  /// \p inGraph says whether the launch is a node of a graph. Without a record, the addresses are
  /// null.
  KernelParams(const LaunchRequest &request, bool inGraph, const FaultRecord *record);
  /// The same launch with other arguments and a record.
  KernelParams(const CuKernelNodeParams &launch, std::span<void *const> arguments,
               const FaultRecord &record);
  KernelParams(const KernelParams &) = delete;
  KernelParams &operator=(const KernelParams &) = delete;

  const CuKernelNodeParams *operator->() const { return &params; }
  const CuKernelNodeParams &operator*() const { return params; }

private:
  void append(std::span<void *const> arguments, bool takesCounter);

  std::uint64_t faultRecord, counter;
  std::vector<void *> pointers; ///< empty for a kernel that takes no record
  CuKernelNodeParams params;
};

} // namespace spl::detail

#endif
