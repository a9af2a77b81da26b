// Plain enumerations, and titles of enumerators: in JSON, in schemas and forms, and through a call.
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE enumerations_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <string>
#include <toolwire/schema.hpp>
#include <vector>

using namespace toolwire;

namespace vendor {

// As the headers of C libraries have them.
enum Order : unsigned char { up, down };
enum Codec { CODEC_RAW = 0, CODEC_FLAC = 0x1000, CODEC_OPUS = 0x2000 };
constexpr auto enumerator_names(Codec) {
  return std::to_array<Enumerator<Codec>>({{CODEC_RAW, "raw"}, {CODEC_FLAC, "flac"}, {CODEC_OPUS, "opus"}});
}

}  // namespace vendor

namespace {

enum class Level { low, high };
constexpr auto enumerator_names(Level) {
  return std::to_array<Enumerator<Level>>({{Level::low, "low", "Hardly any"}, {Level::high, "high"}});
}

struct Recording {
  vendor::Order order = vendor::down;
  vendor::Codec codec = vendor::CODEC_RAW;
  Level level = Level::low;
  static constexpr auto describe() {
    return fields(field<&Recording::order>("Which way").optional(), field<&Recording::codec>("How it is written"),
                  field<&Recording::level>("How much"));
  }
  bool operator==(const Recording&) const = default;
};

struct Form {
  Level level = Level::low;
  std::vector<Level> levels;
  vendor::Order order = vendor::up;
  static constexpr auto describe() {
    return fields(field<&Form::level>("How much"), field<&Form::levels>("Which"), field<&Form::order>("Way"));
  }
};

std::string property(const Json& schema, const char* name) { return to_json_text(schema.at("properties").at(name)); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_plain_enumeration_that_states_its_type_has_the_names_of_its_enumerators) {
  BOOST_TEST(to_json_text(encode(vendor::down)) == "\"down\"");
  vendor::Order order = vendor::up;
  Violations violations;
  decode("down", order, "order", violations);
  BOOST_TEST((violations.empty() && order == vendor::down));
  decode("sideways", order, "order", violations);
  decode(1, order, "order", violations);
  BOOST_TEST(violations.text() == "order: expected one of \"up\", \"down\"\norder: expected one of \"up\", \"down\"");
}

BOOST_AUTO_TEST_CASE(any_other_has_those_that_are_listed) {
  BOOST_TEST(to_json_text(encode(vendor::CODEC_OPUS)) == "\"opus\"");
  BOOST_CHECK_THROW(encode(static_cast<vendor::Codec>(1)), std::invalid_argument);
  BOOST_TEST(property(schema_of<Recording>(), "codec") ==
             R"({"type":"string","description":"How it is written","enum":["raw","flac","opus"]})");
}

BOOST_AUTO_TEST_CASE(titles_stand_beside_the_names) {
  const Json schema = schema_of<Recording>();
  BOOST_TEST(property(schema, "level") ==
             R"({"type":"string","description":"How much","enum":["low","high"],)"
             R"("oneOf":[{"const":"low","title":"Hardly any"},{"const":"high","title":"high"}]})");
  const Schema compiled = Schema::compile(schema);
  BOOST_TEST(compiled.is_valid(parse_json(R"({"codec":"raw","level":"low"})")));
  BOOST_TEST(!compiled.is_valid(parse_json(R"({"codec":"raw","level":"Hardly any"})")));
}

BOOST_AUTO_TEST_CASE(a_title_is_no_value) {
  Level level = Level::low;
  Violations violations;
  decode("Hardly any", level, "level", violations);
  BOOST_TEST(violations.text() == "level: expected one of \"low\", \"high\"");
}

BOOST_AUTO_TEST_CASE(a_form_has_titles_as_the_specification_has_them) {
  const Json form = form_schema_of<Form>();
  BOOST_TEST(property(form, "level") ==
             R"({"type":"string","description":"How much",)"
             R"("oneOf":[{"const":"low","title":"Hardly any"},{"const":"high","title":"high"}]})");
  BOOST_TEST(property(form, "levels") ==
             R"({"type":"array","description":"Which","items":{"anyOf":[{"const":"low","title":"Hardly any"},)"
             R"({"const":"high","title":"high"}]}})");
  BOOST_TEST(property(form, "order") == R"({"type":"string","description":"Way","enum":["up","down"]})");
}

BOOST_AUTO_TEST_CASE(they_come_back_from_a_call_as_what_they_were) {
  for (const std::string_view revision : known_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      Server server({"recorder", "1"});
      server.tool("same", "", [](Recording recording) { return recording; });
      server.tool("turn", "", args("order"),
                  [](vendor::Order order) { return order == vendor::up ? vendor::down : vendor::up; });
      server.tool("codec", "", [] { return vendor::CODEC_FLAC; });
      server.prompt("play", "", [](const Recording& recording) { return recording.level == Level::high ? "!" : "."; });
      testing::Client client(server, ClientOptions{.revision = std::string(revision)});
      const Recording recording{vendor::up, vendor::CODEC_FLAC, Level::high};
      BOOST_TEST((client.call<Recording>("same", recording) == recording));
      BOOST_TEST((client.call<vendor::Order>("turn", {{"order", "up"}}) == vendor::down));
      BOOST_TEST(client.call("turn", {{"order", "up"}}).text() == "down");
      BOOST_TEST(client.call("codec").text() == "flac");
      BOOST_TEST(client.call("turn", {{"order", 0}}).text() == "order: expected one of \"up\", \"down\"");
      const PromptMessages said = client.get_prompt("play", {{"codec", "raw"}, {"level", "high"}});
      BOOST_TEST(said.messages.at(0).at("content").at("text") == "!");
    }
  }
}
