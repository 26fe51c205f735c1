// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Processes.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace spl::random {
namespace {

constexpr std::uint64_t programsInProcess = 25 * inFile;
constexpr unsigned secondsForFile = 120;

/// Memory that a process shares with the one that started it.
struct Shared {
  std::uint64_t seed; ///< of the file that the process works on
  Counts counts;
  char error[1 << 16]; ///< empty if there is none
};
static_assert(std::is_trivially_copyable_v<Counts>);

/// How a process ended, or nothing if it returned.
std::string endOf(int status) {
  if (!WIFSIGNALED(status))
    return "";
  return WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF
             ? "no end"
             : "crash by signal " + std::to_string(WTERMSIG(status));
}

void setError(Shared &shared, const std::string &error) {
  std::strncpy(shared.error, error.c_str(), sizeof shared.error - 1);
}

Shared *makeShared() {
  void *memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return new (memory) Shared{};
}

/// Starts a process that calls \p work and ends. Returns its id.
template <class F> pid_t startProcess(F &&work) {
  std::fflush(nullptr); // the new process would write the same text again
  const pid_t process = fork();
  if (process < 0)
    throw std::system_error(errno, std::generic_category(), "fork");
  if (process == 0) {
    work();
    _exit(0);
  }
  return process;
}

class Runner {
public:
  Runner(const Seeds &seeds, std::size_t maxErrors, const TryFile &tryFile,
         const ExplainCrash &explainCrash)
      : end(seeds.first + seeds.count), maxErrors(maxErrors), tryFile(tryFile),
        explainCrash(explainCrash) {
    for (std::uint64_t first = seeds.first; first < end; first += programsInProcess)
      parts.push_back({first, std::min(first + programsInProcess, end)});
  }

  Findings run() {
    const unsigned most = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
    while (!running.empty() || (!parts.empty() && !isEnough())) {
      while (running.size() < most && !parts.empty() && !isEnough())
        start();
      if (!running.empty())
        finish();
    }
    return std::move(found);
  }

private:
  struct Part {
    std::uint64_t first, end;
  };
  struct Process {
    Part part;
    Shared *shared;
  };

  bool isEnough() const { return found.errors.size() >= maxErrors; }

  void start() {
    const Part part = parts.front();
    parts.pop_front();
    Shared *shared = makeShared();
    const pid_t process = startProcess([&] { work(part, *shared); });
    running[process] = {part, shared};
  }

  /// Runs in the new process. Ends at the first error.
  void work(const Part &part, Shared &shared) const {
    for (std::uint64_t first = part.first; first < part.end; first += inFile) {
      shared.seed = first;
      allowSeconds(secondsForFile);
      std::string error;
      try {
        error = tryFile(first, std::min(inFile, part.end - first), shared.counts);
      } catch (const std::exception &exception) {
        error = std::string("error: ") + exception.what();
      }
      setError(shared, error);
      if (!error.empty())
        return;
    }
    shared.seed = part.end;
  }

  void finish() {
    int status = 0;
    const auto ended = running.find(wait(&status));
    if (ended == running.end())
      return;
    const auto [part, shared] = ended->second;
    running.erase(ended);
    found.counts += shared->counts;
    const std::uint64_t count = std::min(inFile, end - shared->seed);
    const std::string again =
        "SPL_RANDOM=" + std::to_string(shared->seed) + ":" + std::to_string(count) + "\n";
    if (shared->error[0])
      found.errors.push_back("run again with " + again + shared->error);
    else if (const std::string how = endOf(status); !how.empty())
      found.errors.push_back(how + "; run again with " + again + explainCrash(shared->seed, count));
    if (shared->seed + inFile < part.end)
      parts.push_front({shared->seed + inFile, part.end});
    munmap(shared, sizeof(Shared));
  }

  std::uint64_t end;
  std::size_t maxErrors;
  const TryFile &tryFile;
  const ExplainCrash &explainCrash;
  std::deque<Part> parts;
  std::map<pid_t, Process> running;
  Findings found;
};

} // namespace

Findings tryInProcesses(const Seeds &seeds, std::size_t maxErrors, const TryFile &tryFile,
                        const ExplainCrash &explainCrash) {
  return Runner(seeds, maxErrors, tryFile, explainCrash).run();
}

void allowSeconds(unsigned seconds) {
  const itimerval once{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &once, nullptr);
  alarm(10 * seconds); // for what waits; a busy machine may give the process no core for long
}

std::string inProcess(const std::function<std::string()> &work) {
  Shared *shared = makeShared();
  const pid_t process = startProcess([&] {
    allowSeconds(secondsForFile / 4);
    setError(*shared, work());
  });
  int status = 0;
  waitpid(process, &status, 0);
  const std::string how = endOf(status), error = shared->error;
  munmap(shared, sizeof(Shared));
  return how.empty() ? error : how;
}

} // namespace spl::random
