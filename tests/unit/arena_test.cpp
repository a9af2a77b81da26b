#include "json/fast/arena.hpp"

#define BOOST_TEST_MODULE arena
#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <vector>

#include "json/fast.hpp"
#include "toolwire/json.hpp"

namespace {

using toolwire::Json;
using toolwire::json::Arena;
using toolwire::json::arena_for;

BOOST_AUTO_TEST_CASE(small_values_stand_side_by_side_and_large_ones_overflow_into_blocks_of_their_own) {
  Arena arena(256);
  const Json first(std::string(50, 'a'), &arena);
  const Json second(std::string(50, 'c'), &arena);
  const Json large(std::string(5000, 'b'), &arena);
  const auto distance = second.as_string().data() - first.as_string().data();
  BOOST_TEST(distance > 0);
  BOOST_TEST(distance < 256);
  BOOST_TEST(first.as_string() == std::string(50, 'a'));
  BOOST_TEST(second.as_string() == std::string(50, 'c'));
  BOOST_TEST(large.as_string() == std::string(5000, 'b'));
}

BOOST_AUTO_TEST_CASE(memory_is_aligned_as_asked) {
  Arena arena(64);
  for (std::size_t align = 1; align <= alignof(std::max_align_t); align *= 2) {
    (void)arena.allocate(1, 1);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(arena.allocate(100, align)) % align == 0U);
  }
}

BOOST_AUTO_TEST_CASE(what_is_used_is_counted) {
  const Arena* arena = nullptr;
  const auto storage = arena_for(std::size_t{10} << 20, std::numeric_limits<std::size_t>::max(), arena);
  BOOST_TEST(arena->used() == 0u);
  (void)storage->allocate(100, 8);
  BOOST_TEST(arena->used() >= 100u);
  BOOST_TEST(arena->used() < 200u);  // of a large block nobody has touched the rest
  (void)storage->allocate(std::size_t{20} << 20, 8);
  BOOST_TEST(arena->used() >= std::size_t{20} << 20);
}

BOOST_AUTO_TEST_CASE(an_arena_lives_as_long_as_the_last_value_made_from_it) {
  std::vector<Json> kept;
  for (int round = 0; round < 200; ++round) {
    const auto arena = arena_for(100);
    kept.emplace_back(std::string(90, 'a'), arena);
  }
  for (const Json& value : kept) BOOST_REQUIRE(value.as_string() == std::string(90, 'a'));
}

}  // namespace
