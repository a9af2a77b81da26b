#include "features/uri_template.hpp"

#define BOOST_TEST_MODULE uri_template_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace toolwire;
using features::UriTemplate;

namespace {

/// The values as JSON text; "no" if the URI does not fit.
std::string matched(const std::string& text, const std::string& uri) {
  auto values = UriTemplate(text).match(uri);
  return values ? to_json_text(*values) : "no";
}

std::string objection(const std::string& text) {
  try {
    UriTemplate made(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_simple_variable_is_one_segment_and_never_empty) {
  BOOST_TEST(matched("note://{id}", "note://a") == R"({"id":"a"})");
  BOOST_TEST(matched("note://{id}", "note://user@host:1;x=(y)!") == R"({"id":"user@host:1;x=(y)!"})");
  for (const char* uri : {"note://", "note://a/b", "note://a?b", "note://a#b", "note:/a", "Note://a", " note://a"})
    BOOST_TEST(matched("note://{id}", uri) == "no");
  BOOST_TEST(matched("note://{id}/lines/{line}", "note://a/lines/12") == R"({"id":"a","line":"12"})");
  BOOST_TEST(matched("at://{x,y}", "at://1,2") == R"({"x":"1","y":"2"})");
  BOOST_TEST(matched("at://{x,y}", "at://1") == "no");
}

BOOST_AUTO_TEST_CASE(literals_mean_themselves) {
  BOOST_TEST(matched("a://x.y+z(1)*", "a://x.y+z(1)*") == "{}");
  BOOST_TEST(matched("a://x.y", "a://xzy") == "no");
  BOOST_TEST(matched("file:///{name}.{extension}", "file:///a.tar.gz") == R"({"name":"a.tar","extension":"gz"})");
}

BOOST_AUTO_TEST_CASE(a_reserved_variable_spans_segments) {
  BOOST_TEST(matched("file:///{+path}", "file:///a/b/c.txt") == R"({"path":"a/b/c.txt"})");
  BOOST_TEST(matched("file:///{+path}", "file:///a?b#c") == R"({"path":"a?b#c"})");
  BOOST_TEST(matched("file:///{+path}", "file:///") == "no");
  BOOST_TEST(matched("file:///{+path}/info", "file:///a/info/info") == R"({"path":"a/info"})");
  BOOST_TEST(matched("file:///{+path}{?rev}", "file:///a/b?rev=3") == R"({"path":"a/b","rev":"3"})");
  BOOST_TEST(matched("file:///{+path}{#line}", "file:///a/b#3") == R"({"path":"a/b","line":"3"})");
}

BOOST_AUTO_TEST_CASE(segments_and_labels_may_be_missing_from_the_end) {
  BOOST_TEST(matched("a://x{/p,q}", "a://x/1/2") == R"({"p":"1","q":"2"})");
  BOOST_TEST(matched("a://x{/p,q}", "a://x/1") == R"({"p":"1"})");
  BOOST_TEST(matched("a://x{/p,q}", "a://x") == "{}");
  BOOST_TEST(matched("a://x{/p,q}", "a://x/1/2/3") == "no");
  BOOST_TEST(matched("a://x{.e}", "a://x.txt") == R"({"e":"txt"})");
  BOOST_TEST(matched("a://x{#f}", "a://x") == "{}");
}

BOOST_AUTO_TEST_CASE(members_of_a_query_come_in_any_order_and_may_be_missing) {
  BOOST_TEST(matched("s://find{?q,limit}", "s://find?limit=3&q=a%20b") == R"({"limit":"3","q":"a b"})");
  BOOST_TEST(matched("s://find{?q,limit}", "s://find?q=") == R"({"q":""})");
  BOOST_TEST(matched("s://find{?q,limit}", "s://find?q") == R"({"q":""})");
  BOOST_TEST(matched("s://find{?q,limit}", "s://find?q=a=b") == R"({"q":"a=b"})");
  BOOST_TEST(matched("s://find{?q,limit}", "s://find") == "{}");
  BOOST_TEST(matched("s://find{?q,limit}", "s://find?") == "{}");
  BOOST_TEST(matched("s://find{?q,limit}", "s://find?other=1") == "no");
  BOOST_TEST(matched("s://find{?q,limit}", "s://find?q=1&q=2") == "no");
  BOOST_TEST(matched("s://find?fixed=1{&q}", "s://find?fixed=1&q=2") == R"({"q":"2"})");
  BOOST_TEST(matched("s://find{?q}{&r}", "s://find?r=2&q=1") == R"({"r":"2","q":"1"})");
  BOOST_TEST(matched("s://p{;x,y}", "s://p;y=2;x=1") == R"({"y":"2","x":"1"})");
}

BOOST_AUTO_TEST_CASE(values_are_decoded_and_what_is_no_text_does_not_fit) {
  BOOST_TEST(matched("a://{x}", "a://%C3%A4%2F%25") == R"({"x":"ä/%"})");
  BOOST_TEST(matched("a://{x}", "a://%c3%af%C3%AF%CF%90") == R"({"x":"ïïϐ"})");  // the first and the last of all digits
  BOOST_TEST(matched("a://{x}", "a://ä") == R"({"x":"ä"})");
  for (const char* uri : {"a://%", "a://%4", "a://%zz", "a://%00", "a://x%ff", "a://%c3", "a://%ed%a0%80"})
    BOOST_TEST(matched("a://{x}", uri) == "no");
}

BOOST_AUTO_TEST_CASE(the_time_to_match_grows_with_the_length_only) {
  const std::string text = "a://{a}a{b}a{c}a{d}a{e}a{f}a{g}a{h}b";
  BOOST_TEST(matched(text, "a://" + std::string(100'000, 'a')) == "no");
  BOOST_TEST(matched("a://{+a}a{+b}a{+c}a{+d}b", "a://" + std::string(100'000, 'a')) == "no");
  BOOST_TEST(matched("a://{x}", "a://" + std::string(100'000, 'a')).size() > 100'000u);
}

BOOST_AUTO_TEST_CASE(variables_are_told_in_their_order_and_whether_they_may_be_missing) {
  const UriTemplate made("a://{+p}{/q}{?r,s}");
  BOOST_TEST(made.variables() == (std::vector<std::string>{"p", "q", "r", "s"}), boost::test_tools::per_element());
  BOOST_TEST(!made.may_be_absent("p"));
  for (const char* variable : {"q", "r", "s"}) BOOST_TEST(made.may_be_absent(variable));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_or_not_supported_is_named) {
  BOOST_TEST(objection("") == "a template must not be empty");
  BOOST_TEST(objection("a://{x") == "\"{\" without \"}\"");
  BOOST_TEST(objection("a://x}") == "\"}\" without \"{\"");
  BOOST_TEST(objection("a://{}") == "an empty expression \"{}\"");
  BOOST_TEST(objection("a://{?}") == "\"\" is not the name of a variable");
  BOOST_TEST(objection("a://{x,}") == "\"\" is not the name of a variable");
  BOOST_TEST(objection("a://{a b}") == "\"a b\" is not the name of a variable");
  BOOST_TEST(objection("a://{=x}") == "\"=x\" is not the name of a variable");
  BOOST_TEST(objection("a://{x}{x}") == "\"x\" occurs twice");
  BOOST_TEST(objection("a://{?x,x}") == "\"x\" occurs twice");
  for (const char* text : {"a://b c", "a://b\x1f", "a://b\n", "a://b\x7f"})
    BOOST_TEST(objection(text) == "a character that must be percent-encoded", text);
  for (const char* text : {"a://{x*}", "a://{x:3}", "a://{/x*}"})
    BOOST_TEST(objection(text).find("level 4") != std::string::npos);
  BOOST_TEST(objection("{+any}") == "");
}
