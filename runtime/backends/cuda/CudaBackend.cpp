// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA backend's entry in the table of backends: lists and opens the GPUs of the CUDA driver.
#include "runtime/backends/Registry.h"
#include "runtime/backends/cuda/CudaContext.h"
#include "runtime/backends/cuda/CudaDevices.h"
#include "runtime/backends/cuda/CudaImage.h"

#include <cstring>
#include <type_traits>

namespace spl::detail {

static Survey surveyOf(const DriverState &state) {
  Survey survey{state.reason, {}};
  for (int index = 0; index < state.deviceCount; ++index) {
    DeviceInfo &info = survey.devices.emplace_back(blankDevice(*state.driver, index));
    try {
      describeDevice(*state.driver, info);
    } catch (const Error &error) { // the other devices stay usable
      info.problem = error.what();
    }
  }
  return survey;
}

namespace {

/// Writes values as bytes that a process of the same program can read.
class Writer {
public:
  template <typename T> void operator()(T &value) {
    if constexpr (std::is_same_v<T, std::string>) {
      std::size_t size = value.size();
      (*this)(size);
      bytes += value;
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
  }
  std::string bytes;
};

class Reader {
public:
  explicit Reader(const std::string &bytes) : next(bytes.data()) {}
  template <typename T> void operator()(T &value) {
    if constexpr (std::is_same_v<T, std::string>) {
      std::size_t size = 0;
      (*this)(size);
      value.assign(next, size);
      next += size;
    } else {
      std::memcpy(&value, next, sizeof value);
      next += sizeof value;
    }
  }

private:
  const char *next;
};

} // namespace

/// Writes \p survey, or reads into it if \p archive is a reader.
template <typename Archive> static void transfer(Archive &archive, Survey &survey) {
  archive(survey.reason);
  std::size_t count = survey.devices.size();
  archive(count);
  survey.devices.resize(count);
  for (DeviceInfo &info : survey.devices) {
    archive(info.backend);
    archive(info.index);
    archive(info.name);
    archive(info.memoryTotal);
    archive(info.memoryFree);
    archive(info.computeUnits);
    archive(info.capability);
    archive(info.driverVersion);
    archive(info.uuid);
    archive(info.limits);
    archive(info.problem);
  }
}

/// The maximum time for starting the driver. Without the persistence daemon it takes seconds for
/// each device.
static constexpr std::chrono::seconds maxStartTime{60};

/// Describes the devices for the parent. Runs in a child process.
static std::string answerWithSurvey(Driver &driver) {
  Survey survey = surveyOf(startDriver(driver));
  Writer writer;
  transfer(writer, survey);
  return writer.bytes;
}

static Survey cudaSurvey() {
  const DriverAnswer answer = askCudaDriver(answerWithSurvey, maxStartTime);
  if (answer.isStarted)
    return surveyOf(cudaDriver());
  if (!answer.reason.empty())
    return {answer.reason, {}};
  Reader reader(answer.bytes);
  Survey survey;
  transfer(reader, survey);
  return survey;
}

static std::string startCuda() { return cudaDriver().reason; }

static std::shared_ptr<BackendContext> openCuda(int index, const ContextOptions &) {
  const DriverState state = cudaDriver();
  if (index < 0 || index >= state.deviceCount)
    return nullptr;
  DeviceInfo info = blankDevice(*state.driver, index);
  describeDevice(*state.driver, info, "cuda device " + std::to_string(index));
  return std::make_shared<CudaContext>(std::move(info), *state.driver);
}

extern constinit const BackendEntry entryOfCuda = {.runsOnHost = false,
                                                   .isImageTarget = isArchitecture,
                                                   .survey = cudaSurvey,
                                                   .start = startCuda,
                                                   .open = openCuda};

} // namespace spl::detail
