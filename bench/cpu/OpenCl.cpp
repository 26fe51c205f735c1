// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/OpenCl.h"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace bench {
namespace {

std::runtime_error failure(const cl::Error &error) {
  return std::runtime_error(std::string("OpenCL: ") + error.what() + " returned " +
                            std::to_string(error.err()));
}

std::string contents(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

cl::NDRange range(const std::array<std::size_t, 3> &extents) {
  return {extents[0], extents[1], extents[2]};
}

/// The sizes of a launch along x, y and z: the work-items in whole groups, and those of a group.
struct Sizes {
  std::array<std::size_t, 3> global = {1, 1, 1}, local = {1, 1, 1};

  explicit Sizes(const spl::LaunchConfig &config) {
    std::ranges::copy(config.local, local.begin());
    for (std::size_t axis = 0; axis < config.global.rank(); ++axis)
      global[axis] =
          (std::size_t(config.global[axis]) + local[axis] - 1) / local[axis] * local[axis];
  }
};

/// The device, its queue, and a buffer for each array that a kernel has used. PoCL uses the memory
/// of the host itself, so that arrays need not be mapped.
class Pocl : public OpenCl {
public:
  Pocl(const cl::Device &device, std::string version)
      : device(device), context(device), queue(context, device), name(std::move(version)) {}

  std::string version() const override { return name; }
  std::shared_ptr<OpenClKernel> load(const std::string &path, const std::string &kernel,
                                     const std::string &options) override;

  void clear(const OpenClArgument &array) override try {
    queue.enqueueFillBuffer(buffer(array), cl_uchar(0), 0, array.bytes);
  } catch (const cl::Error &error) {
    throw failure(error);
  }

  void wait() override try { queue.finish(); } catch (const cl::Error &error) {
    throw failure(error);
  }

private:
  friend class PoclKernel;

  const cl::Buffer &buffer(const OpenClArgument &array) {
    cl::Buffer &found = buffers[{array.data, array.bytes}];
    if (!found())
      found = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, array.bytes, array.data);
    return found;
  }

  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
  std::string name;
  std::map<std::pair<void *, std::size_t>, cl::Buffer> buffers; // by address and size
};

class PoclKernel : public OpenClKernel {
public:
  PoclKernel(Pocl &pocl, const cl::Program &program, const std::string &name)
      : pocl(pocl), kernel(program, name.c_str()) {}

  void launch(const spl::LaunchConfig &config, std::span<const OpenClArgument> args) override try {
    cl_uint index = 0;
    for (const OpenClArgument &arg : args)
      if (arg.isArray)
        kernel.setArg(index++, pocl.buffer(arg));
      else
        kernel.setArg(index++, arg.bytes, arg.data);
    const Sizes sizes(config);
    pocl.queue.enqueueNDRangeKernel(kernel, cl::NullRange, range(sizes.global), range(sizes.local));
  } catch (const cl::Error &error) {
    throw failure(error);
  }

private:
  Pocl &pocl;
  cl::Kernel kernel;
};

std::shared_ptr<OpenClKernel> Pocl::load(const std::string &path, const std::string &kernel,
                                         const std::string &options) try {
  cl::Program program(context, contents(path));
  try {
    program.build(options.c_str());
  } catch (const cl::Error &) {
    throw std::runtime_error(path + ":\n" + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device));
  }
  return std::make_shared<PoclKernel>(*this, program, kernel);
} catch (const cl::Error &error) {
  throw failure(error);
}

/// "PoCL 3.1" of "OpenCL 3.0 PoCL 3.1+debian  Linux, ...".
std::string versionOf(const std::string &platform) {
  const std::size_t start = platform.find("PoCL ");
  return platform.substr(start, platform.find_first_of(" +,", start + 5) - start);
}

} // namespace

std::unique_ptr<OpenCl> openCl(int threads) {
  setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(threads).c_str(), 1);
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
    for (const cl::Platform &platform : platforms) {
      const std::string version = platform.getInfo<CL_PLATFORM_VERSION>();
      if (version.find("PoCL ") == std::string::npos)
        continue;
      std::vector<cl::Device> devices;
      platform.getDevices(CL_DEVICE_TYPE_CPU, &devices);
      const cl::Device &device = devices.at(0);
      if (device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() != cl_uint(threads))
        throw OpenClMissing(versionOf(version) + " does not use the number of threads that "
                                                 "POCL_MAX_PTHREAD_COUNT gives it");
      return std::make_unique<Pocl>(device, versionOf(version));
    }
  } catch (const cl::Error &) { // the loader finds no platform
  }
  throw OpenClMissing("PoCL is not installed; install pocl-opencl-icd");
}

} // namespace bench
