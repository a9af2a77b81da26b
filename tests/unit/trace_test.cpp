#include "server/trace.hpp"

#define BOOST_TEST_MODULE trace_test
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "scratch_folder.hpp"

using toolwire::Transport;
using toolwire::server::Trace;
using toolwire::server::TraceFile;
using toolwire_test::ScratchFolder;

namespace {

const TraceFile::Heading heading{"calculator", "1.0.0", 1'000'000};

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line.substr(0, line.find(",\"at\"")));
  return lines;
}

/// Accepts as much as it is told to and keeps it; its input is given beforehand.
struct Scripted final : Transport {
  std::string to_read;
  std::string written;
  std::vector<std::ptrdiff_t> accept;  // one a write

  std::ptrdiff_t read(char* into, std::size_t room) override {
    const std::size_t count = to_read.copy(into, room);
    to_read.erase(0, count);
    return static_cast<std::ptrdiff_t>(count);
  }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking) override {
    auto accepted = static_cast<std::ptrdiff_t>(count);
    if (!accept.empty()) {
      accepted = accept.front();
      accept.erase(accept.begin());
    }
    if (accepted > 0) written.append(bytes, static_cast<std::size_t>(accepted));
    return accepted;
  }
  void interrupt() override { interrupted_once = true; }
  bool input_closed() override { return to_read.empty(); }
  bool interrupted_once = false;
};

}  // namespace

BOOST_AUTO_TEST_CASE(both_directions_pass_unchanged_and_are_recorded) {
  const ScratchFolder folder;
  const std::string path = folder / "trace";
  Scripted wire;
  wire.to_read = "{\"id\":1,\"password\":\"x\"}\n";
  {
    TraceFile file(path, heading);
    Trace trace(wire, file);
    std::array<char, 100> bytes{};
    const std::ptrdiff_t count = trace.read(bytes.data(), bytes.size());
    BOOST_TEST(std::string(bytes.data(), static_cast<std::size_t>(count)) == "{\"id\":1,\"password\":\"x\"}\n");
    BOOST_TEST(trace.read(bytes.data(), bytes.size()) == Transport::end_of_input);
    BOOST_TEST(trace.input_closed());
    BOOST_TEST(trace.write("{\"result\":2}\n", 13, Transport::Blocking::yes) == 13);
    trace.interrupt();
    BOOST_TEST(wire.interrupted_once);
  }
  BOOST_TEST(wire.written == "{\"result\":2}\n");
  const auto lines = lines_of(path);
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines[0].starts_with("{\"about\":\"calculator 1.0.0\""));
  BOOST_TEST(lines[1] == "{\"in\":{\"id\":1,\"password\":\"(redacted)\"}");
  BOOST_TEST(lines[2] == "{\"out\":{\"result\":2}");
}

BOOST_AUTO_TEST_CASE(what_is_written_again_because_it_was_not_accepted_is_recorded_once) {
  const ScratchFolder folder;
  Scripted wire;
  wire.accept = {2, 0, 3};
  {
    TraceFile file(folder / "trace", heading);
    Trace trace(wire, file);
    const std::string text = "[10]\n[20]\n";
    BOOST_TEST(trace.write(text.data(), 5, Transport::Blocking::no) == 2);
    BOOST_TEST(trace.write(text.data() + 2, 3, Transport::Blocking::no) == 0);
    BOOST_TEST(trace.write(text.data() + 2, 8, Transport::Blocking::no) == 3);
    BOOST_TEST(trace.write(text.data() + 5, 5, Transport::Blocking::no) == 5);
  }
  BOOST_TEST(wire.written == "[10]\n[20]\n");
  const auto lines = lines_of(folder / "trace");
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines[1] == "{\"out\":[10]");
  BOOST_TEST(lines[2] == "{\"out\":[20]");
}

BOOST_AUTO_TEST_CASE(a_peer_that_is_gone_is_reported_as_such) {
  const ScratchFolder folder;
  Scripted wire;
  wire.accept = {Transport::peer_gone};
  TraceFile file(folder / "trace", heading);
  Trace trace(wire, file);
  BOOST_TEST(trace.write("[1]\n", 4, Transport::Blocking::yes) == Transport::peer_gone);
}

BOOST_AUTO_TEST_CASE(what_came_in_is_in_the_file_soon) {
  const ScratchFolder folder;
  TraceFile file(folder / "trace", heading);
  file.record(TraceFile::Direction::in, "[1]\n", TraceFile::Wait::briefly);
  file.flush(std::chrono::seconds(50));
  BOOST_TEST(lines_of(folder / "trace").back() == "{\"in\":[1]");
}

BOOST_AUTO_TEST_CASE(the_file_is_for_its_owner_only_and_is_appended_to) {
  const ScratchFolder folder;
  const std::string path = folder / "trace";
  ::umask(0);
  for (int run = 0; run < 2; ++run)
    TraceFile(path, heading).record(TraceFile::Direction::in, "[1]\n", TraceFile::Wait::no);
  struct stat status {};
  BOOST_TEST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777u) == 0600u);
  BOOST_TEST(lines_of(path).size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_second_connection_gets_a_file_of_its_own) {
  const ScratchFolder folder;
  const std::string path = folder / "trace";
  TraceFile first(path, heading);
  TraceFile second(path, heading);
  BOOST_TEST(first.path() == path);
  BOOST_TEST(second.path() == path + "." + std::to_string(::getpid()));
  BOOST_TEST(lines_of(path).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_opened_or_written_is_an_error) {
  const ScratchFolder folder;
  BOOST_CHECK_THROW(TraceFile(folder / "missing/trace", heading), std::system_error);
  BOOST_CHECK_THROW(TraceFile(folder.text(), heading), std::system_error);
  BOOST_CHECK_THROW(TraceFile("/dev/full", heading), std::system_error);
  const std::string fifo = folder / "fifo";
  BOOST_TEST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  BOOST_CHECK_THROW(TraceFile(fifo, heading), std::system_error);
}

BOOST_AUTO_TEST_CASE(a_reader_that_takes_nothing_holds_up_neither_the_connection_nor_its_end) {
  const ScratchFolder folder;
  const std::string fifo = folder / "fifo";
  BOOST_TEST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  BOOST_TEST_REQUIRE(reader >= 0);
  {
    TraceFile file(fifo, heading);
    const std::string line = "\"" + std::string(500'000, 'x') + "\"\n";
    for (int i = 0; i < 200; ++i) file.record(TraceFile::Direction::out, line, TraceFile::Wait::no);
  }
  BOOST_TEST(::close(reader) == 0);
}
