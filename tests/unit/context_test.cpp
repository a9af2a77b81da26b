#include <toolwire/context.hpp>

#define BOOST_TEST_MODULE context_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

#include <toolwire/detail/context_builder.hpp>

using namespace toolwire;

namespace {

struct Confirm {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Confirm::sure>("Really?")); }
};

const JsonObject none;

std::optional<Answer<Confirm>> answer_in(const char* answers) {
  const Json given = parse_json(answers);
  return Context({}, given.as_object(), none).answer<Confirm>("q");
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_not_asked_has_no_answer) {
  BOOST_TEST(!answer_in("{}").has_value());
  BOOST_TEST(!answer_in(R"({"q":null})").has_value());
  BOOST_TEST(!answer_in(R"({"p":{"action":"accept"}})").has_value());
}

BOOST_AUTO_TEST_CASE(an_answer_has_a_value_only_if_it_was_accepted) {
  const auto accepted = answer_in(R"({"q":{"action":"accept","content":{"sure":true}}})");
  BOOST_TEST(accepted->accepted());
  BOOST_TEST(accepted->value->sure);
  const auto declined = answer_in(R"({"q":{"action":"decline","content":{"sure":true}}})");
  BOOST_TEST(!declined->accepted());
  BOOST_TEST((declined->action == Answer<Confirm>::Action::decline));
  BOOST_TEST((answer_in(R"({"q":{"action":"cancel"}})")->action == Answer<Confirm>::Action::cancel));
}

BOOST_AUTO_TEST_CASE(an_answer_that_does_not_fit_names_the_place) {
  for (const char* answers :
       {R"({"q":{}})", R"({"q":{"action":"maybe"}})", R"({"q":{"action":"accept"}})",
        R"({"q":{"action":"accept","content":{"sure":"yes"}}})", R"({"q":{"action":"accept","content":[]}})"}) {
    BOOST_CHECK_EXCEPTION(answer_in(answers), InvalidArguments,
                          [](const InvalidArguments& error) { return std::string(error.what()).starts_with('q'); });
  }
}

BOOST_AUTO_TEST_CASE(progress_goes_to_who_asked_for_it) {
  Context context({}, none, none);
  BOOST_TEST(!context.wants_progress());
  context.progress(1);
  double last = 0;
  detail::ContextBuilder(context).report_progress_to(
      [&](double done, std::optional<double>, std::string_view) { last = done; });
  BOOST_TEST(context.wants_progress());
  context.progress(2, 3, "x");
  BOOST_TEST(last == 2);
}

BOOST_AUTO_TEST_CASE(a_tool_sees_that_it_is_to_stop) {
  std::stop_source stop;
  const JsonObject meta{{"traceparent", "x"}};
  Context context(stop.get_token(), none, meta);
  BOOST_TEST(!context.stop_requested());
  stop.request_stop();
  BOOST_TEST(context.stop_requested());
  BOOST_TEST(context.meta().at("traceparent") == "x");
}

BOOST_AUTO_TEST_CASE(a_signal_says_when_to_stop_in_place_of_the_token) {
  struct Signal final : detail::StopSignal {
    std::stop_token stop_token() const override { return source.get_token(); }
    bool stop_requested() const noexcept override { return source.stop_requested(); }
    std::stop_source source;
  } signal;
  Context context({}, none, none);
  detail::ContextBuilder(context).stop_by(signal);
  BOOST_TEST(!context.stop_requested());
  signal.source.request_stop();
  BOOST_TEST(context.stop_requested());
  BOOST_TEST(context.stop_token().stop_requested());
}

BOOST_AUTO_TEST_CASE(a_page_is_answered_by_what_the_user_did) {
  const auto given = [](const char* answers) {
    const Json all = parse_json(answers);
    return Context({}, all.as_object(), none).url_answer("q");
  };
  BOOST_TEST(!given("{}").has_value());
  BOOST_TEST((given(R"({"q":{"action":"accept"}})") == AnswerAction::accept));
  BOOST_TEST((given(R"({"q":{"action":"cancel"}})") == AnswerAction::cancel));
  BOOST_CHECK_THROW(given(R"({"q":{"action":"open"}})"), InvalidArguments);
}

BOOST_AUTO_TEST_CASE(a_model_that_refuses_counts_as_cancelled) {
  const Json given = parse_json(
      R"({"no":{"action":"cancel"},"yes":{"role":"assistant","model":"m","content":[{"type":"text","text":"a"}]},
          "odd":{"role":"assistant","model":"m","content":5}})");
  Context context({}, given.as_object(), none);
  BOOST_TEST(!context.model_answer("none").has_value());
  BOOST_TEST(!context.model_answer("no")->accepted());
  BOOST_TEST(context.model_answer("yes")->value->text() == "a");
  BOOST_CHECK_THROW(context.model_answer("odd"), InvalidArguments);
}

BOOST_AUTO_TEST_CASE(roots_are_read_with_their_names) {
  const Json given = parse_json(R"({"q":{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]},"odd":{}})");
  Context context({}, given.as_object(), none);
  const auto roots = context.roots("q");
  BOOST_REQUIRE(roots->value->size() == 2u);
  BOOST_TEST(roots->value->at(0).name == "a");
  BOOST_TEST(roots->value->at(1).uri == "file:///b");
  BOOST_CHECK_THROW(context.roots("odd"), InvalidArguments);
}

BOOST_AUTO_TEST_CASE(where_nobody_answers_nothing_can_be_asked) {
  BOOST_TEST(!Context({}, none, none).can_ask(ask<Confirm>("q", "Sure?")));
}

BOOST_AUTO_TEST_CASE(a_log_gets_what_it_wants) {
  struct Log final : detail::ClientLog {
    bool wants(LogLevel level) const noexcept override { return level >= LogLevel::warning; }
    void log(LogLevel level, const Json& data, std::string_view logger) override {
      all.append(name_of(level)).append(to_json_text(data)).append(logger).append(";");
    }
    std::string all;
  } sink;
  Context context({}, none, none);
  BOOST_TEST(!context.wants_log(LogLevel::emergency));
  context.log(LogLevel::error, "nobody listens");
  detail::ContextBuilder(context).log_to(sink);
  context.log(LogLevel::info, "too quiet");
  context.log(LogLevel::warning, "text");
  context.log(LogLevel::error, std::string("string"), "me");
  context.log(LogLevel::alert, Json{{"a", 1}});
  BOOST_TEST(sink.all == R"(warning"text";error"string"me;alert{"a":1};)");
}
