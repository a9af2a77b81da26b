// A forked process of a test, with pipes as its standard streams. To be included where Boost.Test is.
#pragma once

#include <toolwire/system/file_descriptor.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace toolwire_test {

struct Ends {
  toolwire::system::FileDescriptor read;
  toolwire::system::FileDescriptor write;
};

inline Ends pipe_ends() {
  int ends[2];
  BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  return {toolwire::system::FileDescriptor{ends[0]}, toolwire::system::FileDescriptor{ends[1]}};
}

inline std::string read_all(int descriptor) {
  std::string all;
  char bytes[4096];
  for (ssize_t count = 0; (count = ::read(descriptor, bytes, sizeof bytes)) > 0;)
    all.append(bytes, static_cast<std::size_t>(count));
  return all;
}

/// A forked process whose standard streams are pipes, running one function; what it returns is the exit status.
class Forked {
 public:
  explicit Forked(const std::function<int()>& run) : id_(fork_flushed()) {
    BOOST_REQUIRE(id_ >= 0);
    if (id_ == 0) {
      ::dup2(in_.read.get(), 0);
      ::dup2(out_.write.get(), 1);
      ::dup2(err_.write.get(), 2);
      for (Ends* ends : {&in_, &out_, &err_}) *ends = Ends{};
      ::_exit(run());
    }
    in_.read.reset();
    out_.write.reset();
    err_.write.reset();
  }
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;
  ~Forked() {
    if (id_ > 0) wait();
  }

  void send(std::string_view text) {
    BOOST_TEST(::write(in_.write.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void close_input() { in_.write.reset(); }
  void close_output() { out_.read.reset(); }
  std::string output() { return read_all(out_.read.get()); }
  std::string errors() { return read_all(err_.read.get()); }

  /// The exit status, or minus the signal.
  int wait() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  static pid_t fork_flushed() {
    std::fflush(nullptr);
    return ::fork();
  }

  Ends in_ = pipe_ends();
  Ends out_ = pipe_ends();
  Ends err_ = pipe_ends();
  pid_t id_ = -1;
};

}  // namespace toolwire_test
