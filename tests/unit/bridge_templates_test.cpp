#include "templates/argument_template.hpp"

#define BOOST_TEST_MODULE bridge_templates
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <toolwire/error.hpp>

#include "templates/body_template.hpp"
#include "templates/url_template.hpp"

namespace {

using namespace toolwire;
using namespace toolwire::bridge;

using Texts = std::vector<std::string>;

/// What is wrong with a template, in one text; empty if nothing is.
template <class Make>
std::string problems_of(Make make) {
  Findings findings("f");
  make(findings);
  std::string all;
  for (const ManifestProblem& problem : findings.take_problems("")) all += problem.pointer + ": " + problem.text + "\n";
  return all;
}

std::string argv_problems(const char* argv) {
  return problems_of([&](Findings& findings) { ArgumentTemplate(parse_json(argv), "/argv", findings); });
}

Texts expand(const char* argv, const char* parameters) {
  Findings findings("f");
  const ArgumentTemplate arguments(parse_json(argv), "/argv", findings);
  BOOST_REQUIRE(!findings.has_problems());
  return arguments.expand(parse_json(parameters));
}

std::string url(const char* text, const char* parameters) {
  Findings findings("f");
  const UrlTemplate made(text, "/url", findings);
  BOOST_REQUIRE(!findings.has_problems());
  return made.expand(parse_json(parameters));
}

std::string url_problems(const char* text) {
  return problems_of([&](Findings& findings) { UrlTemplate(text, "/url", findings); });
}

std::string body(const char* text, const char* parameters) {
  Findings findings("f");
  const BodyTemplate made(parse_json(text), "/body", findings);
  BOOST_REQUIRE(!findings.has_problems());
  return to_json_text(made.expand(parse_json(parameters)));
}

void same(const Texts& one, const Texts& other) { BOOST_TEST(one == other, boost::test_tools::per_element()); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(values_fill_their_places_with_their_types) {
  same(expand(R"(["git", "log", "--max-count={count}", "--", "{path}"])", R"({"count": 3, "path": "a b"})"),
       {"git", "log", "--max-count=3", "--", "a b"});
  same(expand(R"(["x", "{a}", "{b}", "{c}"])", R"({"a": true, "b": 1.5, "c": {"k": [1]}})"),
       {"x", "true", "1.5", R"({"k":[1]})"});
}

BOOST_AUTO_TEST_CASE(a_value_is_one_argument_whatever_a_shell_would_make_of_it) {
  const std::string nasty = R"($(reboot); `id` && rm -rf / | cat > x * ? \"q\" 'q' \n end)";
  same(expand(R"(["echo", "{a}"])", ("{\"a\": \"" + nasty + "\"}").c_str()),
       {"echo", "$(reboot); `id` && rm -rf / | cat > x * ? \"q\" 'q' \n end"});
}

BOOST_AUTO_TEST_CASE(a_list_becomes_several_arguments_where_it_is_the_whole_argument) {
  same(expand(R"(["ls", "--", "{files}"])", R"({"files": ["a", "-b", 3]})"), {"ls", "--", "a", "-b", "3"});
  same(expand(R"(["ls", "{files}"])", R"({"files": []})"), {"ls"});
  same(expand(R"(["ls", "--only={files}"])", R"({"files": ["a", "b"]})"), {"ls", R"(--only=["a","b"])"});
}

BOOST_AUTO_TEST_CASE(a_value_never_becomes_a_flag) {
  for (const char* value : {R"("-rf")", R"("--output=/etc/passwd")", R"("-")", "-5", R"(["ok", "-x"])"})
    BOOST_CHECK_THROW(expand(R"(["rm", "{a}"])", (std::string("{\"a\": ") + value + "}").c_str()), InvalidArguments);
  BOOST_CHECK_THROW(expand(R"(["rm", "{a}{b}"])", R"({"a": "", "b": "-rf"})"), InvalidArguments);
  same(expand(R"(["rm", "--", "{a}"])", R"({"a": "-rf"})"), {"rm", "--", "-rf"});
  same(expand(R"(["x", "--name={a}"])", R"({"a": "--y"})"), {"x", "--name=--y"});
  same(expand(R"(["x", "pre{a}"])", R"({"a": "-y"})"), {"x", "pre-y"});
}

BOOST_AUTO_TEST_CASE(a_place_where_a_value_could_choose_a_flag_is_refused_when_the_file_is_read) {
  for (const char* argv : {R"(["x", "-{a}"])", R"(["x", "--{a}"])", R"(["x", "-n{a}"])", R"(["x", "--max{a}"])"})
    BOOST_TEST(contains(argv_problems(argv), "/argv/1: the value could change the flag"), argv);
  BOOST_TEST(argv_problems(R"(["x", "--", "-{a}"])") == "");
}

BOOST_AUTO_TEST_CASE(a_separator_that_may_be_left_out_protects_nothing_behind_it) {
  BOOST_CHECK_THROW(expand(R"(["x", {"when": "a", "argv": ["--", "{a}"]}, "{b}"])", R"({"b": "-y"})"),
                    InvalidArguments);
  same(expand(R"(["x", {"when": "a", "argv": ["--", "{a}"]}])", R"({"a": "-y"})"), {"x", "--", "-y"});
}

BOOST_AUTO_TEST_CASE(pieces_are_there_only_if_their_parameter_is) {
  const char* argv = R"(["x", "--l={l?}", "{w?}", {"when": "all", "argv": ["--all", "{n?}"]}])";
  same(expand(argv, "{}"), {"x"});
  same(expand(argv, R"({"l": null, "all": false})"), {"x"});
  same(expand(argv, R"({"l": "de", "w": "v", "all": true, "n": 2})"), {"x", "--l=de", "v", "--all", "2"});
  BOOST_CHECK_THROW(expand(R"(["x", "{a}"])", "{}"), InvalidArguments);
}

BOOST_AUTO_TEST_CASE(the_program_is_fixed_and_no_value_is_program_text) {
  BOOST_TEST(contains(argv_problems(R"(["{a}"])"), "/argv/0: expected the program itself"));
  BOOST_TEST(contains(argv_problems(R"([""])"), "/argv/0: expected the program itself"));
  for (const char* argv : {R"(["sh", "-c", "echo {a}"])", R"(["/bin/bash", "-lc", "{a}"])",
                           R"(["python3", "-c", "{a}"])", R"(["perl", "-e", "{a}"])", R"(["node", "-e", "{a}"])"})
    BOOST_TEST(contains(argv_problems(argv), "would be run as code"), argv);
  BOOST_TEST(argv_problems(R"(["sh", "-c", "echo \"$1\"", "name", "{a}"])") == "");
}

BOOST_AUTO_TEST_CASE(program_text_is_found_however_it_is_handed_over) {
  for (const char* argv : {R"(["sh", "-ce", "{a}"])",
                           R"(["bash", "-cx", "x {a}"])",
                           R"(["sh", "-c", "--", "{a}"])",
                           R"(["sh", "-c", "-e", "{a}"])",
                           R"(["bash", "-o", "pipefail", "-c", "{a}"])",
                           R"(["sh", "-c", "-o", "errexit", "{a}"])",
                           R"(["env", "A=b", "sh", "-c", "{a}"])",
                           R"(["timeout", "5", "sh", "-c", "{a}"])",
                           R"(["nice", "-n", "5", "bash", "-c", "{a}"])",
                           R"(["find", ".", "-exec", "sh", "-c", "{a}", ";"])",
                           R"(["env", "-S", "x {a}"])",
                           R"(["/usr/bin/python3.11", "-c", "print(1);{a}"])",
                           R"(["python3", "-W", "ignore", "-Ic", "{a}"])",
                           R"(["perl", "-MPOSIX", "-lane", "{a}"])",
                           R"(["node", "--eval={a}"])",
                           R"(["node", "--eval", "{a}"])",
                           R"(["node", "-r", "./x.js", "-pe", "{a}"])",
                           R"(["php8.2", "-r", "{a}"])",
                           R"(["su", "me", "-c", "{a}"])",
                           R"(["awk", "/{a}/", "file"])",
                           R"(["awk", "-F", ":", "{a}"])",
                           R"(["sed", "-n", "-e", "s/{a}/b/"])",
                           R"(["sed", "-n", "--", "s/{a}/b/"])",
                           R"(["ssh", "-p", "22", "host", "ls", "{a}"])",
                           R"(["sh", "-c", {"when": "b", "argv": ["true"]}, "{a}"])",
                           R"(["ruby", "-e=1;{a}"])"})
    BOOST_TEST(contains(argv_problems(argv), "would be run as code"), argv);
  for (const char* argv :
       {R"(["python3", "x.py", "-c", "{a}"])", R"(["python3", "-m", "x", "-c", "{a}"])",
        R"(["grep", "sh", "-c", "{a}"])", R"(["node", "x.js", "--eval={a}"])", R"(["bash", "x.sh", "-c", "{a}"])",
        R"(["env", "A=b", "x", "{a}"])", R"(["awk", "-f", "x.awk", "{a}"])", R"(["awk", "-v", "x={a}", "1", "{b}"])",
        R"(["sed", "s/a/b/", "{a}"])", R"(["ssh", "{a}", "uptime"])", R"(["perl", "-e", "print @ARGV", "{a}"])",
        R"(["timeout", "5", "x", "{a}"])", R"(["sh", "-ec", "echo \"$1\"", "sh", "{a}"])",
        R"(["find", "{a}", "-name", "{b}"])"})
    BOOST_TEST(argv_problems(argv) == "", argv);
}

