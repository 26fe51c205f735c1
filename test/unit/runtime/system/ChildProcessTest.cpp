// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests functions that run in a child process, in programs with unusual settings.
#include "runtime/system/ChildProcess.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using spl::detail::askChild;
using spl::detail::ChildAnswer;
using std::chrono::milliseconds;
using std::chrono::seconds;

static ChildAnswer ask(const std::function<std::string()> &question) {
  return askChild(question, seconds(20));
}

static bool hasNoChild() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

TEST(ChildProcess, ReturnsTextFromAnotherProcess) {
  int changed = 1;
  const ChildAnswer answer = ask([&] {
    changed = 2;
    return std::to_string(getpid()) + " of " + std::to_string(getppid());
  });
  EXPECT_EQ(answer.problem, "");
  EXPECT_NE(answer.bytes.find(" of " + std::to_string(getpid())), std::string::npos);
  EXPECT_NE(answer.bytes.find(std::to_string(getpid())), 0u);
  EXPECT_EQ(changed, 1);
  EXPECT_TRUE(hasNoChild());
}

TEST(ChildProcess, ResponsesOfAnySizeArriveWhole) {
  // The last size exceeds the capacity of a pipe.
  for (std::size_t size : {0, 1, 4095, 4096, 1000003}) {
    const std::string expected = std::string(size / 2, '\0') + std::string(size - size / 2, 'x');
    const ChildAnswer answer = ask([&] { return expected; });
    EXPECT_EQ(answer.problem, "") << size;
    EXPECT_EQ(answer.bytes, expected) << size;
  }
}

TEST(ChildProcess, OneThatEndsOtherwiseIsAProblem) {
  auto problem = [](const std::function<std::string()> &question) {
    const ChildAnswer answer = ask(question);
    EXPECT_EQ(answer.bytes, "");
    EXPECT_TRUE(hasNoChild());
    return answer.problem;
  };
  EXPECT_EQ(problem([]() -> std::string { throw std::runtime_error("no"); }),
            "ended without a response");
  EXPECT_EQ(problem([]() -> std::string { _exit(0); }), "ended without a response");
  EXPECT_EQ(problem([]() -> std::string { std::abort(); }), "ended by signal 6");
  EXPECT_EQ(problem([]() -> std::string {
              kill(getpid(), SIGKILL);
              return "";
            }),
            "ended by signal 9");
}

TEST(ChildProcess, OneThatHangsIsEnded) {
  const auto begin = std::chrono::steady_clock::now();
  const ChildAnswer answer = askChild(
      []() -> std::string {
        for (;;)
          pause();
      },
      milliseconds(100));
  EXPECT_EQ(answer.problem, "did not respond in time");
  EXPECT_TRUE(hasNoChild());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(10));
}

TEST(ChildProcess, ItsEndIsSeenWhereAnotherHoldsThePipeOpen) {
  const ChildAnswer answer = askChild(
      []() -> std::string {
        if (fork() == 0) { // like a fork in another thread
          close(STDOUT_FILENO);
          close(STDERR_FILENO);
          sleep(8);
          _exit(0);
        }
        _exit(3);
      },
      seconds(4));
  EXPECT_EQ(answer.problem, "ended without a response");
}

TEST(ChildProcess, WithoutProcessesOrFilesThereIsAProblem) {
  const ChildAnswer inner = ask([] { // in a process where it is harmless
    rlimit none{0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    return askChild([] { return std::string("answered"); }, seconds(5)).problem;
  });
  EXPECT_EQ(inner.bytes, "could not be given a pipe: Too many open files");
}

namespace {

/// Sets the handling of SIGCHLD while the object lives.
class ChildSignal {
public:
  explicit ChildSignal(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    sigaction(SIGCHLD, &action, &before);
  }
  ~ChildSignal() { sigaction(SIGCHLD, &before, nullptr); }

private:
  struct sigaction before = {};
};

std::atomic<int> handled{0};

} // namespace

TEST(ChildProcess, AProgramMayIgnoreItsChildren) {
  ChildSignal ignored(SIG_IGN);
  const ChildAnswer answer = ask([] { return std::string("answered"); });
  EXPECT_EQ(answer.bytes, "answered");
  EXPECT_EQ(ask([]() -> std::string { _exit(3); }).problem, "ended without a response");
  EXPECT_EQ(askChild(
                []() -> std::string {
                  for (;;)
                    pause();
                },
                milliseconds(50))
                .problem,
            "did not respond in time");
}

TEST(ChildProcess, AProgramMayWaitForAllChildrenInItsHandler) {
  ChildSignal set([](int) {
    const int kept = errno;
    while (waitpid(-1, nullptr, WNOHANG) > 0)
      ++handled;
    errno = kept;
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(ask([] { return std::string("answered"); }).bytes, "answered");
  EXPECT_EQ(ask([]() -> std::string { _exit(3); }).problem, "ended without a response");
  EXPECT_TRUE(hasNoChild());
}

TEST(ChildProcess, HandlersOfTheProgramDoNotRunInIt) {
  static std::atomic<int> count;
  count = 0;
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { ++count; };
  sigaction(SIGUSR1, &action, &before);
  const ChildAnswer answer = ask([] {
    kill(getpid(), SIGUSR1);
    return std::to_string(count);
  });
  EXPECT_EQ(answer.bytes, "0");
  raise(SIGUSR1); // it is not blocked any more
  EXPECT_EQ(count, 1);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(ChildProcess, SignalsThatComeMeanwhileAreNotLost) {
  // Shared with the child, which sends the next signal after the previous one was handled.
  static std::atomic<int> *count;
  void *shared =
      mmap(nullptr, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  count = new (shared) std::atomic<int>(0);
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { ++*count; };
  sigaction(SIGUSR2, &action, &before);
  const pid_t parent = getpid();
  const ChildAnswer answer = ask([&] {
    for (int i = 1; i <= 10; ++i) {
      kill(parent, SIGUSR2);
      while (*count < i)
        usleep(100);
    }
    return std::string("answered");
  });
  EXPECT_EQ(answer.bytes, "answered");
  EXPECT_EQ(*count, 10);
  sigaction(SIGUSR2, &before, nullptr);
  munmap(shared, sizeof *count);
}

TEST(ChildProcess, WhatTheChildPrintsIsNotPartOfTheResponse) {
  for (int file : {0, 1, 2}) {
    const ChildAnswer outer = ask([&] { // in a process where closed files are harmless
      for (int closed = file; closed <= 2; ++closed)
        close(closed);
      return ask([file] {
               for (int stream = file; stream <= 2; ++stream)
                 (void)!write(stream, "noise", 5);
               return std::string("answered");
             })
          .bytes;
    });
    EXPECT_EQ(outer.bytes, "answered") << file;
  }
}

TEST(ChildProcess, AsksWhileOtherThreadsAllocate) {
  std::atomic<bool> stop{false};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&stop, i] {
      while (!stop) {
        std::vector<std::unique_ptr<char[]>> blocks;
        for (std::size_t size = 1; size < 200000; size = size * 3 + static_cast<std::size_t>(i))
          blocks.emplace_back(new char[size]);
      }
    });
  for (int i = 0; i < 100; ++i) {
    const ChildAnswer answer = ask([] {
      std::string text;
      for (int j = 0; j < 100; ++j)
        text += std::string(static_cast<std::size_t>(j), 'x');
      return text;
    });
    EXPECT_EQ(answer.bytes.size(), 4950u) << answer.problem;
  }
  stop = true;
}
