// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image that the driver has loaded completely. loadKernels loads all kernels, because loading a
// kernel at its first launch would make a capture in progress fail.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAMODULE_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAMODULE_H

#include "runtime/backends/cuda/CudaContext.h"

#include <memory>
#include <optional>
#include <vector>

namespace spl::detail {

class CudaModule final : public BackendModule {
public:
  CudaModule(std::shared_ptr<CudaContext> opened, std::vector<Signature> kernels, CuModule module)
      : BackendModule(opened, std::move(kernels)), opened(*opened), module(module) {}
  ~CudaModule() override;

  /// Finds and loads every kernel, and the unchecked entry points of kernels with a launch
  /// contract. Throws InvalidImage for an entry point that is not in the image.
  void loadKernels();

  KernelAttributes attributes(std::size_t kernel) const override {
    return loaded[kernel].checked.attributes;
  }
  int groupsPerUnit(std::size_t kernel, std::int64_t groupSize,
                    std::int64_t sharedBytes) const override;
  std::int64_t suggestedGroupSize(std::size_t kernel, std::int64_t sharedBytes) const override;
  std::optional<NoTimeLimit> noTimeLimit(std::size_t) const override {
    return NoTimeLimit{"the CUDA driver cannot end a kernel that runs",
                       "leave timeLimit out, or run the kernel on the CPU"};
  }

  /// The driver's function for \p request. \p inGraph says whether the launch is a node of a graph.
  CuFunction function(const LaunchRequest &request, bool inGraph) const;

  /// Throws LaunchRefused if \p bytes plus the kernel's own shared memory exceed the device's
  /// limit.
  void requireShared(std::size_t kernel, std::int64_t bytes) const;

private:
  struct Function {
    CuFunction handle = nullptr;
    KernelAttributes attributes;
  };
  struct Loaded {
    Function checked;
    std::optional<Function> unchecked; ///< set if the kernel has a launch contract
  };

  Function load(const Signature &kernel, bool unchecked) const;

  CudaContext &opened; ///< the base class keeps it open
  const CuModule module;
  std::vector<Loaded> loaded; ///< one for each kernel
};

/// The driver's parameters for \p request. \p inGraph says whether the launch is a node of a graph.
/// They refer to the objects of the request.
CuKernelNodeParams kernelParams(const LaunchRequest &request, bool inGraph);

} // namespace spl::detail

#endif
