#include "toolwire/stores.hpp"

#define BOOST_TEST_MODULE memory_stores_test
#include <boost/test/unit_test.hpp>

#include "event_bus_cases.hpp"
#include "store_cases.hpp"

namespace {

toolwire::Stores make() {
  return {.used_answers = toolwire::memory_nonce_store(),
          .continuations = toolwire::memory_nonce_store(),
          .rates = toolwire::memory_rate_store(),
          .outputs = toolwire::memory_output_store(std::size_t{1} << 20)};
}

const bool registered = [] {
  toolwire_test::add_store_cases("memory", make);
  toolwire_test::add_event_bus_cases("memory_bus", [] {
    const auto bus = toolwire::memory_event_bus();
    return toolwire_test::TwoEnds{bus, bus};
  });
  return true;
}();

}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_stores_are_registered) { BOOST_TEST(registered); }
