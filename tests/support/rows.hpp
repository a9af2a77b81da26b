// Test cases from a table, named after the requirements of the catalogue that they cover; each runs in both eras.
#pragma once

#include <boost/test/unit_test.hpp>
#include <span>
#include <string>

#include "conversation.hpp"

namespace toolwire_test {

struct Row {
  const char* id;
  void (*show)(Era era);
};

inline bool register_rows(std::span<const Row> rows) {
  for (const Row& row : rows) {
    auto show = [row] {
      row.show(Era::legacy);
      row.show(Era::modern);
    };
    boost::unit_test::framework::master_test_suite().add(
        boost::unit_test::make_test_case(show, row.id, __FILE__, __LINE__));
  }
  return true;
}

}  // namespace toolwire_test
