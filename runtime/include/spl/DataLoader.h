// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Data loaders: worker threads produce batches ahead of their use, by reading, decoding and
/// shuffling. The consumer receives the batches in order. A loader is used from one thread at a
/// time; with several workers its producer is called on several threads at once.
#ifndef SPL_DATALOADER_H
#define SPL_DATALOADER_H

#include <spl/Cxx20.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace spl {

class Trace;

/// How far ahead a loader works.
struct DataLoaderOptions {
  /// How many batches may be ready or in production beyond those taken, 1 to 65536.
  std::size_t prefetch = 2;
  std::size_t workers = 1; ///< threads; more than prefetch are of no use
  Trace *trace = nullptr;  ///< records the timeline; must outlive the loader
};

/// Times in milliseconds.
struct DataLoaderStats {
  std::size_t batches = 0;   ///< batches taken
  double produceMs = 0;      ///< in the producer, all workers together
  double producerWaitMs = 0; ///< workers waited for a free place, all together
  double consumerWaitMs = 0; ///< next waited for a batch
};

namespace detail {

/// The part of the loader that does not depend on the type of the batches.
class Prefetcher {
public:
  /// Produces batch \p index and stores it at \p place; returns whether there is such a batch.
  /// Called on many threads, never twice at once for one place.
  using Make = std::function<bool(std::size_t index, std::size_t place)>;

  /// The number of places. Throws InvalidArgument unless prefetch is 1 to 65536.
  static std::size_t placesFor(const DataLoaderOptions &options);

  Prefetcher(Make make, const DataLoaderOptions &options);
  Prefetcher(Prefetcher &&) noexcept;
  Prefetcher &operator=(Prefetcher &&) noexcept;
  ~Prefetcher();

  /// Waits for the next batch in order; returns its place, or nothing at the end. Throws what its
  /// producer threw; the next call waits for the batch after it.
  std::optional<std::size_t> wait();

  /// Frees the place that wait returned.
  void release();

  DataLoaderStats stats() const;

private:
  struct State;
  State &usable() const;
  void end() noexcept;

  std::unique_ptr<State> state;
};

} // namespace detail

/// Calls a producer ahead of the consumer, by DataLoaderOptions::prefetch batches at most.
/// Move-only; its functions are called from one thread at a time. In a child made by fork they
/// throw ForkedProcess.
template <typename Batch> class DataLoader {
public:
  /// Produces batch \p index, or nothing past the end of the data. With several workers it is
  /// called on many threads, and for some batches past the end.
  using Producer = std::function<std::optional<Batch>(std::size_t index)>;

  /// Starts at once. Throws InvalidArgument without a producer or workers, and unless prefetch is 1
  /// to 65536. The destructor waits for running calls of the producer, and drops batches that were
  /// not taken.
  explicit DataLoader(Producer producer, const DataLoaderOptions &options = {})
      : places(std::make_shared<Places>(detail::Prefetcher::placesFor(options))),
        prefetcher(maker(std::move(producer), places), options) {}

  /// Waits for the next batch in order and returns it, or nothing at the end of the data. Throws
  /// what the producer threw for that batch; the next call returns the batch after it. Throws
  /// InvalidArgument if the producer itself calls it.
  std::optional<Batch> next() {
    const std::optional<std::size_t> place = prefetcher.wait();
    if (!place)
      return std::nullopt;
    std::optional<Batch> batch = std::move((*places)[*place]);
    (*places)[*place].reset();
    prefetcher.release();
    return batch;
  }

  DataLoaderStats stats() const { return prefetcher.stats(); }

private:
  using Places = std::vector<std::optional<Batch>>;

  static detail::Prefetcher::Make maker(Producer producer, std::shared_ptr<Places> places) {
    if (!producer)
      return nullptr;
    return [producer = std::move(producer), places = std::move(places)](std::size_t index,
                                                                        std::size_t place) {
      (*places)[place] = producer(index);
      return (*places)[place].has_value();
    };
  }

  std::shared_ptr<Places> places; ///< the workers hold them too
  detail::Prefetcher prefetcher;
};

} // namespace spl

#endif
