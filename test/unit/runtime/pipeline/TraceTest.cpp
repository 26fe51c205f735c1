// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the contents of a trace. It must be valid JSON for all names.
#include "test/unit/TemporaryFolder.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/Trace.h>

#include <cstdlib>
#include <fstream>
#include <locale>
#include <sstream>
#include <thread>

using namespace spl;
using namespace spl::test;
using namespace std::chrono_literals;

namespace {

/// Parses \p json in Python and returns the text of \p expression over it.
std::string readBack(const std::string &json, const std::string &expression) {
  const TemporaryFolder own;
  const std::filesystem::path &folder = own.path();
  std::ofstream(folder / "trace.json") << json;
  std::ofstream(folder / "read.py") << "import json, sys\n"
                                    << "d = json.load(open(sys.argv[1], encoding='utf-8'))\n"
                                    << "print(ascii(" << expression << "))\n";
  const std::string command = SPL_PYTHON " " + (folder / "read.py").string() + " " +
                              (folder / "trace.json").string() + " > " + (folder / "out").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ostringstream result;
  result << std::ifstream(folder / "out").rdbuf();
  return result.str();
}

std::string textOfTrace(const Trace &trace) {
  std::ostringstream out;
  trace.write(out);
  return out.str();
}

} // namespace

TEST(Trace, WritesLanesAndSpans) {
  const Trace::Clock::time_point before = Trace::Clock::now();
  Trace trace;
  Trace::Lane first = trace.addLane("upload"), second = trace.addLane("compute");
  trace.span(first, "u", before + 1500us, before + 2500us + 7ns, 3);
  trace.span(second, "c", before - 1h, before - 1h);
  const std::string json = textOfTrace(trace);
  EXPECT_EQ(readBack(json, "[(e['name'], e['tid'], e['args']) for e in d['traceEvents'] "
                           "if e['ph'] == 'M' and e['name'] == 'thread_name']"),
            "[('thread_name', 1, {'name': 'upload'}), ('thread_name', 2, {'name': 'compute'})]\n");
  EXPECT_EQ(readBack(json, "[(e['name'], e['tid'], e['dur'], e.get('args'), e['ts'] > 1400 - 1e4) "
                           "for e in d['traceEvents'] if e['ph'] == 'X']"),
            "[('u', 1, 1000.007, {'batch': 3}, True), ('c', 2, 0.0, None, False)]\n");
}

TEST(Trace, OfNothingIsValid) {
  EXPECT_EQ(readBack(textOfTrace(Trace()), "d['traceEvents']"), "[]\n");
}

TEST(Trace, EscapesEveryName) {
  const std::pair<std::string, std::string> names[] = {
      {"plain", "'plain'"},
      {"a \"quote\" and a \\", R"('a "quote" and a \\')"},
      {std::string("\x01\n\t\0\x1f\x7f", 6), R"('\x01\n\t\x00\x1f\x7f')"},
      {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", R"('\xe9 \u20ac \U0001f600')"},
      {"\xff", R"('\ufffd')"},
      {"a\xc3", R"('a\ufffd')"},                             // truncated
      {"\xe2\x82z", R"('\ufffd\ufffdz')"},                   // truncated by another character
      {"\xc0\x80", R"('\ufffd\ufffd')"},                     // overlong encoding
      {"\xe0\x80\x80", R"('\ufffd\ufffd\ufffd')"},           // overlong encoding
      {"\xed\xa0\x80", R"('\ufffd\ufffd\ufffd')"},           // a lone UTF-16 surrogate
      {"\xf4\x90\x80\x80", R"('\ufffd\ufffd\ufffd\ufffd')"}, // beyond the last code point
  };
  Trace trace;
  std::string all;
  for (const auto &[name, expected] : names) {
    trace.span(trace.addLane(name), name, {}, {});
    all += (all.empty() ? "" : ", ") + expected;
  }
  const std::string json = textOfTrace(trace);
  EXPECT_EQ(readBack(json, "[e['args']['name'] for e in d['traceEvents'] "
                           "if e['name'] == 'thread_name']"),
            "[" + all + "]\n");
  EXPECT_EQ(readBack(json, "[e['name'] for e in d['traceEvents'] if e['ph'] == 'X']"),
            "[" + all + "]\n");
}

TEST(Trace, KnowsNoLocale) {
  struct Thousands : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\1"; }
  };
  Trace trace;
  trace.span(trace.addLane("x"), "x", Trace::Clock::now(), Trace::Clock::now() + 12345us, 6789);
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new Thousands));
  trace.write(out);
  EXPECT_EQ(readBack(out.str(), "d['traceEvents'][2]['args']"), "{'batch': 6789}\n");
}

TEST(Trace, TakesSpansFromManyThreads) {
  Trace trace;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      Trace::Lane lane = trace.addLane("lane");
      for (std::size_t batch = 0; batch < 250; ++batch)
        trace.span(lane, "batch", {}, {}, batch);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(readBack(textOfTrace(trace), "len(d['traceEvents'])"), "1008\n");
}

TEST(Trace, SaysWhyItCannotBeSaved) {
  const Error error = thrownBy([] { Trace().save("/nowhere/trace.json"); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_NE(error.message().find("'/nowhere/trace.json'"), std::string::npos);
  EXPECT_EQ(error.nativeName(), "No such file or directory");
  EXPECT_EQ(thrownBy([] { Trace().save("/dev/full"); }).nativeName(), "No space left on device");
}
