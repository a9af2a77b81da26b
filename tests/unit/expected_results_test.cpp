// What tools return by std::expected and what has its functions. The class here stands for it, as C++20 has none.
#include <toolwire/async.hpp>
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE expected_results_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

using namespace toolwire;

namespace {

template <class Error>
struct Unexpected {
  Error error;
};
template <class Error>
Unexpected(Error) -> Unexpected<Error>;

template <class T, class Error>
class Expected {
 public:
  Expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Expected(Unexpected<Error> unexpected) : held_(std::in_place_index<1>, std::move(unexpected.error)) {}
  bool has_value() const { return held_.index() == 0; }
  const T& value() const& { return std::get<0>(held_); }
  T&& value() && { return std::get<0>(std::move(held_)); }
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};
template <class Error>
class Expected<void, Error> {
 public:
  Expected() = default;
  Expected(Unexpected<Error> unexpected) : error_(std::move(unexpected.error)) {}
  bool has_value() const { return !error_; }
  void value() const {}
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

enum class Fault { no_paper, no_ink };

struct Jam {
  int tray = 0;
  std::string what;
  static constexpr auto describe() {
    return fields(field<&Jam::tray>("Which tray"), field<&Jam::what>("What is in it"));
  }
  bool operator==(const Jam&) const = default;
};

struct Page {
  int number = 0;
  static constexpr auto describe() { return fields(field<&Page::number>("Its number")); }
};

template <class T>
ToolResult result_of(T value) {
  return std::get<ToolResult>(to_outcome(std::move(value)));
}

std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0).item).text; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_is_what_it_would_be_alone) {
  using Text = Expected<std::string, Fault>;
  using Pages = Expected<std::vector<Page>, Jam>;
  BOOST_TEST(text_of(result_of(Text("a"))) == "a");
  BOOST_TEST(to_json_text(*result_of(Pages(std::vector{Page{1}})).structured) == R"({"result":[{"number":1}]})");
  BOOST_TEST(!result_of(Pages(std::vector{Page{1}})).is_error);
  BOOST_TEST((to_json_text(*result_of(Expected<std::optional<int>, Jam>(std::nullopt)).structured) == "{}"));
  BOOST_TEST(output_schema_of<Text>().is_null());
  BOOST_TEST((output_schema_of<Expected<void, Jam>>().is_null()));
  BOOST_TEST((output_schema_of<Pages>() == output_schema_of<std::vector<Page>>()));
  BOOST_TEST((output_schema_of<Expected<Page, Jam>>() == output_schema_of<Page>()));
  const ToolResult nothing = result_of(Expected<void, Jam>());
  BOOST_TEST((!nothing.is_error && nothing.content.empty()));
}

BOOST_AUTO_TEST_CASE(an_error_is_an_error_result_with_its_text) {
  const auto text = [](auto error) {
    const ToolResult result = result_of(Expected<int, decltype(error)>(Unexpected{error}));
    BOOST_TEST((result.is_error && !result.structured.has_value()));
    return text_of(result);
  };
  BOOST_TEST(text(std::string("out of paper")) == "out of paper");
  BOOST_TEST(text("out of ink") == "out of ink");
  BOOST_TEST(text(Fault::no_ink) == "no_ink");
  BOOST_TEST(text(std::runtime_error("it broke")) == "it broke");
  BOOST_TEST(text(std::make_error_code(std::errc::no_such_file_or_directory)) == "No such file or directory");
  const ToolResult whole = result_of(Expected<int, ToolResult>(Unexpected{failure("busy", "later", true)}));
  BOOST_TEST((whole.is_error && whole.meta.contains("dev.toolwire/error")));
  const AnyOutcome refused = to_outcome(Expected<int, ProtocolError>(Unexpected{ProtocolError(-32602, "no")}));
  BOOST_TEST(std::holds_alternative<ProtocolError>(refused));
}

