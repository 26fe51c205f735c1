// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs queued work.
#include "test/fakecuda/Call.h"

#include <cstdio>
#include <cstring>

namespace spl::fake {

thread_local bool isInHostFunction = false;

Module::Module(std::string_view ptx, std::shared_ptr<Context> context)
    : context(std::move(context)), code(ptx, this->context->memory) {}

void LaunchWork::take(void *const *params) {
  arguments.resize(function->kernel->parameterBytes);
  for (std::size_t i = 0; i != function->kernel->parameters.size(); ++i) {
    const ptxsim::Kernel::Parameter &parameter = function->kernel->parameters[i];
    std::memcpy(arguments.data() + parameter.offset, params[i], parameter.bytes);
  }
}

std::byte *Place::find(std::size_t bytes) const {
  return context ? context->memory.find(address, bytes) : reinterpret_cast<std::byte *>(address);
}

std::string Work::describe() const {
  if (const auto *launch = std::get_if<LaunchWork>(&what))
    return "a launch of " + launch->function->kernel->name;
  static const char *const names[] = {"",          "a copy",   "a fill", "a call", "an allocation",
                                      "a release", "a record", "a wait", "a graph"};
  return names[what.index()];
}

/// The result of the driver that corresponds to an error in a kernel.
static CuResult resultOf(ptxsim::ErrorKind kind) {
  switch (kind) {
  case ptxsim::ErrorKind::Syntax:
  case ptxsim::ErrorKind::Unsupported:
  case ptxsim::ErrorKind::BadLaunch: // the launch call reports it
  case ptxsim::ErrorKind::Trap:
    return CuResult::LaunchFailed;
  case ptxsim::ErrorKind::OutOfBounds:
  case ptxsim::ErrorKind::ReadOnly:
    return CuResult::IllegalAddress;
  case ptxsim::ErrorKind::Misaligned:
    return CuResult::MisalignedAddress;
  case ptxsim::ErrorKind::BadSync:
    return CuResult::IllegalInstruction;
  case ptxsim::ErrorKind::Deadlock: // the kernel hangs until a watchdog ends it
  case ptxsim::ErrorKind::Budget:
    return CuResult::LaunchTimeout;
  }
  return CuResult::LaunchFailed;
}

namespace {

/// Runs each kind of work.
struct Performer {
  Context &context;
  Lock &lock;

  void fail(const std::string &misuse) const {
    state().misuse(misuse);
    context.lost = CuResult::IllegalAddress;
  }

  void operator()(const LaunchWork &work) const {
    const ptxsim::Kernel &kernel = *work.function->kernel;
    if (work.function->module->isUnloaded)
      return fail("a launch of " + kernel.name + " runs after its module is unloaded");
    ptxsim::LaunchOptions options;
    options.groups = work.groups;
    options.threads = work.local;
    options.dynamicSharedBytes = work.sharedBytes;
    options.sharedLimit = kernel.sharedBytes + work.function->dynamicShared;
    options.seed = state().visible.seed;
    options.isCooperative = work.isCooperative;
    std::vector<const void *> params;
    for (const ptxsim::Kernel::Parameter &parameter : kernel.parameters)
      params.push_back(work.arguments.data() + parameter.offset);
    try {
      const ptxsim::LaunchResult result =
          ptxsim::launch(kernel, context.memory, options, params.data());
      std::vector<std::string> &notes = state().visible.notes;
      notes.insert(notes.end(), result.notes.begin(), result.notes.end());
    } catch (const ptxsim::Error &error) {
      state().faultText = error.what();
      context.lost = resultOf(error.kind);
    }
    std::fflush(stdout); // writes out what the kernel printed
  }

  void operator()(const CopyWork &work) const {
    std::byte *to = work.target.find(work.bytes);
    const std::byte *from = work.staged.empty() ? work.source.find(work.bytes) : work.staged.data();
    if (!to || !from)
      return fail("a copy runs when its memory is not there");
    std::memmove(to, from, work.bytes);
  }

  void operator()(const FillWork &work) const {
    std::byte *bytes = context.memory.find(work.address, work.count * work.size);
    if (!bytes)
      return fail("a fill runs when its memory is not there");
    for (std::size_t i = 0; i < work.count; ++i)
      std::memcpy(bytes + i * work.size, &work.value, work.size);
  }

  void operator()(const CallWork &work) const {
    lock.unlock();
    isInHostFunction = true;
    work.function(work.data);
    isInHostFunction = false;
    lock.lock();
  }

  void operator()(const AllocateWork &work) const { context.memory.show(work.address, true); }
  void operator()(const FreeWork &work) const { context.memory.free(work.address); }
  void operator()(const RecordWork &work) const { *work.time = std::chrono::steady_clock::now(); }
  void operator()(const WaitWork &work) const {
    if (work.point.isDone())
      return;
    drain(work.point, lock);
    // If the awaited work was lost to a sticky error of its context, this context gets the error
    // too.
    if (const CuResult other = work.point.stream->context->lost; other != CuResult::Success)
      context.lost = other;
  }

  void operator()(const GraphWork &work) const {
    for (const std::shared_ptr<const Work> &node : work.nodes)
      perform(*node, context, lock);
  }
};

} // namespace

void perform(const Work &work, Context &context, Lock &lock) {
  // A context with a sticky error skips its work but counts it as done, so that no waiting call
  // blocks. The same holds for a driver all of whose calls fail.
  const test::FakeCuda &fake = state().visible;
  const bool isGone = fake.failsOnwards && fake.failAt != 0 && fake.callCount >= fake.failAt;
  if ((context.lost == CuResult::Success && !isGone) || std::holds_alternative<WaitWork>(work.what))
    std::visit(Performer{context, lock}, work.what);
}

} // namespace spl::fake
