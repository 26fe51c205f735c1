// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU's memory. Freeing memory of arrays waits for the whole device. Memory of pools is freed in
// the order of the streams that used it, without a wait.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAMEMORY_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAMEMORY_H

#include "runtime/backends/cuda/CudaWork.h"
#include "runtime/memory/PoolAccount.h"

#include <memory>

namespace spl::detail {

/// Throws OutOfMemory.
std::shared_ptr<Allocation> allocateCudaMemory(const std::shared_ptr<CudaContext> &context,
                                               MemoryPlace place, std::size_t bytes);

/// A pool of the driver. Its allocations share ownership of it, so that the pool is destroyed last.
class CudaPool final : public BackendPool, public std::enable_shared_from_this<CudaPool> {
public:
  CudaPool(std::shared_ptr<CudaContext> context, const PoolOptions &options);
  ~CudaPool() override;

  std::shared_ptr<Allocation> allocate(std::size_t bytes,
                                       const std::shared_ptr<BackendStream> &stream) override;
  PoolState state() const override;
  void trim(std::size_t keepBytes) override;

  const std::shared_ptr<CudaContext> context;
  PoolAccount account;

  /// The stream for freeing memory that no stream uses.
  const DriverStream idle;

private:
  const PoolOptions options;
  CuMemPool pool = nullptr;
};

} // namespace spl::detail

#endif
