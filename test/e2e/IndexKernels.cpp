// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/IndexMaker.h"

namespace spl::e2e::indices {

Kernel Maker::make() {
  Kernel kernel;
  kernel.name = name;
  std::string parameters;
  for (std::size_t k = 0; k != sliceCount; ++k) {
    const SliceParameter &each = sliceParameters[k];
    parameters += std::string(each.name) + ": &" + (each.isMutable ? "mut " : "") + "[" +
                  each.element.name() + (each.rank == 2 ? ", 2], " : "], ");
    slices.push_back({each.name, k, views++, each.rank});
  }
  names.push_back({"total", i64, values++, true});
  for (std::size_t k = 0; k != scalarCount; ++k) {
    const Type type = kernel.scalars[k] = k == 0 ? i64 : anyType();
    names.push_back({"n" + std::to_string(k), type, values++, false});
    parameters += (k ? ", " : "") + names.back().text + ": " + type.name();
  }
  if (oneIn(4))
    kernel.block = {8, oneIn(2) ? 1 : 2, 1};
  Stmt first = block(3, 2), second = block(3, 2);
  kernel.text = "#[gpu" +
                (kernel.block[0] ? "(block: [8, " + std::to_string(kernel.block[1]) + "])" : "") +
                "]\nfn " + name + "(" + parameters + "):\n" +
                indented("var total = 0\nvar own = [0i64; 8]\n" + first.text + second.text +
                         "if gpu.global_id() < out.len(): " +
                         "gpu.atomic_add(&mut out[gpu.global_id()], total + own[0])\n");
  kernel.values = values;
  kernel.views = views;
  kernel.run = [=](Item &item) {
    Way way = first.run(item);
    if (way == Way::Next)
      way = second.run(item);
    Launch::Slice &out = item.launch.slices[sliceCount - 1];
    if (way == Way::Next && item.globalId(0) < out.extents[1]) {
      std::int64_t &element = out.elements[static_cast<std::size_t>(item.globalId(0))];
      element = static_cast<std::int64_t>(i64.wrapped(element + item.values[0] + item.own[0]));
    }
    return way;
  };
  return kernel;
}

Kernel makeKernel(std::uint64_t seed) { return Maker(seed).make(); }

Launch makeLaunch(const Kernel &kernel, std::mt19937_64 &random) {
  auto oneOf = [&](const std::vector<Wide> &choices) { return choices[random() % choices.size()]; };
  auto oneIn = [&](unsigned count) { return random() % count == 0; };
  const bool isNasty = oneIn(3), isRoomy = oneIn(2);
  Launch launch;
  for (std::size_t axis = 0; axis != 3; ++axis) {
    launch.groups[axis] = axis == 0 ? 1 + static_cast<int>(random() % 4) : oneIn(4) ? 2 : 1;
    launch.local[axis] = static_cast<std::int64_t>(axis == 0  ? oneOf({1, 3, 8, 17, 40, 67})
                                                   : oneIn(4) ? 2
                                                              : 1);
    if (kernel.block[0])
      launch.local[axis] = kernel.block[axis];
  }
  const std::int64_t size = launch.groups[0] * launch.local[0];
  for (std::size_t k = 0; k != sliceCount; ++k) {
    Launch::Slice &slice = launch.slices[k];
    const Type type = sliceParameters[k].element;
    std::size_t count = 1;
    for (unsigned axis = 2 - sliceParameters[k].rank; axis != 2; ++axis) {
      Wide extent = oneOf({size, size, size + 1, size - 1, 2 * size, 4 * size + 3});
      if (isRoomy)
        extent = oneOf({2 * size, 4 * size, 2 * size + 9, 100, 130, 256, 300});
      if (isNasty && oneIn(3))
        extent = oneOf({0, 1, 2, 7, size / 2});
      if (sliceParameters[k].rank == 2)
        extent = std::min<Wide>(extent, axis == 0 ? 120 : 270);
      slice.extents[axis] = static_cast<std::int64_t>(extent);
      count *= static_cast<std::size_t>(extent);
    }
    slice.elements.resize(count);
    for (std::int64_t &element : slice.elements) {
      Wide value = oneOf({0, 1, 2, 3, 5, size - 1, size / 2});
      if (oneIn(isNasty ? 3 : 40))
        value = oneOf({-1, size, type.least(), type.most(), type.most() / 2 + 1, type.most() - 1});
      element = static_cast<std::int64_t>(type.wrapped(value));
    }
  }
  for (std::size_t k = 0; k != scalarCount; ++k) {
    const Type type = kernel.scalars[k];
    Wide value = oneOf({1, 2, 3, 4, size, size - 1, 8, 0, launch.slices[0].extents[1]});
    if (isNasty && oneIn(2))
      value = oneOf({0, -1, -2, -8, type.least(), type.least() + 1, type.most(), type.most() - 1,
                     type.most() / 2, type.most() / 2 + 1, Wide{1} << 31, (Wide{1} << 31) - 1,
                     Wide{1} << 32, Wide{1} << 61, size * 100});
    launch.scalars[k] = static_cast<std::int64_t>(type.wrapped(value));
  }
  return launch;
}

Outcome interpret(const Kernel &kernel, Launch &launch) {
  Item item{launch, {}, {}, {}, {}};
  Outcome outcome = Outcome::Done;
  auto run = [&] {
    item.values.assign(kernel.values, 0);
    item.views.assign(kernel.views, {});
    item.own = {};
    item.patience = 4000;
    for (std::size_t k = 0; k != sliceCount; ++k)
      item.views[k] = {k, 0, launch.slices[k].extents};
    for (std::size_t k = 0; k != scalarCount; ++k)
      item.values[k + 1] = kernel.scalars[k].wrapped(launch.scalars[k]);
    try {
      kernel.run(item);
    } catch (Faulted) { // which does not keep another work-item from continuing for too long
      outcome = Outcome::Fault;
    }
  };
  std::int64_t at[6];
  std::function<void(std::size_t)> each = [&](std::size_t axis) {
    if (axis == 6) {
      item.group = {at[0], at[1], at[2]};
      item.local = {at[3], at[4], at[5]};
      return run();
    }
    const std::int64_t count = axis < 3 ? launch.groups[axis] : launch.local[axis - 3];
    for (at[axis] = 0; at[axis] != count; ++at[axis])
      each(axis + 1);
  };
  try {
    each(0);
  } catch (TooLong) {
    outcome = Outcome::TooLong;
  }
  return outcome;
}

} // namespace spl::e2e::indices
