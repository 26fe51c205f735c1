// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/system/ChildProcess.h"

#include "runtime/system/Descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace spl::detail {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

struct Pipe {
  Descriptor out, in;
};

/// A child process. Waits only for this child, by its process id.
class Child {
public:
  explicit Child(pid_t id) : id(id) {}

  /// Returns whether the child has ended, and reaps it. A child that other code has reaped has also
  /// ended.
  bool hasEnded() {
    isOver = isOver || waitpid(id, &status, WNOHANG) != 0;
    return isOver;
  }

  /// Waits until the child has ended or \p deadline has passed. Returns whether it has ended.
  bool endsBefore(Clock::time_point deadline) {
    for (milliseconds pause{1}; !hasEnded(); pause = std::min(2 * pause, milliseconds(50))) {
      if (Clock::now() >= deadline)
        return false;
      std::this_thread::sleep_for(pause);
    }
    return true;
  }

  /// Kills the child. A child that hangs in the kernel does not end, and is left behind.
  void kill() {
    if (hasEnded())
      return;
    ::kill(id, SIGKILL);
    endsBefore(Clock::now() + std::chrono::seconds(1));
  }

  /// Describes how the child ended without a result.
  std::string howItEnded() const {
    if (WIFSIGNALED(status))
      return "ended by signal " + std::to_string(WTERMSIG(status));
    return "ended without a response";
  }

private:
  const pid_t id;
  int status = 0;
  bool isOver = false;
};

} // namespace

/// Opens a pipe whose descriptors are not those of the standard streams, even if these are closed.
/// Otherwise output of the child to a standard stream would be part of the result.
static bool open(Pipe &pipe) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  Descriptor out(ends[0]), in(ends[1]);
  pipe.out = Descriptor(fcntl(out.get(), F_DUPFD_CLOEXEC, 3));
  pipe.in = Descriptor(fcntl(in.get(), F_DUPFD_CLOEXEC, 3));
  return pipe.out.get() >= 0 && pipe.in.get() >= 0;
}

/// Runs in the child. Writes the length of the result, then the result.
[[noreturn]] static void answer(const std::function<std::string()> &question, int file) {
  try {
    std::string bytes = question();
    const std::uint64_t length = bytes.size();
    bytes.insert(0, reinterpret_cast<const char *>(&length), sizeof length);
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t written = write(file, bytes.data() + done, bytes.size() - done);
      if (written < 0)
        _exit(1);
      done += static_cast<std::size_t>(written);
    }
    _exit(0);
  } catch (...) { // no frame of the program may be unwound in the child
    _exit(1);
  }
}

/// Reads the child's result from \p file. Returns it, or the problem.
static ChildAnswer receive(int file, Child &child, Clock::time_point deadline) {
  std::string bytes;
  std::uint64_t length = 0;
  // The end of the file is not a reliable sign that the child has ended, because a child of another
  // thread may hold the pipe open.
  for (bool hasEnded = false;;) {
    if (bytes.size() >= sizeof length) {
      std::memcpy(&length, bytes.data(), sizeof length);
      if (bytes.size() - sizeof length == length)
        return {bytes.substr(sizeof length), ""};
    }
    if (Clock::now() >= deadline)
      return {"", "did not respond in time"};
    pollfd entry = {file, POLLIN, 0};
    const int ready = poll(&entry, 1, hasEnded ? 0 : 20);
    if (ready < 0)
      continue; // interrupted by a signal
    if (ready == 0) {
      if (hasEnded)
        return {"", child.howItEnded()};
      hasEnded = child.hasEnded();
      continue;
    }
    char buffer[4096];
    const ssize_t got = read(file, buffer, sizeof buffer);
    if (got > 0)
      bytes.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0)
      return {"", child.endsBefore(deadline) ? child.howItEnded() : "did not end in time"};
  }
}

ChildAnswer askChild(const std::function<std::string()> &question, milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  Pipe pipe;
  if (!open(pipe))
    return {"", "could not be given a pipe: " + std::string(std::strerror(errno))};

  // Signals are blocked, so that no handler of the program runs in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    answer(question, pipe.in.get());
  }
  const int failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (id < 0)
    return {"", "could not be made: " + std::string(std::strerror(failure))};

  pipe.in = Descriptor();
  Child child(id);
  ChildAnswer result = receive(pipe.out.get(), child, deadline);
  if (!result.problem.empty() || !child.endsBefore(deadline))
    child.kill();
  return result;
}

} // namespace spl::detail
