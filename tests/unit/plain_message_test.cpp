#include "jsonrpc/plain_message.hpp"

#define BOOST_TEST_MODULE plain_message_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <variant>
#include <vector>

using namespace toolwire;
using namespace toolwire::jsonrpc;

namespace {

std::string text_of(const Id& id) { return id.text + " " + std::string(id.key()); }

/// Everything a message contains, as text.
std::string in_words(const Message& message) {
  if (const auto* request = std::get_if<Request>(&message)) {
    return "request " + text_of(request->id) + " " + request->method + " " + to_json_text(request->params) +
           (request->params_usable ? "" : " unusable");
  }
  if (const auto* told = std::get_if<Notification>(&message)) {
    return "notification " + told->method + " " + to_json_text(told->params);
  }
  if (const auto* response = std::get_if<Response>(&message)) {
    return "response " + text_of(response->id) + (response->is_error ? " error " : " ") +
           to_json_text(response->outcome);
  }
  if (const auto* malformed = std::get_if<Malformed>(&message)) return "malformed " + malformed->reason;
  return "ignored";
}

/// The same message with an unknown member, which is ignored but makes the slow reader read it.
std::string with_stranger(std::string line) {
  line.insert(line.find('{') + 1, R"("x-stranger":0,)");
  return line;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ordinary_messages_are_read_as_the_other_way_reads_them) {
  for (const char* line : {
           R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
           R"( { "method" : "tools/call" , "id" : "a b" , "params" : { "a" : [ 1 ] } , "jsonrpc" : "2.0" } )",
           R"({"id":-5,"jsonrpc":"2.0","params":{},"method":"m"})",
           R"({"id":"","jsonrpc":"2.0","params":{"a":"\u00e4"},"method":"\u00e4"})",
           R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
           R"({"jsonrpc":"2.0","method":"n","params":{"a":null}})",
           R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})",
           R"({"jsonrpc":"2.0","id":"s","result":null})",
           R"({"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"m"}})",
       }) {
    BOOST_TEST_CONTEXT(line) {
      Message plain;
      BOOST_REQUIRE(read_plain_message(line, {128}, plain));
      BOOST_TEST(in_words(plain) == in_words(std::get<Message>(parse(with_stranger(line), {{128}}))));
      if (const auto* request = std::get_if<Request>(&plain)) BOOST_TEST(request->bytes >= std::string(line).size());
    }
  }
}

BOOST_AUTO_TEST_CASE(whatever_is_unusual_is_left_to_the_other_way) {
  for (const char* line : {
           "",
           "{}",
           "[]",
           "1",
           R"({"jsonrpc":"2.0"})",
           R"({"jsonrpc":"2.0","id":1})",
           R"({"id":1,"method":"m"})",
           R"({"jsonrpc":"1.0","id":1,"method":"m"})",
           R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})",
           R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})",
           R"({"jsonrpc":"2.0","id":null,"method":"m"})",
           R"({"jsonrpc":"2.0","id":1.0,"method":"m"})",
           R"({"jsonrpc":"2.0","id":-0,"method":"m"})",
           R"({"jsonrpc":"2.0","id":01,"method":"m"})",
           R"({"jsonrpc":"2.0","id":"\u0061","method":"m"})",
           R"({"jsonrpc":"2.0","id":-"a","method":"m"})",
           R"({"jsonrpc":"2.0","id":01"a","method":"m"})",
           R"({"jsonrpc":"2.0","id":1,"method":2})",
           R"({"jsonrpc":"2.0","id":1,"id":2,"method":"m"})",
           R"({"jsonrpc":"2.0","id":1,"method":"m","method":"m"})",
           R"({"jsonrpc":"2.0","id":1,"method":"m","x":1})",
           R"({"jsonrpc":"2.0","\u0069d":1,"method":"m"})",
           R"({"jsonrpc":"2.0","id":1,"method":"m","result":{}})",
           R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})",
           R"({"jsonrpc":"2.0","id":1,"result":{},"params":{}})",
           R"({"jsonrpc":"2.0","result":{}})",
           R"({"jsonrpc":"2.0","id":1,"method":"m"}x)",
           R"({"jsonrpc":"2.0","id":1,"method":"m",})",
           R"({"jsonrpc":"2.0","id":1,"method":"m")",
           "\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}",
           R"([{"jsonrpc":"2.0","id":1,"method":"m"}])",
       }) {
    Message plain;
    BOOST_TEST(!read_plain_message(line, {128}, plain), line);
  }
}