BOOST_AUTO_TEST_CASE(prompts_and_resources_fail_with_the_text_of_the_error) {
  const PromptOutcome said = to_prompt_outcome(Expected<std::string, Fault>("a"));
  BOOST_TEST(std::get<TextContent>(std::get<PromptResult>(said).messages.at(0).content.item).text == "a");
  const PromptOutcome unsaid = to_prompt_outcome(Expected<std::string, Fault>(Unexpected{Fault::no_ink}));
  BOOST_TEST(std::string(std::get<ProtocolError>(unsaid).what()) == "no_ink");
  BOOST_TEST(std::get<ProtocolError>(unsaid).code == -32603);
  const ResourceOutcome read = to_resource_outcome(Expected<Page, Jam>(Page{3}));
  BOOST_TEST(std::get<ResourceResult>(read).contents.at(0).contents == R"({"number":3})");
  const ResourceOutcome jammed = to_resource_outcome(Expected<Page, Jam>(Unexpected{Jam{2, "a cat"}}));
  BOOST_TEST(std::string(std::get<ProtocolError>(jammed).what()) == R"({"tray":2,"what":"a cat"})");
  const ResourceOutcome refused = to_resource_outcome(Expected<Page, ProtocolError>(Unexpected{ProtocolError(-1, "")}));
  BOOST_TEST(std::get<ProtocolError>(refused).code == -1);
}

BOOST_AUTO_TEST_CASE(a_resource_that_is_not_there_is_told_as_the_revision_has_it) {
  for (const std::string_view revision : known_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      Server server({"printer", "1"});
      server.resource_template({.uri_template = "page:{number}", .name = "page"},
                               [](const ResourceRequest&) -> Expected<std::string, ResourceNotFound> {
                                 return Unexpected{ResourceNotFound("there is no such page")};
                               });
      testing::Client client(server, ClientOptions{.revision = std::string(revision)});
      BOOST_CHECK_EXCEPTION(client.request("resources/read", {{"uri", "page:7"}}), ProtocolError, [&](const ProtocolError& error) {
        BOOST_TEST(error.code == (revision == "2026-07-28" ? -32602 : -32002));
        BOOST_TEST(std::string(error.what()) == "there is no such page");
        return error.data.at("uri").get_string() == "page:7";
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_described_error_is_structured) {
  const ToolResult result = result_of(Expected<void, Jam>(Unexpected{Jam{2, "a cat"}}));
  BOOST_TEST(result.is_error);
  BOOST_TEST(text_of(result) == R"({"tray":2,"what":"a cat"})");
  BOOST_TEST(to_json_text(*result.structured) == R"({"tray":2,"what":"a cat"})");
}

BOOST_AUTO_TEST_CASE(callers_get_either) {
  for (const std::string_view revision : known_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      using Printed = Expected<Page, Jam>;
      Server server({"printer", "1"});
      server.tool("print", "", args("page"), [](int page) -> Printed {
        if (page > 9) return Unexpected{Jam{1, "paper"}};
        return Page{page};
      });
      server.tool("clean", "", args("well"), [](bool well) -> Expected<void, Jam> {
        if (!well) return Unexpected{Jam{1, "dust"}};
        return {};
      });
      server.tool("later", "", args("page"), [](int page, Reply reply) { reply(Printed(Page{page})); });
      server.tool("in_time", "", args("page"), [](int page) -> Async<Printed> { co_return Printed(Page{page}); });
      testing::Client client(server, ClientOptions{.revision = std::string(revision)});
      BOOST_TEST(client.call<Page>("print", {{"page", 1}}).number == 1);
      BOOST_TEST(client.call<Page>("in_time", {{"page", 2}}).number == 2);
      BOOST_TEST(client.call<Page>("later", {{"page", 3}}).number == 3);
      client.call<void>("clean", {{"well", true}});
      const CallResult jam = client.call("print", {{"page", 10}});
      BOOST_TEST((jam.is_error && jam.text() == R"({"tray":1,"what":"paper"})"));
      BOOST_TEST(client.call("clean", {{"well", false}}).is_error);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_error_is_never_held_to_the_output_schema) {
  // The TypeScript SDK validates what an error has in structuredContent, and then shows the validation alone.
  Server server({"printer", "1"});
  server.tool("print", "", []() -> Expected<Page, Jam> { return Unexpected{Jam{1, "paper"}}; });
  server.tool("clean", "", []() -> Expected<void, Jam> { return Unexpected{Jam{1, "dust"}}; });
  testing::Client client(server);
  const CallResult with_schema = client.call("print");
  BOOST_TEST(!with_schema.structured.has_value());
  BOOST_TEST(to_json_text(with_schema.raw.at_pointer("/_meta/dev.toolwire~1details/error")) ==
             R"({"tray":1,"what":"paper"})");
  const CallResult without = client.call("clean");
  BOOST_TEST(to_json_text(without.structured.value()) == R"({"tray":1,"what":"dust"})");
  BOOST_TEST((result_as<Jam>(CallResult{.structured = without.structured}) == Jam{1, "dust"}));
}
