#include "schema/formats.hpp"

#define BOOST_TEST_MODULE schema_formats
#include <boost/test/unit_test.hpp>
#include <initializer_list>

namespace {

using namespace toolwire::schema;

void check(std::string_view name, std::initializer_list<std::string_view> good,
           std::initializer_list<std::string_view> bad) {
  const auto format = find_format(name);
  BOOST_REQUIRE(format);
  BOOST_TEST(format_name(*format) == name);
  for (const auto text : good) BOOST_TEST(format_holds(*format, text), name << " takes " << text);
  for (const auto text : bad) BOOST_TEST(!format_holds(*format, text), name << " refuses " << text);
}

BOOST_AUTO_TEST_CASE(dates_and_times_follow_rfc_3339) {
  check("date", {"2024-02-29", "0000-01-01"}, {"2023-02-29", "2024-13-01", "2024-1-01", "2024-01-32", ""});
  check("time", {"08:30:06Z", "08:30:06.283185+01:00", "23:59:60Z", "01:29:60+01:30"},
        {"08:30:06", "24:00:00Z", "08:30Z", "22:59:60Z", "08:30:06.Z", "08:30:06+24:00"});
  check("date-time", {"1963-06-19T08:30:06.283185Z", "1990-12-31t15:59:50-08:00"},
        {"1963-06-19 08:30:06Z", "1963-06-19T", "T08:30:06Z"});
}

BOOST_AUTO_TEST_CASE(durations_follow_the_grammar_of_rfc_3339) {
  check("duration", {"P4DT12H30M5S", "P2W", "PT1M", "P1Y2M3D", "PT0S"},
        {"P", "PT", "P1D1Y", "P1", "P1Y1D", "PT1H1S", "P1W1D", "4D"});
}

BOOST_AUTO_TEST_CASE(names_and_addresses_of_hosts) {
  check("hostname", {"example.org", "a", "xn--4gbwdl.xn--wgbh1c", "1.host"},
        {"", "-a", "a-", "a..b", "a_b", "ab--cd", std::string_view("\xc3\xa4.de")});
  check("ipv4", {"192.168.0.1", "0.0.0.0"}, {"256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.4 ", ""});
  check("ipv6", {"::1", "::", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::2:3"},
        {":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::1%eth0", "1:2:3:4:5:6:7::8",
         "::ffff:1.2.3", ":::"});
  check(
      "email",
      {"ada@example.org", "a.b+c@d", R"("a b"@c.d)", R"("a\"b"@c.d)", R"("a\\"@c.d)", "a@[127.0.0.1]", "a@[IPv6:::1]"},
      {"ada", "@a", "a@", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b@c", "a@-b", R"("a"b"@c)", R"("a\\"b"@c)", R"("a\"@c)",
       R"("@c)"});
  check("idn-email", {"\xc3\xa4@\xc3\xb6.de"}, {"\xc3\xa4", "@"});
}

BOOST_AUTO_TEST_CASE(identifiers) {
  check("uri", {"http://a.b/c?d=e#f", "urn:x:y", "mailto:a@b", "http://[::1]:80/", "ftp://u:p@h/%41"},
        {"//a/b", "a b:c", "http://a b", "http://[::1", "http://a/%4", "http://a/<b>", "1:x", "http://a:b1/"});
  check("uri-reference", {"", "a/b", "#x", "?q", "//h/p"}, {"\\\\a", "a b", "1:b#%"});
  check("iri", {"http://\xc3\xa4.de/\xc3\xb6"}, {"\xc3\xa4"});
  check("uri-template", {"/a/{b}", "{+x,y:3,z*}", "plain"}, {"{", "{}", "}", "{a b}", "{x:0}"});
  check("uuid", {"2EB8AA08-aa98-11ea-b4aa-73b441d16380"},
        {"2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
         "2eb8aa08-aa98-11ea-b4ga-73b441d16380"});
  check("json-pointer", {"", "/a~1b/~0", "/"}, {"a", "/~2", "/~"});
  check("relative-json-pointer", {"0", "1/a", "12#"}, {"", "01", "-1", "1#a"});
  check("regex", {"^a+$", "(?=a)", "(a)\\1"}, {"(", "[", "\\Z"});
}

BOOST_AUTO_TEST_CASE(what_is_not_finished_is_refused) {
  check("email", {"a@[127.0.0.1]", "a@[IPv6:::1]"}, {"a@[127.0.0.1", "a@127.0.0.1]", "a@[]", "a@x127.0.0.1]"});
  check("uri", {"http://[v1.a]/"}, {"http://[v1.]/", "http://[v.a]/", "http://[v1a]/"});
}

BOOST_AUTO_TEST_CASE(an_unknown_format_is_not_checked) { BOOST_TEST(!find_format("color").has_value()); }

}  // namespace
