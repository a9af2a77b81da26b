// Which CPU a client and its server run on, where the kernel's choice would otherwise decide the result: with 64 calls
// in flight two programs on one CPU are several times as fast as on two.
#pragma once

#include "bench/session.hpp"

namespace toolwire::bench {

/// While it lives, this thread runs on the first CPU it may use, and what `on_the_other` starts on the last one. On a
/// machine with a single CPU both are the same.
class TwoCpus {
 public:
  TwoCpus();  ///< throws std::system_error
  TwoCpus(const TwoCpus&) = delete;
  TwoCpus& operator=(const TwoCpus&) = delete;
  ~TwoCpus();

  /// The same program under the same name, all its threads on the other CPU.
  Candidate on_the_other(const Candidate& candidate) const;

 private:
  std::vector<int> before_;
};

}  // namespace toolwire::bench
