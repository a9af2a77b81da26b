#include "json/value_stack.hpp"

#define BOOST_TEST_MODULE value_stack_test
#include <boost/json/monotonic_resource.hpp>
#include <boost/test/unit_test.hpp>
#include <new>
#include <string>

#include <unistd.h>

#include "process_status.hpp"

using toolwire::Json;
using toolwire::to_json_text;
using toolwire::json::ValueStack;

namespace {

std::size_t peak_of_memory() { return static_cast<std::size_t>(toolwire_test::status_of(::getpid(), "VmHWM")) * 1024; }

/// Gives out so many pieces, then none.
class Scarce final : public boost::container::pmr::memory_resource {
 public:
  explicit Scarce(int pieces) : left_(pieces) {}

 private:
  void* do_allocate(std::size_t size, std::size_t) override {
    if (left_-- <= 0) throw std::bad_alloc();
    return ::operator new(size);
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { ::operator delete(memory); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  int left_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(values_become_containers_in_their_order) {
  ValueStack stack({});
  stack.push_name("a");
  stack.push(std::int64_t{1});
  stack.push_name_part("long ");
  stack.push_name("name");
  stack.push_part("a text in ");
  stack.push_part("three ");
  stack.push_string("parts");
  stack.push_name("c");
  stack.push_name("inside");
  stack.push(nullptr);
  stack.push_object(1);
  stack.push(true);
  stack.push_array(2);
  stack.push_object(3);
  BOOST_TEST(to_json_text(stack.release()) ==
             R"({"a":1,"long name":"a text in three parts","c":[{"inside":null},true]})");
}

BOOST_AUTO_TEST_CASE(what_is_left_unfinished_is_destroyed) {
  ValueStack stack({});
  stack.push_string("a text that is long enough to take memory");
  stack.push_array(1);
  stack.push_name("unfinished");
}

BOOST_AUTO_TEST_CASE(without_memory_nothing_is_lost_or_destroyed_twice) {
  for (int pieces = 0; pieces < 100; ++pieces) {
    Scarce scarce(pieces);
    try {
      ValueStack stack(&scarce);
      for (int i = 0; i < 30; ++i) {
        stack.push_name("a long name, which takes memory " + std::to_string(i % 20));
        stack.push_string("a long text, which takes memory too");
      }
      stack.push_object(30);
      stack.push_array(1);
      BOOST_TEST(stack.release().at(0).as_object().size() == 20u);
    } catch (const std::bad_alloc&) {
    }
  }
}

BOOST_AUTO_TEST_CASE(building_an_array_takes_little_more_memory_than_it_has) {
  if (!toolwire_test::memory_is_ours) return;
  constexpr std::size_t count = 2'000'000;
  constexpr std::size_t size = count * sizeof(Json);
  boost::json::monotonic_resource memory(size + (std::size_t{1} << 20));
  const std::size_t before = peak_of_memory();
  ValueStack stack(&memory);
  for (std::size_t i = 0; i < count; ++i) stack.push(static_cast<std::int64_t>(i));
  stack.push_array(count);
  BOOST_TEST(stack.release().at(count - 1).as_int64() == static_cast<std::int64_t>(count - 1));
  BOOST_TEST(peak_of_memory() < before + size + size / 4);
}
