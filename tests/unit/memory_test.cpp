#include "system/memory.hpp"

#define BOOST_TEST_MODULE memory_test
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "process_status.hpp"

using namespace toolwire::system;

namespace {

std::size_t resident() {
  std::size_t all = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * 4096;
}

constexpr std::size_t much = std::size_t{64} << 20;
constexpr std::size_t little = std::size_t{8} << 20;

}  // namespace

BOOST_AUTO_TEST_CASE(contents_survive_every_change_of_size) {
  std::size_t size = 0;
  void* memory = nullptr;
  for (const std::size_t next :
       {std::size_t{100}, std::size_t{1000}, large_memory, 3 * large_memory, large_memory / 2}) {
    memory = resize_memory(memory, size, next);
    auto* const bytes = static_cast<unsigned char*>(memory);
    const auto is_kept = [](unsigned char byte) { return byte == 7; };
    BOOST_TEST(std::all_of(bytes, bytes + std::min(size, next), is_kept));
    std::memset(bytes, 7, next);
    size = next;
  }
  give_back_memory(memory, size);
}

BOOST_AUTO_TEST_CASE(a_large_piece_takes_only_what_is_touched_and_is_given_back) {
  if (!toolwire_test::memory_is_ours) return;
  const std::size_t before = resident();
  void* const memory = take_memory(much);
  BOOST_TEST(resident() < before + little);
  std::memset(memory, 1, much);
  BOOST_TEST(resident() > before + much - little);
  forget_memory(static_cast<char*>(memory) + 1, much / 2);
  BOOST_TEST(resident() < before + much / 2 + little);
  BOOST_TEST(*static_cast<char*>(memory) == 1);  // of a page of which a byte is kept nothing is lost
  give_back_memory(memory, much);
  BOOST_TEST(resident() < before + little);
}

BOOST_AUTO_TEST_CASE(the_allocator_gives_large_pieces_back_too) {
  if (!toolwire_test::memory_is_ours) return;
  let_go_of_large_memory();
  ::operator delete(::operator new(little));  // after which it would keep pieces of this size
  const std::size_t before = resident();
  std::array<std::unique_ptr<char[]>, 4> pieces;
  for (auto& piece : pieces) piece = std::make_unique<char[]>(little - 4096);
  const auto kept = std::make_unique<char[]>(little / 8);  // behind them, had they come from the heap
  BOOST_TEST(resident() > before + 3 * little);
  for (auto& piece : pieces) piece.reset();
  BOOST_TEST(resident() < before + little);
}

BOOST_AUTO_TEST_CASE(what_the_allocator_keeps_between_pieces_in_use_can_be_given_back) {
  if (!toolwire_test::memory_is_ours) return;
  let_go_of_large_memory();
  const std::size_t before = resident();
  constexpr std::size_t size = 1000;
  std::vector<std::unique_ptr<char[]>> pieces(much / size);
  for (auto& piece : pieces) std::memset((piece = std::make_unique<char[]>(size)).get(), 1, size);
  const auto in_use = std::make_unique<char[]>(size);
  pieces.clear();
  BOOST_TEST(resident() > before + much / 2);
  give_back_freed_memory();
  BOOST_TEST(resident() < before + little);
}

BOOST_AUTO_TEST_CASE(what_there_is_not_is_refused) {
  const std::size_t too_much = std::size_t{1} << 60;
  BOOST_CHECK_THROW(take_memory(too_much), std::bad_alloc);
  void* memory = take_memory(large_memory);
  BOOST_CHECK_THROW(resize_memory(memory, large_memory, too_much), std::bad_alloc);
  give_back_memory(memory, large_memory);
}
