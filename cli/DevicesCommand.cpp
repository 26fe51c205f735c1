// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple devices: lists the devices that can run kernels, and says why other backends are not
// available.
#include "cli/Commands.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <spl/Device.h>

namespace spl::cli {
namespace {

std::string gibibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

std::string driverVersion(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void printDevice(const DeviceInfo &device) {
  std::cout << "  " << device.index << ": " << device.name << "\n     ";
  if (!device.problem.empty()) {
    std::cout << "cannot be used: " << device.problem << "\n";
    return;
  }
  std::cout << "memory " << gibibytes(device.memoryTotal);
  if (device.memoryFree)
    std::cout << ", free " << gibibytes(*device.memoryFree);
  if (device.driverVersion != 0)
    std::cout << ", sm_" << device.capability << ", " << device.computeUnits
              << " multiprocessors, driver for CUDA " << driverVersion(device.driverVersion);
  else
    std::cout << ", " << device.computeUnits << " threads";
  if (!device.uuid.empty())
    std::cout << ", " << device.uuid;
  std::cout << "\n";
}

llvm::json::Object jsonOf(const DeviceInfo &device) {
  llvm::json::Object object{{"index", device.index}, {"name", llvm::json::fixUTF8(device.name)}};
  if (!device.problem.empty()) {
    object["problem"] = llvm::json::fixUTF8(device.problem);
    return object;
  }
  object["memoryTotal"] = static_cast<std::int64_t>(device.memoryTotal);
  object["computeUnits"] = device.computeUnits;
  if (device.memoryFree)
    object["memoryFree"] = static_cast<std::int64_t>(*device.memoryFree);
  if (device.driverVersion != 0) {
    object["capability"] = "sm_" + std::to_string(device.capability);
    object["driver"] = driverVersion(device.driverVersion);
    object["uuid"] = device.uuid;
  }
  return object;
}

llvm::json::Object jsonOf(const BackendStatus &status) {
  llvm::json::Object object{{"backend", std::string(toString(status.backend))},
                            {"available", status.available}};
  if (!status.available) {
    object["reason"] = llvm::json::fixUTF8(status.reason);
    return object;
  }
  llvm::json::Array list;
  for (const DeviceInfo &device : devices(status.backend))
    list.push_back(jsonOf(device));
  object["devices"] = std::move(list);
  return object;
}

void printText() {
  for (const BackendStatus &status : detectBackends()) {
    std::cout << toString(status.backend) << ": "
              << (status.available ? "available" : "not available: " + status.reason) << "\n";
    if (status.available)
      for (const DeviceInfo &device : devices(status.backend))
        printDevice(device);
  }
}

void printJson() {
  llvm::json::Array list;
  for (const BackendStatus &status : detectBackends())
    list.push_back(jsonOf(status));
  std::cout << llvm::formatv("{0:2}", llvm::json::Value(std::move(list))).str() << "\n";
}

} // namespace

void addDevicesCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "devices", "List the devices that can run kernels, with the reason for each "
                 "backend that cannot.");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Write a JSON array, one object a backend.");
  command->callback([json] { *json ? printJson() : printText(); });
}

} // namespace spl::cli
