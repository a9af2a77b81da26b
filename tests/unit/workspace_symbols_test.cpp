// What files define, by Universal Ctags in the confinement of a helper.
#include "workspace/symbols/symbol_search.hpp"

#define BOOST_TEST_MODULE workspace_symbols_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>
#include <toolwire/testing.hpp>
#include <vector>

#include "git_repository.hpp"
#include "workspace/symbols/outline.hpp"
#include "workspace/tools/tools.hpp"

using toolwire::CallResult;
using workspace::Programs;
using workspace::SymbolStore;

namespace {

const std::string cpp =
    "#define LIMIT 3\nnamespace shop {\nclass Cart {\n public:\n  int total(int a, int b) {\n    return a;\n  }\n  int "
    "size;\n};\n}\nint total(double);\nint total(double a) {\n  return 1;\n}\n";

struct Sources : toolwire_test::GitRepository {
  Sources() {
    folder.file("top/src/cart.cpp", cpp);
    folder.file("top/src/cart.py", "class Cart:\n    def total(self):\n        return 1\n");
  }
  std::string outline(const std::string& path, const std::string& kinds = {}, std::uint64_t offset = 1) {
    return workspace::outline(roots, store, {.path = path, .kinds = kinds, .offset = offset}, {}).text;
  }
  std::string find(const workspace::SymbolRequest& request) {
    return workspace::find_symbols(roots, store, request, {}, {}).text;
  }
  template <class Act>
  std::string error_of(Act act) const {
    try {
      act();
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
    return "no error";
  }

  SymbolStore store{programs};
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(ctags_is_installed_and_can_be_confined_here, Sources) {
  BOOST_TEST(programs.problem("ctags") == "");
}

BOOST_FIXTURE_TEST_CASE(a_file_is_outlined_with_lines_and_nesting, Sources) {
  BOOST_TEST(
      outline("src/cart.cpp") ==
      "1: macro LIMIT\n2-10: namespace shop\n  3-9: class Cart\n    5-7: function total(int a,int b)\n    8: member "
      "size\n11: prototype total(double)\n12-14: function total(double a)");
  BOOST_TEST(outline("src/cart.py") == "1-3: class Cart\n  2-3: member total(self)");
  BOOST_TEST(outline("src/cart.cpp", "function,class", 4) ==
             "  5-7: function total(int a,int b)\n12-14: function total(double a)");
  BOOST_TEST(outline("src/cart.cpp", "nothing") == "[No symbol of these kinds.]");
  BOOST_TEST(outline("a.txt") == "[ctags knows no language of a file with the name a.txt.]");
  const workspace::OutlineAnswer answer = workspace::outline(roots, store, {.path = "src/cart.cpp"}, {}).answer;
  BOOST_TEST(answer.symbols == 7U);
  BOOST_TEST(answer.language.value_or("") == "C++");
}

BOOST_FIXTURE_TEST_CASE(what_has_no_name_is_called_so, Sources) {
  folder.file("top/a.cpp", "namespace {\nstruct { int x; } one;\n}\n");
  BOOST_TEST(outline("a.cpp").starts_with("1-3: namespace (anonymous)\n  2: struct (anonymous)\n    2: member x"));
}

BOOST_FIXTURE_TEST_CASE(a_long_outline_goes_on_where_it_was_cut, Sources) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "def f" + std::to_string(i) + "(): pass\n";
  folder.file("top/long.py", text);
  const workspace::OutlineResult first = workspace::outline(roots, store, {.path = "long.py"}, {});
  BOOST_TEST(first.answer.next_offset.value_or(0) == 2001U);
  BOOST_TEST(outline("long.py", {}, 2001).starts_with("2001: function f2000()\n"));
  BOOST_TEST(outline("long.py", {}, 4000) == "[No symbol at or behind line 4000.]");
}

BOOST_FIXTURE_TEST_CASE(definitions_are_found_by_name_scope_and_kind, Sources) {
  const std::string method = "src/cart.cpp:5-7: function total(int a,int b) in shop::Cart (C++)";
  const std::string function =
      "src/cart.cpp:11: prototype total(double) (C++)\nsrc/cart.cpp:12-14: function total(double a) (C++)";
  const std::string python = "src/cart.py:2-3: member total(self) in Cart (Python)";
  BOOST_TEST(find({.name = "total"}) == method + '\n' + function + '\n' + python);
  BOOST_TEST(find({.name = "Cart::total"}) == method + '\n' + python);
  BOOST_TEST(find({.name = "shop::Cart::total"}) == method);
  BOOST_TEST(find({.name = "total", .kinds = "member"}) == python);
  BOOST_TEST(find({.name = "total", .path = "src/cart.py"}) == python);
  BOOST_TEST(find({.name = "total", .names = {.type = "py"}}) == python);
  BOOST_TEST(find({.name = "tot", .match = workspace::NameMatch::prefix, .kinds = "member"}) == python);
  BOOST_TEST(find({.name = "OTAL", .match = workspace::NameMatch::contains, .ignore_case = true, .kinds = "member"}) ==
             python);
  BOOST_TEST(says(find({.name = "tot"}), "[No definition in 2 source files; match contains finds parts of names.]"));
  BOOST_TEST(says(error_of([&] { find({.name = ""}); }), "name: is empty"));
}

BOOST_FIXTURE_TEST_CASE(a_full_answer_goes_on_with_the_next_file, Sources) {
  const workspace::SymbolResult first = workspace::find_symbols(roots, store, {.name = "total", .limit = 3}, {}, {});
  BOOST_TEST(says(first.text, "[More definitions follow. Continue with cursor: src/cart.py"));
  BOOST_TEST(first.answer.cursor.value_or("") == "src/cart.py");
  BOOST_TEST(find({.name = "total", .limit = 3, .cursor = "src/cart.py"}) ==
             "src/cart.py:2-3: member total(self) in Cart (Python)");
}

BOOST_FIXTURE_TEST_CASE(a_full_answer_goes_on_within_a_file, Sources) {
  folder.file("top/a:1.py", "def total(): pass\n");
  const std::string all = find({.name = "total"}) + '\n';
  for (std::uint64_t limit = 1; limit <= 3; ++limit) {
    std::string together, cursor;
    std::size_t calls = 0;
    do {
      const workspace::SymbolResult part =
          workspace::find_symbols(roots, store, {.name = "total", .limit = limit, .cursor = cursor}, {}, {});
      together += part.text.substr(0, part.text.find("\n[")) + '\n';
      cursor = part.answer.cursor.value_or("");
      BOOST_TEST(part.text.find("[Of ") == part.text.find("[Of src/cart.cpp only some of "), part.text);
    } while (!cursor.empty() && ++calls < 10);
    BOOST_TEST(together == all);
  }
  BOOST_TEST(says(find({.name = "total", .path = "src/cart.cpp", .limit = 1}),
                  "only some of 3 definitions are shown. Continue with cursor: src/cart.cpp:1, narrow"));
  BOOST_TEST(says(find({.name = "total", .path = "src/cart.cpp", .limit = 1, .cursor = "src/cart.cpp:2"}), ":12-14:"));
  BOOST_TEST(says(find({.name = "total", .limit = 1}), "cursor: src/cart.cpp, or narrow"));
}

BOOST_FIXTURE_TEST_CASE(symbols_are_remembered_until_the_file_changes, Sources) {
  BOOST_TEST(says(outline("src/cart.py"), "class Cart"));
  const auto state = workspace::state_of(workspace::Root::at(top).open_file("src/cart.py").get());
  const workspace::Root* const root = roots.all().front();
  BOOST_TEST(store.known(*root, "src/cart.py", *state).has_value());
  folder.file("top/src/cart.py", "class Other:\n    pass\n");
  BOOST_TEST(says(outline("src/cart.py"), "class Other"));
  BOOST_TEST(says(find({.name = "Other"}), "src/cart.py:1-2: class Other (Python)"));
  BOOST_TEST(says(find({.name = "Cart", .path = "src/cart.py"}), "No definition"));
}

BOOST_FIXTURE_TEST_CASE(secret_ignored_outside_and_odd_files_are_left_out, Sources) {
  const std::string text = "def total(): pass\n";
  folder.file("top/.ssh/secret.py", text);
  folder.file("top/ignored/i.py", text);
  folder.file("top/.gitignore", "ignored/\n");
  folder.file("outside/o.py", text);
  folder.link(folder / "outside/o.py", "top/link.py");
  folder.link("src", "top/linked");
  folder.file("top/binary.py", std::string("def total():\0\0\0", 15));
  folder.file("top/url.py", "def total(a='https://me:SECRET@example.com/x'): pass\n");
  shell("mkfifo pipe.py");
  const std::string found = find({.name = "total", .names = {.type = "py"}});
  BOOST_TEST(says(found, "src/cart.py:2-3"));
  for (const char* name : {".ssh", "ignored/i.py", "link", "binary", "pipe", "SECRET"})
    BOOST_TEST(!says(found, name), found);
  BOOST_TEST(says(found, "url.py:1"), found);
  BOOST_TEST(says(find({.name = "total", .include_ignored = true}), "ignored/i.py:1"));
  BOOST_TEST(says(error_of([&] { outline(".ssh/secret.py"); }), "holds secrets"));
  BOOST_TEST(says(error_of([&] { find({.name = "total", .path = ".ssh/secret.py"}); }), "holds secrets"));
  BOOST_TEST(says(error_of([&] { outline("link.py"); }), "outside the workspace"));
  BOOST_TEST(says(error_of([&] { outline("pipe.py"); }), "named pipe"));
}

BOOST_FIXTURE_TEST_CASE(ctags_reads_no_file_and_no_options_of_the_workspace, Sources) {
  folder.file("top/.ctags.d/evil.ctags", "--kinds-C++=\n");
  folder.file("top/.ctags", "--kinds-C++=\n");
  BOOST_TEST(says(outline("src/cart.cpp"), "class Cart"));
  BOOST_TEST_REQUIRE(!says(shell("ctags -f - --output-format=json src/cart.cpp"), "Cart"));
  // Asked outright, without the sandbox of its own.
  const std::string plain = "--options=NONE --output-format=json --sort=no -f - ";
  BOOST_TEST_REQUIRE(says(shell("ctags " + plain + "src/cart.cpp"), "Cart"));
  const workspace::ProgramOutput ran = programs.run(
      {.program = "ctags",
       .arguments = {"--options=NONE", "--output-format=json", "--sort=no", "-f", "-", top + "/src/cart.cpp"},
       .environment = {},
       .directory = "/"},
      {});
  BOOST_TEST(!says(ran.output, "Cart"));
  BOOST_TEST(says(ran.errors, "Permission denied"), ran.errors);
}

BOOST_FIXTURE_TEST_CASE(what_is_not_universal_ctags_is_told_apart, Sources) {
  shell("mkdir ../bin; cp /bin/echo ../bin/ctags");
  const Programs other = Programs::start({{"ctags", {}}}, (folder / "bin").string());
  SymbolStore of_other{other};
  const std::string error = error_of([&] { workspace::outline(roots, of_other, {.path = "src/cart.py"}, {}); });
  BOOST_TEST(says(error, "expected Universal Ctags"), error);
}

BOOST_FIXTURE_TEST_CASE(the_tools_are_offered_where_ctags_is, Sources) {
  toolwire::Server server{{.name = "workspace", .version = "1"}};
  workspace::add_tools(server, roots, {.programs = &programs});
  toolwire::testing::Client client{server};
  BOOST_TEST(says(client.call("outline", {{"path", "src/cart.py"}}).text(), "class Cart"));
  const CallResult found = client.call("find_symbol", {{"name", "LIMIT"}, {"match", "exact"}});
  BOOST_TEST(found.text() == "src/cart.cpp:1: macro LIMIT (C++)");
  const Programs none = Programs::start({{"ctags", {}}}, "/nonexistent");
  BOOST_TEST(says(workspace::instructions(roots, {.programs = &none}), "ctags is not installed"));
}
