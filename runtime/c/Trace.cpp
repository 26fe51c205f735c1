// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/trace.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"

#include <chrono>
#include <mutex>
#include <optional>

using namespace spl;
using namespace spl::capi;
using std::chrono::nanoseconds;

extern "C" {

spl_status spl_trace_make(spl_trace *trace) {
  return call([&] {
    requirePointer(trace, "trace");
    *trace = makeHandle(std::make_shared<TraceObject>());
  });
}

int64_t spl_trace_now(void) { return nanoseconds(Trace::Clock::now().time_since_epoch()).count(); }

spl_status spl_trace_add_lane(spl_trace trace, const char *name, int32_t *lane) {
  return call([&] {
    requirePointer(lane, "lane");
    const auto held = object<TraceObject>(trace);
    requirePointer(name, "name");
    std::lock_guard lock(held->mutex);
    held->lanes.push_back(held->trace.addLane(name));
    *lane = static_cast<std::int32_t>(held->lanes.size() - 1);
  });
}

spl_status spl_trace_span(spl_trace trace, int32_t lane, const char *name, int64_t begin,
                          int64_t end, int64_t batch) {
  return call([&] {
    const auto held = object<TraceObject>(trace);
    requirePointer(name, "name");
    if (begin < 0 || end < begin)
      refuse("'begin' is " + std::to_string(begin) + " and 'end' " + std::to_string(end) +
             "; a span cannot end before it begins");
    std::optional<std::size_t> number;
    if (batch >= 0)
      number = static_cast<std::size_t>(batch);
    std::lock_guard lock(held->mutex);
    held->trace.span(at(held->lanes, lane, "lanes"), name,
                     Trace::Clock::time_point(nanoseconds(begin)),
                     Trace::Clock::time_point(nanoseconds(end)), number);
  });
}

spl_status spl_trace_save(spl_trace trace, const char *path) {
  return call([&] { object<TraceObject>(trace)->trace.save(requirePointer(path, "path")); });
}

spl_status spl_trace_free(spl_trace trace) {
  return call([&] { freeHandle<TraceObject>(trace); });
}

} // extern "C"
