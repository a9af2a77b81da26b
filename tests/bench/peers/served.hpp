// The server that is measured, as a child process, and peers of it. POSIX.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <toolwire/transport.hpp>

namespace toolwire::bench {

/// Writes and reads whole lines; waits for them.
class Peer {
 public:
  explicit Peer(const std::string& path);
  void say(std::string_view line);
  std::string hear();
  /// Milliseconds until a request is answered.
  double time(std::string_view line);

 private:
  std::unique_ptr<Transport> transport_;
  std::string heard_;
};

std::string ping(int id);
std::string call(int id, std::string_view tool, std::string_view arguments = "{}");

/// Ended by its destructor.
class Served {
 public:
  /// The program stands beside this one.
  Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served();

  const std::string& path() const { return path_; }
  /// With the revision negotiated.
  std::unique_ptr<Peer> peer() const;

  double resident_megabytes() const;
  std::ptrdiff_t threads() const;
  std::ptrdiff_t descriptors() const;

 private:
  std::string folder_;
  std::string path_;
  int process_ = 0;
};

}  // namespace toolwire::bench
