// Replies of somebody who is no Redis, or a broken one; and what of a connection needs no Redis to be shown.
#define BOOST_TEST_MODULE redis_replies_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "redis/reply.hpp"
#include "redis_server.hpp"
#include "scripted_redis.hpp"
#include "store_cases.hpp"

namespace {

using namespace std::chrono_literals;
using namespace std::string_view_literals;
using namespace toolwire_test;
namespace redis = toolwire::redis;
using redis::Reply;
using redis::ReplyReader;

constexpr std::size_t max_bytes = std::size_t{1} << 20;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

struct Broken {
  std::string bytes;
  std::string why;
};

const std::string no_redis = "it does not speak Redis' protocol";

/// Bytes that are no reply, or more than was asked for.
std::vector<Broken> broken_replies() {
  return {{"hello\r\n", no_redis},
          {"HTTP/1.1 400 Bad Request\r\n\r\n", no_redis},
          {std::string("\0\0\0\r\n", 5), no_redis},
          {"\r\n", no_redis},
          {"$99999999999999999999\r\n", no_redis},
          {"$-2\r\n", no_redis},
          {"$x\r\n", no_redis},
          {":12x\r\n", no_redis},
          {"*-2\r\n", no_redis},
          {repeated("*1\r\n", 100), no_redis},
          {repeated("*1\r\n", 8) + ":1\r\n", no_redis},
          {"*2000\r\n" + repeated(":1\r\n", 2000), "more elements"},
          {"*900\r\n" + repeated("*2\r\n:1\r\n:2\r\n", 900), "more elements"},
          {"$1000000000\r\n" + std::string(2 * max_bytes, 'x'), "longer than any"},
          {"+" + std::string(2 * max_bytes, 'x'), "longer than any"}};
}

std::string failure_of(const std::shared_ptr<redis::Client>& client) {
  try {
    ask(client, {"GET", "key"});
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

std::string failure_of(ReplyReader& reader) {
  try {
    while (reader.next()) continue;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

redis::Options short_options(const ScriptedRedis& server) {
  redis::Options options = redis_options(server.address());
  options.max_reply = max_bytes;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reply_is_read_however_its_bytes_come) {
  const std::string bytes =
      "+OK\r\n-ERR why\r\n:-42\r\n$5\r\na\r\nbc\r\n$-1\r\n*-1\r\n*3\r\n$1\r\nx\r\n*2\r\n:1\r\n*0\r\n$-1\r\n$0\r\n\r\n";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    ReplyReader reader(max_bytes);
    std::vector<Reply> replies;
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
      reader.feed(std::string_view(bytes).substr(i, piece));
      while (auto reply = reader.next()) replies.push_back(std::move(*reply));
    }
    BOOST_TEST_REQUIRE(replies.size() == 8U);
    BOOST_TEST((replies[0].kind == Reply::Kind::status && replies[0].text == "OK"));
    BOOST_TEST((replies[1].kind == Reply::Kind::error && replies[1].text == "ERR why"));
    BOOST_TEST((replies[2].kind == Reply::Kind::number && replies[2].number == -42));
    BOOST_TEST((replies[3].kind == Reply::Kind::text && replies[3].text == "a\r\nbc"));
    BOOST_TEST((replies[4].kind == Reply::Kind::nil && replies[5].kind == Reply::Kind::nil));
    BOOST_TEST_REQUIRE(replies[6].list.size() == 3U);
    BOOST_TEST(replies[6].list[0].text == "x");
    BOOST_TEST(replies[6].list[1].list.size() == 2U);
    BOOST_TEST((replies[6].list[2].kind == Reply::Kind::nil));
    BOOST_TEST((replies[7].kind == Reply::Kind::text && replies[7].text.empty()));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_reply_is_said_to_be_none) {
  for (const auto& [bytes, why] : broken_replies()) {
    ReplyReader reader(max_bytes);
    reader.feed(bytes);
    BOOST_TEST_INFO(bytes.substr(0, 40));
    BOOST_TEST(has(failure_of(reader), why));
  }
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_anywhere_is_waited_for) {
  for (const std::string& bytes :
       {std::string("*1000000000\r\n"), std::string("*4294967297\r\n:1\r\n"),
        std::string("$9223372036854775807\r\nabc"), std::string("*2\r\n$3\r\nabc\r\n$3\r\nab")}) {
    ReplyReader reader(max_bytes);
    reader.feed(bytes);
    const std::string why = failure_of(reader);
    BOOST_TEST((why.empty() || has(why, no_redis)));
  }
}

BOOST_AUTO_TEST_CASE(commands_are_written_with_any_bytes) {
  const std::array<std::string_view, 3> command{"SET", "a\0\r\n"sv, ""};
  BOOST_TEST((redis::command_text(command) == "*3\r\n$3\r\nSET\r\n$4\r\na\0\r\n\r\n$0\r\n\r\n"sv));
}

BOOST_AUTO_TEST_CASE(a_broken_reply_fails_what_was_asked_and_the_next_connection_works) {
  for (const auto& [bytes, why] : broken_replies()) {
    ScriptedRedis server([&bytes = bytes](int connection, int number, const std::string&) -> ScriptedRedis::Said {
      if (number == 0) return {"+PONG\r\n"};
      return connection == 0 ? ScriptedRedis::Said{bytes} : ScriptedRedis::Said{"$2\r\nok\r\n"};
    });
    const auto client = redis::make_client(short_options(server));
    BOOST_TEST_INFO(bytes.substr(0, 40));
    const std::string failure = failure_of(client);
    BOOST_TEST(has(failure, why));
    BOOST_TEST(has(failure, "unknown whether this was done"));
    BOOST_TEST(ask(client, {"GET", "key"}).text == "ok");
    BOOST_TEST(server.connections() == 2);
  }
}

BOOST_AUTO_TEST_CASE(a_connection_that_closes_in_the_middle_of_a_reply_fails_what_was_asked) {
  for (const char* bytes :
       {"", "$", "$5\r\nab", "*2\r\n:1\r\n", "*1000000000\r\n", "$9223372036854775807\r\nabc", "+OK"}) {
    ScriptedRedis server(ScriptedRedis::answering(bytes));
    BOOST_TEST(has(failure_of(redis::make_client(short_options(server))), "it has closed the connection"));
  }
}

BOOST_AUTO_TEST_CASE(somebody_else_at_the_address_is_found_out_at_once) {
  ScriptedRedis server([](int, int, const std::string&) {
    return ScriptedRedis::Said{"HTTP/1.1 400 Bad Request\r\n\r\n", true};
  });
  redis::Options options = short_options(server);
  options.deadline = 500ms;
  BOOST_TEST(has(failure_of(redis::make_client(options)), no_redis));
}

BOOST_AUTO_TEST_CASE(a_reply_that_nobody_asked_for_ends_the_connection) {
  ScriptedRedis server(ScriptedRedis::answering("$2\r\nok\r\n$3\r\nbad\r\n", false));
  const auto client = redis::make_client(short_options(server));
  for (int i = 0; i < 5; ++i) BOOST_TEST(ask(client, {"GET", "key"}).text == "ok");
  BOOST_TEST(server.connections() >= 2);
}

BOOST_AUTO_TEST_CASE(who_never_answers_is_given_up_at_the_deadline) {
  ScriptedRedis silent([](int, int, const std::string&) { return ScriptedRedis::Said{}; });
  redis::Options options = short_options(silent);
  options.deadline = 100ms;
  BOOST_TEST(has(failure_of(redis::make_client(options)), "it does not answer"));
  ScriptedRedis deaf(ScriptedRedis::answering("", false));
  options.address = deaf.address();
  BOOST_TEST(has(failure_of(redis::make_client(options)), "unknown whether this was done: it does not answer"));
}

BOOST_AUTO_TEST_CASE(a_redis_that_still_loads_is_waited_for) {
  ScriptedRedis server([](int connection, int number, const std::string&) -> ScriptedRedis::Said {
    if (connection < 2) return {"-LOADING Redis is loading the dataset in memory\r\n"};
    return number == 0 ? ScriptedRedis::Said{"+PONG\r\n"} : ScriptedRedis::Said{"$2\r\nok\r\n"};
  });
  BOOST_TEST(ask(redis::make_client(short_options(server)), {"GET", "key"}).text == "ok");
}

BOOST_AUTO_TEST_CASE(one_command_more_than_there_is_room_for_fails_at_once) {
  ScriptedRedis deaf(ScriptedRedis::answering("", false));
  std::atomic<int> failed{0};
  const auto count = [&](auto&& result) { failed += result.index() == 1 ? 1 : 0; };
  redis::Options options = short_options(deaf);
  options.max_commands = 3;
  options.max_bytes = 1'000;
  const auto client = redis::make_client(options);
  const std::array<std::string_view, 2> command{"GET", "key"};
  for (int i = 0; i < 3; ++i) client->ask(command, toolwire::Done<Reply>(count));
  BOOST_TEST(failed == 0);
  client->ask(command, toolwire::Done<Reply>(count));
  BOOST_TEST(failed == 1);
  const std::string long_text(2'000, 'x');
  const std::array<std::string_view, 2> long_command{"ECHO", long_text};
  redis::make_client(options)->ask(long_command, toolwire::Done<Reply>(count));
  BOOST_TEST(failed == 2);
}

BOOST_AUTO_TEST_CASE(room_that_was_used_is_given_back) {
  ScriptedRedis server(ScriptedRedis::answering("$2\r\nok\r\n", false));
  redis::Options options = short_options(server);
  options.max_commands = 1;
  options.max_bytes = 100;
  const auto client = redis::make_client(options);
  for (int i = 0; i < 100; ++i) BOOST_TEST(ask(client, {"GET", "key"}).text == "ok");
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_right_are_refused) {
  const auto refused = [](auto change, std::string_view words) {
    redis::Options options = redis_options("127.0.0.1:6379");
    change(options);
    BOOST_CHECK_EXCEPTION(redis::make_client(options), std::invalid_argument,
                          [&](const std::invalid_argument& error) { return has(error.what(), words); });
  };
  for (const char* address : {"", "redis", "redis:", ":6379", "redis:0", "redis:65536", "redis:6379x", "redis://h:1",
                              "user@host:1", "unix:", "unix:relative", "[::1]", "[]:1", "::1:6379"})
    refused([&](redis::Options& options) { options.address = address; }, "HOST:PORT, [ADDRESS]:PORT or unix:/PATH");
  refused([](redis::Options& options) { options.address = "unix:/" + std::string(200, 'x'); }, "unix:/PATH");
  refused([](redis::Options& options) { options.key = "too short"; }, "at least 16 bytes");
  refused([](redis::Options& options) { options.second_key = "too short"; }, "at least 16 bytes");
  refused([](redis::Options& options) { options.user = "somebody"; }, "needs a password");
  refused([](redis::Options& options) { options.deadline = 0ms; }, "longer than nothing");
}

BOOST_AUTO_TEST_CASE(a_host_that_is_not_there_is_named) {
  redis::Options options = redis_options("no-such-host.invalid:6379");
  options.is_tunnelled = true;
  options.deadline = 200ms;
  const std::string failure = failure_of(redis::make_client(options));
  BOOST_TEST((has(failure, "no-such-host.invalid") && has(failure, "cannot be used")));
}

BOOST_AUTO_TEST_CASE(a_name_is_looked_up_and_each_of_its_addresses_tried) {
  ScriptedRedis server(ScriptedRedis::answering("$2\r\nok\r\n", false));
  redis::Options options = short_options(server);
  options.address = "localhost:" + options.address.substr(options.address.rfind(':') + 1);
  BOOST_TEST(ask(redis::make_client(options), {"GET", "key"}).text == "ok");
}
