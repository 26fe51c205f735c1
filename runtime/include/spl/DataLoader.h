// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Data loaders. Worker threads produce batches before the consumer needs them: they read, decode
/// and shuffle the data. The consumer receives the batches in order. Only one thread at a time may
/// use a loader. With several workers, several threads call its producer at once.
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

/// How many batches a loader produces before they are needed.
struct DataLoaderOptions {
  /// The maximum number of batches that are ready or in production, and not taken yet: 1 to 65536.
  std::size_t prefetch = 2;
  std::size_t workers = 1; ///< the number of threads; more than prefetch have no effect
  Trace *trace = nullptr;  ///< records the timeline; must outlive the loader
};

/// Times in milliseconds.
struct DataLoaderStats {
  std::size_t batches = 0;   ///< batches taken
  double produceMs = 0;      ///< time in the producer, all workers together
  double producerWaitMs = 0; ///< time that workers waited for a free place, all together
  double consumerWaitMs = 0; ///< time that next waited for a batch
};

namespace detail {

/// The part of the loader that does not depend on the type of the batches.
class Prefetcher {
public:
  /// Produces batch \p index and stores it at \p place. Returns false past the end of the data. May
  /// be called on many threads at once, but not for the same place.
  using Make = std::function<bool(std::size_t index, std::size_t place)>;

  /// Returns the number of places that \p options need. Throws InvalidArgument unless prefetch is 1
  /// to 65536.
  static std::size_t placesFor(const DataLoaderOptions &options);

  Prefetcher(Make make, const DataLoaderOptions &options);
  Prefetcher(Prefetcher &&) noexcept;
  Prefetcher &operator=(Prefetcher &&) noexcept;
  ~Prefetcher();

  /// Waits for the next batch in order. Returns its place, or nothing at the end of the data.
  /// Throws what the producer threw for that batch. The next call waits for the batch after it.
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

/// Calls a producer for up to DataLoaderOptions::prefetch batches before the consumer needs them.
/// Move-only. Only one thread at a time may use it. In a child process made by fork its functions
/// throw ForkedProcess.
template <typename Batch> class DataLoader {
public:
  /// Produces batch \p index, or returns nothing past the end of the data. With several workers it
  /// is called on many threads at once, and also for some indices past the end.
  using Producer = std::function<std::optional<Batch>(std::size_t index)>;

  /// Starts the workers. Throws InvalidArgument if there is no producer, if there are no workers,
  /// or unless prefetch is 1 to 65536. The destructor waits for running calls of the producer, and
  /// destroys batches that were not taken.
  explicit DataLoader(Producer producer, const DataLoaderOptions &options = {})
      : places(std::make_shared<Places>(detail::Prefetcher::placesFor(options))),
        prefetcher(maker(std::move(producer), places), options) {}

  /// Waits for the next batch in order and returns it. Returns nothing at the end of the data.
  /// Throws what the producer threw for that batch. The next call returns the batch after it.
  /// Throws InvalidArgument if the producer itself calls it.
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
