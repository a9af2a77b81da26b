// Structs that contain themselves: in JSON, in schemas and through a call; how deep, and how much of it.
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE recursive_types_test
#include <boost/test/unit_test.hpp>

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <toolwire/schema.hpp>
#include <utility>
#include <variant>
#include <vector>

using namespace toolwire;

namespace {

struct Node {
  std::string name;
  std::vector<Node> children;
  std::map<std::string, Node> named;
  std::unique_ptr<Node> next;
  static constexpr auto describe() {
    return fields(field<&Node::name>("Its name"), field<&Node::children>("Below").optional(),
                  field<&Node::named>("By name").optional(), field<&Node::next>("Behind"));
  }
};

struct Song;
struct Album {
  std::vector<Song> songs;
  static constexpr auto describe();
};
struct Song {
  std::vector<Album> albums;
  static constexpr auto describe() { return fields(field<&Song::albums>("On")); }
};
constexpr auto Album::describe() { return fields(field<&Album::songs>("Its songs")); }

/// Contains what contains itself, twice, and not itself.
struct Shelf {
  std::vector<Album> albums;
  std::tuple<int, Album> best;
  static constexpr auto describe() {
    return fields(field<&Shelf::albums>("All"), field<&Shelf::best>("The best").optional());
  }
};

enum class Add { add };
enum class Multiply { multiply };
template <class Tag>
struct Operation;
using Term = std::variant<double, std::string, Operation<Add>, Operation<Multiply>>;
template <class Tag>
struct Operation {
  Tag kind{};
  std::vector<Term> of;
  static constexpr auto describe() { return fields(field<&Operation::kind>("Which"), field<&Operation::of>("What")); }
};
struct Formula {
  Term term;
  static constexpr auto describe() { return fields(field<&Formula::term>("What to compute")); }
};

/// Two alternatives that only what lies deepest could tell apart.
struct Left;
struct Right;
struct Fork {
  std::vector<std::variant<Left, Right>> way;
  static constexpr auto describe();
};
struct Left {
  Fork fork;
  static constexpr auto describe() { return fields(field<&Left::fork>("")); }
};
struct Right {
  Fork fork;
  static constexpr auto describe() { return fields(field<&Right::fork>("")); }
};
constexpr auto Fork::describe() { return fields(field<&Fork::way>("")); }

struct Family {
  int age = 0;
  std::set<Family> children;
  bool operator<(const Family& other) const { return age < other.age; }
  static constexpr auto describe() {
    return fields(field<&Family::age>("Years"), field<&Family::children>("Its own").optional());
  }
};

namespace other {
struct Node {
  std::vector<Node> nodes;
  static constexpr auto describe() { return fields(field<&Node::nodes>("")); }
};
}  // namespace other
struct Both {
  std::vector<Node> mine;
  std::vector<other::Node> others;
  static constexpr auto describe() { return fields(field<&Both::mine>(""), field<&Both::others>("")); }
};

template <class T>
std::string again(const std::string& json) {
  T value{};
  Violations violations;
  decode(parse_json(json, {.max_depth = greatest_json_depth}), value, "", violations);
  return violations.empty() ? to_json_text(encode(value)) : violations.text();
}

template <class T>
std::string schema_text() {
  return to_json_text(schema_of<T>());
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// A chain of so many nodes.
Json chain(std::size_t length) {
  Json chained = JsonObject{{"name", "last"}};
  for (std::size_t i = 1; i < length; ++i) chained = JsonObject{{"name", "n"}, {"next", std::move(chained)}};
  return chained;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_struct_may_lie_in_itself_by_vector_map_and_pointer) {
  constexpr const char* json =
      R"({"name":"a","children":[{"name":"b","children":[],"named":{}}],"named":{"c":{"name":"c","children":[],)"
      R"("named":{}}},"next":{"name":"d","children":[],"named":{}}})";
  BOOST_TEST(again<Node>(json) == json);
  BOOST_TEST(again<Node>(R"({"name":"a","next":null})") == R"({"name":"a","children":[],"named":{}})");
  BOOST_TEST(again<Family>(R"({"age":40,"children":[{"age":9},{"age":7},{"age":9}]})") ==
             R"({"age":40,"children":[{"age":7,"children":[]},{"age":9,"children":[]}]})");
  BOOST_TEST(again<Shelf>(R"({"albums":[{"songs":[{"albums":[]}]}],"best":[1,{"songs":[]}]})") ==
             R"({"albums":[{"songs":[{"albums":[]}]}],"best":[1,{"songs":[]}]})");
}

BOOST_AUTO_TEST_CASE(every_violation_is_reported_with_its_path_in_there) {
  BOOST_TEST(again<Node>(R"({"name":"a","children":[{"name":1}],"named":{"x y":{"name":"b","next":{}}}})") ==
             "children[0].name: expected a string\n"
             "named[\"x y\"].next.name: missing (a string: Its name)");
  BOOST_TEST(again<Node>(R"({"name":"a","next":[]})") == "next: expected an object");
  BOOST_TEST(again<Node>(R"({"name":"a","next":{"name":"b","nxt":1}})") ==
             "next.nxt: not a member of this object; did you mean \"next\"? expected: name, children, named, next");
}

BOOST_AUTO_TEST_CASE(a_schema_refers_to_what_contains_itself) {
  BOOST_TEST(schema_text<Album>() ==
             R"({"type":"object","properties":{"songs":{"type":"array","description":"Its songs","items":)"
             R"({"$ref":"#/$defs/Song"}}},"required":["songs"],"additionalProperties":false,"$defs":{)"
             R"("Song":{"type":"object","properties":{"albums":{"type":"array","description":"On","items":)"
             R"({"$ref":"#/$defs/Album"}}},"required":["albums"],"additionalProperties":false},)"
             R"("Album":{"type":"object","properties":{"songs":{"type":"array","description":"Its songs","items":)"
             R"({"$ref":"#/$defs/Song"}}},"required":["songs"],"additionalProperties":false}}})");
  const Json node = schema_of<Node>();
  BOOST_TEST(to_json_text(node.at_pointer("/properties/next")) == R"({"description":"Behind","$ref":"#/$defs/Node"})");
  BOOST_TEST(to_json_text(node.at_pointer("/properties/named/additionalProperties")) == R"({"$ref":"#/$defs/Node"})");
  BOOST_TEST(node.at("$defs").as_object().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_schema_without_such_structs_refers_to_nothing) {
  BOOST_TEST(schema_text<Shelf>().find("#/$defs/Shelf") == std::string::npos);
  BOOST_TEST(schema_of<Shelf>().at("$defs").as_object().size() == 2U);
}

BOOST_AUTO_TEST_CASE(structs_of_one_name_have_a_number) {
  const Json both = schema_of<Both>();
  BOOST_TEST(both.at("$defs").as_object().contains("Node"));
  BOOST_TEST(to_json_text(both.at_pointer("/properties/others/items")) == R"({"$ref":"#/$defs/Node2"})");
  BOOST_TEST(to_json_text(both.at_pointer("/$defs/Node2/properties/nodes/items")) == R"({"$ref":"#/$defs/Node2"})");
}

BOOST_AUTO_TEST_CASE(the_schema_holds_what_is_read) {
  const Schema compiled = Schema::compile(schema_of<Node>());
  BOOST_TEST(compiled.is_valid(chain(50)));
  BOOST_TEST(!compiled.is_valid(parse_json(R"({"name":"a","next":{"name":"b","children":[{}]}})")));
  const Schema formula = Schema::compile(schema_of<Formula>());
  BOOST_TEST(formula.is_valid(parse_json(R"({"term":{"kind":"add","of":[1,"x",{"kind":"multiply","of":[]}]}})")));
  BOOST_TEST(!formula.is_valid(parse_json(R"({"term":{"kind":"add","of":[1,"x",{"kind":"power","of":[]}]}})")));
}

BOOST_AUTO_TEST_CASE(a_result_has_its_references_at_the_root) {
  const Json schema = output_schema_of<std::vector<Album>>();
  BOOST_TEST(schema.at("$defs").as_object().size() == 2U);
  BOOST_TEST(to_json_text(schema.at_pointer("/properties/result")) ==
             R"({"type":"array","items":{"$ref":"#/$defs/Album"}})");
  const Schema compiled = Schema::compile(schema);
  BOOST_TEST(compiled.is_valid(parse_json(R"({"result":[{"songs":[{"albums":[]}]}]})")));
  BOOST_TEST(!compiled.is_valid(parse_json(R"({"result":[{"songs":[{"albums":[1]}]}]})")));
}

BOOST_AUTO_TEST_CASE(they_come_back_from_a_call_as_what_they_were) {
  for (const std::string_view revision : known_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      Server server({"trees", "1"});
      server.tool("same", "", [](Node node) { return node; });
      server.tool("shelves", "", args("shelves"), [](std::vector<Shelf> shelves) { return shelves; });
      server.tool("deepest", "", args("node"), [](const Node& node) {
        const Node* last = &node;
        while (last->next) last = last->next.get();
        return last->name;
      });
      server.tool("maybe", "", args("there"), [](bool there) {
        return there ? std::make_unique<Node>(Node{"n", {}, {}, nullptr}) : nullptr;
      });
      testing::Client client(server, ClientOptions{.revision = std::string(revision)});
      BOOST_TEST(client.call("deepest", {{"node", chain(100)}}).text() == "last");
      const Json node = parse_json(R"({"name":"a","children":[{"name":"b","children":[],"named":{}}],"named":{}})");
      BOOST_TEST(to_json_text(encode(client.call<Node>("same", node))) == to_json_text(node));
      BOOST_TEST(client.call("same", {{"name", "a"}, {"next", {{"name", 1}}}}).text() ==
                 "next.name: expected a string");
      const std::vector<Shelf> shelves{Shelf{{Album{{Song{{}}}}}, {}}};
      BOOST_TEST(
          client.call<std::vector<Shelf>>("shelves", std::map<std::string, std::vector<Shelf>>{{"shelves", shelves}})[0]
              .albums[0]
              .songs.size() == 1U);
      BOOST_TEST(client.call<std::unique_ptr<Node>>("maybe", {{"there", true}})->name == "n");
      BOOST_TEST(!client.call<std::unique_ptr<Node>>("maybe", {{"there", false}}));
    }
  }
}

BOOST_AUTO_TEST_CASE(deeper_than_any_parser_goes_is_refused_both_ways) {
  const auto wrong = [](const Json& json) {
    Node node;
    Violations violations;
    decode(json, node, "", violations);
    return violations.text();
  };
  BOOST_TEST(wrong(chain(greatest_json_depth)) == "");
  BOOST_TEST(wrong(chain(greatest_json_depth + 2)).ends_with("expected no more than 1024 of these in each other"));

  Node first{"n", {}, {}, nullptr};
  Node* last = &first;
  for (std::size_t i = 0; i < greatest_json_depth; ++i) {
    last->next = std::make_unique<Node>(Node{"n", {}, {}, nullptr});
    last = last->next.get();
  }
  encode(first);
  last->next = std::make_unique<Node>(Node{"n", {}, {}, nullptr});
  BOOST_CHECK_THROW(encode(first), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(alternatives_that_say_what_they_are_are_read_once_however_deep) {
  // Read as each alternative in turn, this would take 2 to the 100 steps.
  const std::string deep =
      R"({"term":)" + repeated(R"({"kind":"multiply","of":[)", 100) + "0.5" + repeated("]}", 100) + "}";
  BOOST_TEST(again<Formula>(deep) == deep);
  const std::string wrong =
      R"({"term":)" + repeated(R"({"kind":"multiply","of":[)", 100) + "null" + repeated("]}", 100) + "}";
  BOOST_TEST(again<Formula>(wrong).ends_with(": expected a number, a string or an object"), again<Formula>(wrong));
  const std::string unknown =
      R"({"term":)" + repeated(R"({"kind":"power","of":[)", 100) + "1" + repeated("]}", 100) + "}";
  BOOST_TEST(again<Formula>(unknown).starts_with("term: expected an object with"), again<Formula>(unknown));
}

BOOST_AUTO_TEST_CASE(what_fits_several_alternatives_all_the_way_down_ends_in_time) {
  const auto forks = [](const std::string& end) {
    return repeated(R"({"way":[{"fork":)", 100) + end + repeated("}]}", 100);
  };
  BOOST_TEST(again<Fork>(forks(R"({"way":[]})")) == forks(R"({"way":[]})"));
  BOOST_TEST(again<Fork>(forks(R"({"way":[1]})")).find("too much here fits several of the alternatives") !=
             std::string::npos);
}
