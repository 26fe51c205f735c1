// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image that the driver has loaded completely. loadKernels loads all kernels, because loading a
// kernel at its first launch would make a capture in progress fail.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAMODULE_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAMODULE_H

#include "runtime/backends/cuda/CudaContext.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace spl::detail {

class CudaModule final : public BackendModule {
public:
  CudaModule(std::shared_ptr<CudaContext> opened, std::vector<Signature> kernels, CuModule module)
      : BackendModule(opened, std::move(kernels)), opened(*opened), module(module) {}
  ~CudaModule() override;

  /// Finds and loads every version of every kernel. Throws InvalidImage for an entry point that is
  /// not in the image.
  void loadKernels();

  KernelAttributes attributes(std::size_t kernel) const override {
    return loaded[kernel].front().attributes;
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
  using Versions = std::vector<Function>; ///< by number (abi::Contract::Version)

  int groupsPerUnit(const Function &function, std::int64_t groupSize,
                    std::int64_t sharedBytes) const;
  Function load(const Signature &kernel, std::size_t version) const;
  void loadFaultTable();

  CudaContext &opened; ///< the base class keeps it open
  const CuModule module;
  std::vector<Versions> loaded; ///< one for each kernel
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
