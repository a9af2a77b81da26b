#include <toolwire/reply.hpp>

#define BOOST_TEST_MODULE reply_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace toolwire;

namespace {

/// The texts of the answers that were sent.
struct Answers {
  Reply reply() {
    return Reply([this](AnyOutcome&& outcome) {
      texts.push_back(std::get<TextContent>(std::get<ToolResult>(outcome).content.at(0).item).text);
    });
  }
  std::vector<std::string> texts;
};

static_assert(!std::is_copy_constructible_v<Reply> && !std::is_copy_assignable_v<Reply>);
static_assert(std::is_nothrow_move_constructible_v<Reply> && std::is_nothrow_move_assignable_v<Reply>);

}  // namespace

BOOST_AUTO_TEST_CASE(a_reply_answers_once) {
  Answers answers;
  {
    Reply reply = answers.reply();
    reply("first");
    reply("second");
    reply.error("third");
  }
  BOOST_TEST(answers.texts == std::vector<std::string>{"first"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_dropped_answers_with_an_error) {
  Answers answers;
  { Reply reply = answers.reply(); }
  BOOST_TEST(answers.texts.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_duty_to_answer_moves) {
  Answers answers;
  {
    Reply first = answers.reply();
    Reply second = std::move(first);
    second("moved");
  }
  BOOST_TEST(answers.texts == std::vector<std::string>{"moved"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_assigned_over_is_dropped) {
  Answers old;
  Answers fresh;
  Reply reply = old.reply();
  reply = fresh.reply();
  BOOST_TEST(old.texts.size() == 1u);
  BOOST_TEST(fresh.texts.empty());
  reply("x");
  BOOST_TEST(fresh.texts.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_released_says_nothing) {
  Answers answers;
  { answers.reply().release(); }
  BOOST_TEST(answers.texts.empty());
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_answer_to_who_catches_it) {
  Answers answers;
  try {
    const Reply reply = answers.reply();  // NOLINT(clang-analyzer-deadcode.DeadStores): destroyed by the exception
    throw std::runtime_error("x");
  } catch (const std::runtime_error&) {
    BOOST_TEST(answers.texts.empty());
  }
}
