// A port of this machine that records whether anything connects to it.
#pragma once

namespace toolwire::conformance {

/// One thread.
class ListeningPort {
 public:
  /// Any port that is free.
  ListeningPort();
  ListeningPort(const ListeningPort&) = delete;
  ListeningPort& operator=(const ListeningPort&) = delete;
  ~ListeningPort();

  int number() const { return number_; }
  /// Whether there was a connection that no earlier question has told of.
  bool was_visited() const;

 private:
  int socket_;
  int number_ = 0;
};

}  // namespace toolwire::conformance
