#include "json/fast.hpp"

#define BOOST_TEST_MODULE relocatable_json_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

#include "jsonrpc/message.hpp"

using namespace toolwire;
using json::RelocatableJson;

namespace {

const std::string long_text(100, 'x');

RelocatableJson in_arena() {
  RelocatableJson made(json::arena_for(1000));
  made.emplace_string().assign(long_text);
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_keeps_its_memory_when_it_is_moved) {
  RelocatableJson first = in_arena();
  const char* const place = first.get_string().data();
  RelocatableJson second = std::move(first);
  BOOST_TEST((second.get_string().data() == place));
  BOOST_TEST(first.is_null());  // NOLINT(bugprone-use-after-move): that is the point
  RelocatableJson third = Json("what is there goes");
  third = std::move(second);
  BOOST_TEST((third.get_string().data() == place));
  BOOST_TEST(second.is_null());  // NOLINT(bugprone-use-after-move)
  BOOST_TEST(third == Json(long_text));
}

BOOST_AUTO_TEST_CASE(a_value_that_was_moved_away_can_be_used_again) {
  RelocatableJson first = in_arena();
  const RelocatableJson second = std::move(first);
  first = Json("again");
  BOOST_TEST(first == Json("again"));
  RelocatableJson& same = first;
  first = std::move(same);
  BOOST_TEST(first == Json("again"));
}

BOOST_AUTO_TEST_CASE(a_copy_outlives_what_it_was_made_of) {
  Json copy;
  Json kept;
  {
    RelocatableJson first = in_arena();
    copy = first;
    kept = Json(first);  // shares the arena, which lives as long
  }
  BOOST_TEST(copy == Json(long_text));
  BOOST_TEST(kept == Json(long_text));
}

BOOST_AUTO_TEST_CASE(params_are_handed_on_where_they_are) {
  auto incoming =
      jsonrpc::parse(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"text":")" + long_text + "\"}}", {{8}});
  auto& request = std::get<jsonrpc::Request>(std::get<jsonrpc::Message>(incoming));
  const char* const place = request.params.at("text").get_string().data();
  jsonrpc::Request taken = std::move(request);
  BOOST_TEST((taken.params.at("text").get_string().data() == place));
}