BOOST_AUTO_TEST_CASE(nul_is_refused) {
  BOOST_CHECK_THROW(expand(R"(["x", "{a}"])", R"({"a": "a\u0000b"})"), InvalidArguments);
  BOOST_CHECK_THROW(expand(R"(["x", "y{a}"])", R"({"a": "a\u0000b"})"), InvalidArguments);
  BOOST_TEST(contains(argv_problems(R"(["x", "a\u0000"])"), "NUL"));
}

BOOST_AUTO_TEST_CASE(what_is_no_template_is_refused) {
  for (const char* argv : {R"(["x", "{a"])", R"(["x", "a}"])", R"(["x", "{}"])", R"(["x", "{a b}"])",
                           R"(["x", "{a*}"])", R"(["x", "${env:HOME}"])"})
    BOOST_TEST(argv_problems(argv) != "", argv);
  same(expand(R"(["x", "{{a}}", "{/p/q~1r}", "{/list/1}"])", R"({"p": {"q/r": 1}, "list": [1, 2]})"),
       {"x", "{a}", "1", "2"});
}

BOOST_AUTO_TEST_CASE(values_in_a_url_are_encoded_and_stay_in_their_place) {
  BOOST_TEST(url("https://h/a/{x}/b?q={y}", R"({"x": "ä &?#", "y": "1&z=2#f/"})") ==
             "https://h/a/%C3%A4%20%26%3F%23/b?q=1%26z%3D2%23f%2F");
  BOOST_TEST(url("https://h:8443/{x?}?a=1&b={y?}", "{}") == "https://h:8443/?a=1");
  BOOST_TEST(url("https://h", "{}") == "https://h/");
  BOOST_TEST(url("https://h/{x}", R"({"x": "%2e%2e"})") == "https://h/%252e%252e");
  BOOST_TEST(url("https://h/{x}", R"({"x": "@evil.example"})") == "https://h/%40evil.example");
  BOOST_TEST(url("https://h/{x*}/end", R"({"x": "a/b c"})") == "https://h/a/b%20c/end");
  BOOST_TEST(url("https://h/v{x}", R"({"x": 2})") == "https://h/v2");
}

BOOST_AUTO_TEST_CASE(a_value_cannot_add_or_climb_segments) {
  for (const char* value : {"..", ".", "", "../admin", "a/b", "a\\\\b", "/", "a\\u0000"})
    BOOST_CHECK_THROW(url("https://h/a/{x}", (std::string("{\"x\": \"") + value + "\"}").c_str()), InvalidArguments);
  for (const char* value : {"..", "a/../b", "a//b", "/a", "a/", "a/.", ""})
    BOOST_CHECK_THROW(url("https://h/a/{x*}", (std::string("{\"x\": \"") + value + "\"}").c_str()), InvalidArguments);
  BOOST_CHECK_THROW(url("https://h/{x}{y}", R"({"x": ".", "y": "."})"), InvalidArguments);
}

BOOST_AUTO_TEST_CASE(no_value_chooses_scheme_host_or_port) {
  for (const char* text : {"{s}://h/", "http://{h}/", "http://h:{p}/", "http://h{x}/", "http://{u}@h/"})
    BOOST_TEST(url_problems(text) != "", text);
  for (const char* text : {"ftp://h/", "h/x", "", "http://user:pw@h/", "file:///etc/passwd", "http://h/#f"})
    BOOST_TEST(url_problems(text) != "", text);
}

BOOST_AUTO_TEST_CASE(fields_are_encoded_and_lists_repeat_theirs) {
  Findings findings("f");
  const Json fields = parse_json(R"({"q": "{q}", "tag": "{tags}", "l": "{l?}", "both": "{q}-{q}"})");
  const FieldTemplates made(fields.get_object(), "/query", findings);
  BOOST_TEST(made.expand(parse_json(R"({"q": "a&b=c", "tags": ["x", "y z"]})")) ==
             "q=a%26b%3Dc&tag=x&tag=y%20z&both=a%26b%3Dc-a%26b%3Dc");
}

BOOST_AUTO_TEST_CASE(a_body_keeps_the_types_of_its_values) {
  BOOST_TEST(body(R"({"n": "{n}", "l": ["{b}", "{gone?}"], "t": "n is {n}", "gone": "{gone?}", "k": 1})",
                  R"({"n": 5, "b": true})") == R"({"n":5,"l":[true],"t":"n is 5","k":1})");
  BOOST_TEST(body(R"({"q": "query {{ user }}"})", "{}") == R"({"q":"query { user }"})");
  BOOST_TEST(body(R"("{o}")", R"({"o": {"a": "\"}, \"evil\": {\""}})") == R"({"a":"\"}, \"evil\": {\""})");
  BOOST_CHECK_THROW(body(R"({"n": "{n}"})", "{}"), InvalidArguments);
}

BOOST_AUTO_TEST_CASE(a_variable_of_the_environment_is_a_secret_and_a_missing_one_an_error_of_the_tool) {
  ::setenv("TOOLWIRE_TEST_TOKEN", "hunter2", 1);
  ::unsetenv("TOOLWIRE_TEST_MISSING");
  Texts secrets;
  std::string text;
  fill(TemplateText("Bearer ${env:TOOLWIRE_TEST_TOKEN} for {u}", TemplatePlace::header), parse_json(R"({"u": "me"})"),
       text, secrets);
  BOOST_TEST(text == "Bearer hunter2 for me");
  BOOST_TEST(without_secrets("it said hunter2, hunter2!", secrets) == "it said ***, ***!");
  BOOST_CHECK_EXCEPTION(environment_value("TOOLWIRE_TEST_MISSING"), ToolError,
                        [](const ToolError& error) { return contains(error.what(), "TOOLWIRE_TEST_MISSING"); });
}
