// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/RandomMaker.h"

namespace spl::e2e::random {

const char *const prelude = R"spl(
fn flat_id() -> i64:
    return gpu.local_id(0) + gpu.local_size(0) * (
        gpu.local_id(1) + gpu.local_size(1) * gpu.local_id(2))

fn group_size() -> i64:
    return gpu.local_size(0) * gpu.local_size(1) * gpu.local_size(2)

fn taken(x: i32, source: i32, here: u32) -> i32:
    return x if (here >> source) & 1 == 1 else -7

fn from_lane(x: i32, source: i32) -> i32:
    return taken(gpu.shuffle(x, source), source & 31, gpu.ballot(true))

fn from_xor(x: i32, m: i32) -> i32:
    return taken(gpu.shuffle_xor(x, m), (gpu.lane_id() as i32 ^ m) & 31, gpu.ballot(true))

fn from_below(x: i32, d: i32) -> i32:
    val lane = gpu.lane_id() as i32
    return taken(gpu.shuffle_up(x, d), lane - d if d <= lane else lane, gpu.ballot(true))

fn from_above(x: i32, d: i32) -> i32:
    val lane = gpu.lane_id() as i32
    return taken(gpu.shuffle_down(x, d), lane + d if lane + d < 32 else lane, gpu.ballot(true))

fn finish(out: &mut [i32], v0: i32, v1: i32, v2: i32, v3: i32):
    val at = (gpu.group_id() * group_size() + flat_id()) * 4
    out[at] = v0
    out[at + 1] = v1
    out[at + 2] = v2
    out[at + 3] = v3
)spl";

Kernel Maker::make() {
  std::string text;
  const int functionCount = below(2);
  for (int i = 0; i != functionCount; ++i)
    text += function();
  hasBarriers = below(2) == 0;
  Place top;
  top.isUniform = hasBarriers;
  top.mayReturn = !hasBarriers;
  top.names = {"v0", "v1", "v2", "v3", "u", "x", "lane", "n"};
  Stmt body = block(top, 5);
  text += "\n#[gpu]\nfn " + name + R"(_(a: &[i32], n: i32, out: &mut [i32]):
    val tile = gpu.shared[i32](128)
    val flat = flat_id()
    val size = group_size()
    val x = a[gpu.group_id() * size + flat]
    val lane = gpu.lane_id() as i32
    tile[flat] = x
    var v0 = x
    var v1 = lane
    var v2 = 3i32
    var v3 = n
    var u = n
    u += 1
    v3 += u
)" + indented(body.text) +
          "    finish(out, v0, v1, v2, v3)\n";
  auto run = [body](State &state) {
    Items all;
    for (std::size_t i = 0; i != state.size; ++i)
      all.set(i);
    auto &is = state.variables;
    is["v0"] = is["x"];
    is["lane"] = is["v1"] = each(all, [](std::size_t i) { return wrap(i % 32); });
    is["v2"] = each(all, [](std::size_t) { return 3; });
    is["u"] = each(all, [&](std::size_t i) { return is["n"][i] + 1; });
    is["v3"] = each(all, [&](std::size_t i) { return wrap(is["n"][i] + is["u"][i]); });
    store(state, body.run(state, all));
  };
  return {name + "_", text, run};
}

void Maker::store(State &state, Items items) {
  forEach(items, [&](std::size_t i) {
    for (std::size_t k = 0; k != resultCount; ++k)
      state.stored[k][i] = state.variables["v" + std::to_string(k)][i];
  });
}

std::string Maker::function() {
  const std::string own = name + "_" + number("f");
  Place place;
  place.inFunction = place.mayReturn = true;
  place.names = {own + "p", own + "q", own + "w"};
  assignable = {own + "w"};
  Stmt body = block(place, 2);
  Expr result = value(place, 1);
  assignable = {"v0", "v1", "v2", "v3"};
  const std::string text = (below(2) ? "\n#[noinline]" : "") + std::string("\nfn ") + own + "(" +
                           own + "p: i32, " + own + "q: i32) -> i32:\n    var " + own +
                           "w = " + own + "p\n" + indented(body.text) + "    return " +
                           result.text + "\n";
  functions.push_back({own, {"", [=](State &state, Items items) {
                               const Items left = body.run(state, items);
                               const Values values = result.values(state, left);
                               forEach(left, [&](std::size_t i) { state.result[i] = values[i]; });
                               return items;
                             }}});
  return text;
}

Expr Maker::call(Expr p, Expr q) {
  const Function callee = oneOf(functions);
  return {callee.name + "(" + p.text + ", " + q.text + ")", [=](State &state, Items items) {
            const Values x = p.values(state, items), y = q.values(state, items);
            forEach(items, [&](std::size_t i) {
              state.variables[callee.name + "p"][i] = state.variables[callee.name + "w"][i] = x[i];
              state.variables[callee.name + "q"][i] = y[i];
            });
            const Items returned = std::exchange(state.returned, {});
            const Values result = std::exchange(state.result, {});
            callee.body.run(state, items);
            state.returned = returned;
            return std::exchange(state.result, result);
          }};
}

Kernel makeKernel(std::uint64_t seed) { return Maker(seed).make(); }

std::vector<std::int32_t> reference(const Kernel &kernel, std::span<const std::int32_t> a,
                                    std::int32_t n) {
  State state;
  state.size = a.size();
  for (std::size_t i = 0; i != a.size(); ++i) {
    state.variables["x"][i] = a[i];
    state.variables["n"][i] = n;
  }
  kernel.run(state);
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i != a.size(); ++i)
    for (const Values &values : state.stored)
      out.push_back(values[i]);
  return out;
}

} // namespace spl::e2e::random
