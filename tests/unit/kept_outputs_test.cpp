#include "features/kept_outputs.hpp"

#define BOOST_TEST_MODULE kept_outputs_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <utility>

using namespace toolwire;
using features::KeptOutputs;

namespace {

/// What a Done comes to that is called at once.
template <class T, class Ask>
T at_once(Ask ask) {
  std::optional<T> came;
  ask(Done<T>([&](typename Done<T>::Result&& result) { came = std::get<T>(std::move(result)); }));
  BOOST_REQUIRE(came.has_value());
  return std::move(*came);
}

struct Outputs {
  explicit Outputs(std::size_t room) : kept(memory_output_store(room)) {}
  std::string keep(const std::string& text, std::size_t begin, std::size_t end) const {
    return at_once<std::string>([&](Done<std::string> done) { kept.keep(text, begin, end, {}, std::move(done)); });
  }
  std::optional<KeptOutputs::Part> find(const std::string& cursor) const {
    using Found = std::optional<KeptOutputs::Part>;
    return at_once<Found>([&](Done<Found> done) { kept.find(cursor, {}, std::move(done)); });
  }
  KeptOutputs kept;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_cursor_leads_to_its_part) {
  const Outputs kept(100);
  const auto found = kept.find(kept.keep("0123456789", 3, 8));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->text->substr(found->begin, found->end - found->begin) == "34567");
}

BOOST_AUTO_TEST_CASE(the_oldest_goes_when_there_is_no_more_room) {
  const Outputs kept(25);
  const auto first = kept.keep(std::string(10, 'a'), 0, 1);
  const auto second = kept.keep(std::string(10, 'b'), 0, 1);
  const auto third = kept.keep(std::string(10, 'c'), 0, 1);
  BOOST_TEST(!kept.find(first).has_value());
  BOOST_TEST(kept.find(second).has_value());
  BOOST_TEST(kept.find(third).has_value());
}

BOOST_AUTO_TEST_CASE(what_is_larger_than_all_the_room_is_not_kept_and_drives_nothing_out) {
  const Outputs kept(15);
  const auto small = kept.keep(std::string(10, 'a'), 0, 1);
  BOOST_TEST(kept.keep(std::string(16, 'b'), 0, 1).empty());
  BOOST_TEST(kept.find(small).has_value());
  BOOST_TEST(Outputs(0).keep("x", 0, 1).empty());
}

BOOST_AUTO_TEST_CASE(a_cursor_that_was_changed_leads_nowhere) {
  const Outputs kept(100);
  const auto cursor = kept.keep("0123456789", 3, 8);
  const std::string id = cursor.substr(0, cursor.find('.'));
  for (const char* tail : {".3.11", ".8.3", ".3", "", ".3.8.", ".3.8x", ".-1.8", ".99999999999999999999.8", ".3,8"}) {
    BOOST_TEST(!kept.find(id + tail).has_value());
  }
}
