#include "schema/uri.hpp"

#define BOOST_TEST_MODULE schema_uri
#include <boost/test/unit_test.hpp>

namespace {

using toolwire::schema::append_pointer;
using toolwire::schema::percent_decoded;
using toolwire::schema::resolve_uri;
using toolwire::schema::unescaped_token;

// RFC 3986, 5.4.
BOOST_AUTO_TEST_CASE(references_resolve_as_in_the_examples_of_rfc_3986) {
  const std::string base = "http://a/b/c/d;p?q";
  const std::pair<const char*, const char*> examples[] = {{"g:h", "g:h"},
                                                          {"g", "http://a/b/c/g"},
                                                          {"./g", "http://a/b/c/g"},
                                                          {"g/", "http://a/b/c/g/"},
                                                          {"/g", "http://a/g"},
                                                          {"//g", "http://g"},
                                                          {"?y", "http://a/b/c/d;p?y"},
                                                          {"g?y", "http://a/b/c/g?y"},
                                                          {"#s", "http://a/b/c/d;p?q#s"},
                                                          {"g#s", "http://a/b/c/g#s"},
                                                          {";x", "http://a/b/c/;x"},
                                                          {"", "http://a/b/c/d;p?q"},
                                                          {".", "http://a/b/c/"},
                                                          {"./", "http://a/b/c/"},
                                                          {"..", "http://a/b/"},
                                                          {"../g", "http://a/b/g"},
                                                          {"../..", "http://a/"},
                                                          {"../../g", "http://a/g"},
                                                          {"../../../g", "http://a/g"},
                                                          {"/./g", "http://a/g"},
                                                          {"/../g", "http://a/g"},
                                                          {"g.", "http://a/b/c/g."},
                                                          {"./g/.", "http://a/b/c/g/"},
                                                          {"g/../h", "http://a/b/c/h"},
                                                          {"g;x=1/../y", "http://a/b/c/y"}};
  for (const auto& [reference, resolved] : examples) BOOST_TEST(resolve_uri(base, reference) == resolved, reference);
}

BOOST_AUTO_TEST_CASE(without_a_base_a_reference_stays_as_it_is) {
  BOOST_TEST(resolve_uri("", "item.json#/a") == "item.json#/a");
  BOOST_TEST(resolve_uri("", "#/a") == "#/a");
  BOOST_TEST(resolve_uri("urn:x:y", "#/a") == "urn:x:y#/a");
}

BOOST_AUTO_TEST_CASE(percent_escapes_are_undone_or_refused) {
  BOOST_TEST(percent_decoded("/a%25b%7e").value() == "/a%b~");
  BOOST_TEST(percent_decoded("%aA%Ff%09%90").value() == "\xaa\xff\t\x90");  // the first and the last of all digits
  for (const char* broken : {"%", "%1", "%g0", "%0`", "%0@", "%0/", "%:0", "%0G", "a%4"})
    BOOST_TEST(!percent_decoded(broken).has_value());
}

BOOST_AUTO_TEST_CASE(tokens_of_pointers_are_escaped_and_back) {
  std::string pointer;
  append_pointer(pointer, "a/b~c");
  BOOST_TEST(pointer == "/a~1b~0c");
  BOOST_TEST(unescaped_token("a~1b~0c").value() == "a/b~c");
  BOOST_TEST(!unescaped_token("~2").has_value());
  BOOST_TEST(!unescaped_token("~").has_value());
}

}  // namespace