BOOST_AUTO_TEST_CASE(the_message_itself_counts_as_a_level) {
  Message plain;
  BOOST_TEST(read_plain_message(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{}})", {2}, plain));
  BOOST_TEST(!read_plain_message(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{}})", {1}, plain));
  BOOST_TEST(!read_plain_message(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{}}})", {2}, plain));
}

BOOST_AUTO_TEST_CASE(values_beyond_the_limit_and_values_that_take_much_memory_are_left_to_others) {
  Message plain;
  const auto reads = [&](const std::string& params, std::size_t max_values) {
    const std::string line = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":)" + params + "}}";
    return read_plain_message(line, {128, max_values}, plain);
  };
  BOOST_TEST(reads("[1,2]", 13));
  BOOST_TEST(!reads("[1,2]", 12));
  std::string element = "[1";
  for (int i = 1; i < 1'000; ++i) element += ",1";
  element += "]";
  std::string text = "[" + element;
  for (int i = 1; i < 30; ++i) text += "," + element;
  BOOST_TEST(reads(text + "]", 1'000'000));
  for (int i = 30; i < 300; ++i) text += "," + element;
  BOOST_TEST(!reads(text + "]", 1'000'000));
}

BOOST_AUTO_TEST_CASE(what_was_read_may_grow_afterwards) {
  const std::string text = '"' + std::string(std::size_t{1} << 20, 'x') + '"';
  Message message;
  BOOST_REQUIRE(read_plain_message(R"({"jsonrpc":"2.0","id":1,"result":[)" + text + "]}", {128}, message));
  JsonArray& grown = std::get<Response>(message).outcome.as_array();
  for (int i = 0; i < 20; ++i) grown.push_back(Json(grown.front(), grown.storage()));
  BOOST_TEST(grown.size() == 21U);
}

namespace {

std::string called(const std::string& id, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"m","params":)" + params + "}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(meta_is_shared_only_where_every_byte_is_that_of_the_request_before) {
  json::KeptMember kept;
  const auto meta_of = [&](const std::string& params) {
    const Incoming incoming = parse(called("1", params), {{128}}, &kept);
    const Request& request = std::get<Request>(std::get<Message>(incoming));
    const Json* own = request.params.get_object().if_contains("_meta");
    BOOST_TEST((own == nullptr) == (kept.shared() != nullptr));
    return (own == nullptr ? "shared " : "own ") + to_json_text(own == nullptr ? *kept.shared() : *own);
  };
  BOOST_TEST(meta_of(R"({"_meta":{"a":1}})") == R"(own {"a":1})");
  BOOST_TEST(meta_of(R"({"_meta":{"a":1},"b":2})") == R"(shared {"a":1})");
  BOOST_TEST(meta_of(R"({"b":2, "_meta" : {"a":1} })") == R"(shared {"a":1})");
  BOOST_TEST(meta_of(R"({"_meta":{"a":2}})") == R"(own {"a":2})");
  BOOST_TEST(meta_of(R"({"_meta":{"a":1}})") == R"(own {"a":1})");
  BOOST_TEST(meta_of(R"({"_meta":{"a": 1}})") == R"(own {"a":1})");
  BOOST_TEST(meta_of(R"({"_meta":{"a": 1},"_meta":{"a":3}})") == R"(own {"a":3})");
  BOOST_TEST(meta_of(R"({"_meta":{"a":3},"\u005fmeta":{"a": 1}})") == R"(own {"a":1})");
  BOOST_TEST(meta_of(R"({"_meta":7})") == "own 7");
  BOOST_TEST(meta_of(R"({"_meta":71})") == "own 71");
}

BOOST_AUTO_TEST_CASE(what_comes_behind_a_shared_meta_is_judged_as_ever) {
  json::KeptMember kept;
  for (int i = 0; i < 3; ++i) parse(called("1", R"({"_meta":{"a":1}})"), {{128}}, &kept);
  for (const char* params : {R"({"_meta":{"a":1}})"
                             "}",
                             R"({"_meta":{"a":1}x})", R"({"_meta":{"a":1},})", R"({"_meta":{"a":1})"}) {
    const std::string line = called("1", params);
    BOOST_TEST(in_words(std::get<Message>(parse(line, {{128}}, &kept))) ==
               in_words(std::get<Message>(parse(line, {{128}}))));
  }
  const std::string told = R"({"jsonrpc":"2.0","params":{"_meta":{"a":1}},"method":"n"})";
  BOOST_TEST(in_words(std::get<Message>(parse(told, {{128}}, &kept))) ==
             in_words(std::get<Message>(parse(told, {{128}}))));
}

BOOST_AUTO_TEST_CASE(each_answer_is_read_as_if_it_were_the_only_one) {
  const auto with = [](const std::string& result) { return R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}"; };
  const auto of_size = [](std::size_t size) { return R"({"_meta":{"a":")" + std::string(size - 8, 'x') + R"("}})"; };
  const std::vector<std::string> lines{
      with(R"({"_meta":{"a":1}})"),
      with(R"({"b":2,"_meta":{"a":1}})"),
      with(R"({"_meta":{"a":1},"b":2})"),
      with(R"({"b":[{"_meta":{"a":2}}], "_meta" : {"a":1} })"),
      with(R"({"_meta":{"a":2}})"),
      with(R"({"_meta":{"a": 1}})"),
      with(R"({"_meta":{"a":"\u0061\n"}})"),
      with(R"({"_meta":{"a":[1,{"b":null}],"c":"日本語"}})"),
      with(R"({"_meta":{"a":1},"_meta":{"a":2}})"),
      with(R"({"_meta":{"a":2},"\u005fmeta":{"a":1}})"),
      with(R"({"_meta":{"a":1,"a":2}})"),
      with(of_size(2047)),
      with(of_size(2048)),
      with(of_size(2049)),
      with(R"({"_meta":{"a":)" + std::string(70, '[') + std::string(70, ']') + "}}"),
      with(R"({"_meta":{}})"),
      with(R"({"_meta":7})"),
      with(R"({"_meta":71})"),
      with(R"({"_meta":null})"),
      with("{}"),
      with("7"),
      with(R"([{"_meta":{"a":1}}])"),
      with(R"({"_meta":{"a":1}}})"),
      with(R"({"_meta":{"a":1}x})"),
      with(R"({"_meta":{"a":1},})"),
      with(R"({"_meta":{"a":1})"),
      R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","_meta":{"a":1}}})",
      R"({"jsonrpc":"2.0","method":"n","params":{"_meta":{"a":1}}})",
      called("1", R"({"_meta":{"a":1}})"),
      R"({"jsonrpc":"2.0","id":1,"x":0,"result":{"_meta":{"a":1}}})",
  };
  json::KeptMember kept(json::KeptMember::Of::results);
  for (const std::string& first : lines) {
    for (const std::string& second : lines) {
      for (const std::string& line : {first, first, first, second}) {
        BOOST_TEST_CONTEXT(first << "\n" << second) {
          BOOST_TEST(in_words(std::get<Message>(parse(line, {{128}}, &kept))) ==
                     in_words(std::get<Message>(parse(line, {{128}}))));
          BOOST_TEST(kept.shared() == nullptr);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_came_with_an_answer_may_change_without_the_next_one) {
  json::KeptMember kept(json::KeptMember::Of::results);
  for (int i = 0; i < 4; ++i) {
    Incoming incoming = parse(R"({"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":1}}})", {{128}}, &kept);
    Json& result = std::get<Response>(std::get<Message>(incoming)).outcome;
    BOOST_TEST(to_json_text(result) == R"({"_meta":{"a":1}})");
    result.at("_meta").as_object()["more"] = std::string(100, 'x');
  }
}
