// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading images into a GPU and launching what is in them.
#include "runtime/cuda/CudaContext.h"
#include "runtime/cuda/CudaImage.h"

namespace spl::detail {

namespace {

class CudaModule final : public BackendModule {
public:
  CudaModule(std::shared_ptr<CudaContext> opened, std::vector<Signature> kernels, CuModule module)
      : BackendModule(opened, std::move(kernels)), opened(*opened), module(module) {}

  ~CudaModule() override {
    if (!opened.inMakingProcess())
      return;
    CudaContext::Current current(opened);
    if (current.result == CuResult::Success)
      opened.driver.moduleUnload(module);
  }

  std::vector<CuFunction> functions; ///< one for each kernel

private:
  CudaContext &opened; ///< kept alive by the base
  CuModule module;
};

} // namespace

/// What the driver's compiler says is kept up to this size.
static constexpr std::size_t logSize = 16384;

/// What is wrong when the driver does not take an image, as far as its result tells.
static ErrorInfo describeLoadFailure(const Driver &driver, CuResult result,
                                     const std::string &log) {
  ErrorInfo info = driver.describe(result, "cuModuleLoadDataEx");
  switch (result) {
  case CuResult::NoBinaryForGpu:
    info.code = ErrorCode::UnsupportedOnTarget;
    info.remedy = "compile for this device's capability or a lower one";
    break;
  case CuResult::UnsupportedPtxVersion:
    info.code = ErrorCode::UnsupportedOnTarget;
    info.remedy = "update the CUDA driver, or compile for a lower PTX version";
    break;
  default: // any other refusal is about the image
    info.code = ErrorCode::InvalidImage;
  }
  if (!log.empty())
    info.message += "\n" + log;
  return info;
}

std::unique_ptr<BackendModule> CudaContext::load(Image image) {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  const auto *code = std::get_if<DeviceCode>(&image);
  if (!code)
    fail({.code = ErrorCode::UnsupportedOnTarget,
          .message = "the image is code for the CPU; a GPU runs PTX, a cubin or a fatbin",
          .remedy = "compile for the target sm_" + std::to_string(info.capability)});
  std::vector<Signature> kernels = kernelsOf(*code);

  enum JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferSize = 6 };
  int options[] = {ErrorLogBuffer, ErrorLogBufferSize};
  std::string log(logSize, '\0');
  void *values[] = {log.data(), reinterpret_cast<void *>(logSize - 1)};
  CuModule module = nullptr;
  CuResult result = driver.moduleLoadDataEx(&module, code->bytes.c_str(), 2, options, values);
  log.resize(log.find('\0'));
  if (result == CuResult::OutOfMemory || endsContext(result))
    check(result, "cuModuleLoadDataEx");
  if (result != CuResult::Success)
    fail(describeLoadFailure(driver, result, log));

  auto loaded = std::make_unique<CudaModule>(
      std::static_pointer_cast<CudaContext>(shared_from_this()), std::move(kernels), module);
  for (const Signature &kernel : loaded->kernels) {
    CuFunction function = nullptr;
    result = driver.moduleGetFunction(&function, module, kernel.name().c_str());
    if (result == CuResult::NotFound)
      fail({.code = ErrorCode::InvalidImage,
            .message =
                "the image's signatures name a kernel '" + kernel.name() + "' that is not in it"});
    check(result, "cuModuleGetFunction");
    loaded->functions.push_back(function);
  }
  return loaded;
}

void CudaContext::launch(const BackendModule &module, std::size_t kernel, const Geometry &geometry,
                         void *const *params) {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  auto size = [](std::int64_t value) { return static_cast<unsigned>(value); };
  const auto &[groups, local, shared] = geometry;
  CuResult result = driver.launchKernel(
      static_cast<const CudaModule &>(module).functions[kernel], size(groups[0]), size(groups[1]),
      size(groups[2]), size(local[0]), size(local[1]), size(local[2]), size(shared),
      /*stream=*/nullptr, const_cast<void **>(params), /*extra=*/nullptr);
  check(result, "cuLaunchKernel", ", launching " + module.kernels[kernel].name());
}

} // namespace spl::detail
