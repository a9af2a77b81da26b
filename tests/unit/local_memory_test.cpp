#include "json/local_memory.hpp"

#define BOOST_TEST_MODULE local_memory
#include <boost/test/unit_test.hpp>
#include <string>

#include "toolwire/json.hpp"

namespace {

using toolwire::json::LocalMemory;

BOOST_AUTO_TEST_CASE(values_live_in_the_buffer_and_overflow_into_the_heap) {
  LocalMemory<256> memory;
  const auto* const begin = reinterpret_cast<const char*>(&memory);
  const toolwire::Json small(std::string(50, 'a'), memory.storage());
  const toolwire::Json large(std::string(5000, 'b'), memory.storage());
  const auto inside = [&](const toolwire::Json& text) {
    const char* at = text.as_string().data();
    return at >= begin && at < begin + sizeof memory;
  };
  BOOST_TEST(inside(small));
  BOOST_TEST(!inside(large));
  BOOST_TEST(small.as_string().size() == 50U);
  BOOST_TEST(large.as_string().size() == 5000U);
}

}  // namespace
