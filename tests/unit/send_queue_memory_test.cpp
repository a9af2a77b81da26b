// The output where memory is scarce. A program of its own: it replaces operator new.
#include "engine/send_queue.hpp"

#define BOOST_TEST_MODULE send_queue_memory_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "script_transport.hpp"

using namespace toolwire::engine;
using toolwire::Transport;
using toolwire_test::lines_written_to;
using toolwire_test::ScriptTransport;

namespace {

/// Bytes; what is asked for at once is refused beyond.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): see operator new
std::atomic<std::size_t> largest_piece{static_cast<std::size_t>(-1)};

/// While it exists memory is given out in pieces of so many bytes at most.
class ScarceMemory {
 public:
  explicit ScarceMemory(std::size_t largest) { largest_piece = largest; }
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;
  ~ScarceMemory() { largest_piece = static_cast<std::size_t>(-1); }
};

}  // namespace

// NOLINTBEGIN(misc-definitions-in-headers, cppcoreguidelines-no-malloc): here memory comes from
void* operator new(std::size_t size) {
  void* const memory = size > largest_piece ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-definitions-in-headers, cppcoreguidelines-no-malloc)

BOOST_AUTO_TEST_CASE(lines_behind_large_ones_need_memory_for_themselves_only) {
  ScriptTransport transport;
  SendQueue output(transport, {}, [] {});
  const std::string large(4 << 20, 'x');
  std::string without_room(large);
  without_room.shrink_to_fit();
  {
    std::string moved(large);
    moved.reserve(large.size() + 1);
    std::string moved_too(moved);
    moved_too.reserve(large.size() + 1);
    const ScarceMemory scarce(large.size() + 2);  // the line feed, and what ends a std::string
    output.append(std::move(moved));
    for (int i = 0; i < 3; ++i) output.append(std::string_view("small"));
    output.append(std::move(moved_too));
    output.append(std::string("small"));
    output.append(std::string_view(large));
    output.append(std::move(without_room));
    output.append(std::string("last"));
  }
  BOOST_TEST(output.pending() == 4 * (large.size() + 1) + 4 * 6 + 5);
  output.flush(Transport::Blocking::yes);
  BOOST_TEST(output.empty());
  BOOST_TEST(lines_written_to(transport) ==
                 (std::vector<std::string>{large, "small", "small", "small", large, "small", large, large, "last"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_line_there_is_no_memory_for_is_not_appended) {
  ScriptTransport transport;
  SendQueue output(transport, {}, [] {});
  const std::string large(4 << 20, 'x');
  output.append(std::string_view("before"));
  {
    const ScarceMemory scarce(1 << 20);
    BOOST_CHECK_THROW(output.append(std::string_view(large)), std::bad_alloc);
    output.append(std::string_view("behind"));
  }
  BOOST_TEST(output.pending() == 2 * 7u);
  output.flush(Transport::Blocking::yes);
  BOOST_TEST(lines_written_to(transport) == (std::vector<std::string>{"before", "behind"}),
             boost::test_tools::per_element());
}
