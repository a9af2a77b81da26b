#include <toolwire/http/detail/address_policy.hpp>

#define BOOST_TEST_MODULE http_addresses_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>

namespace {

using namespace toolwire;

Closeness closeness(const std::string& text) { return closeness_of(system::parse_address(text).value()); }

bool refuses(AddressPolicy& policy, const std::string& address, const std::string& host, HttpOrigin origin,
             std::uint64_t request = 1) {
  return policy.refusal(system::parse_address(address).value(), host, origin, request).has_value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(addresses_of_the_outside_are_open) {
  for (const char* text : {"1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "2606:4700::1111",
                           "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"})
    BOOST_TEST((closeness(text) == Closeness::open), text);
}

BOOST_AUTO_TEST_CASE(addresses_of_this_machine_are_known_in_every_disguise) {
  for (const char* text : {"127.0.0.1", "127.255.1.2", "0.0.0.0", "0.1.2.3", "::1", "::", "::ffff:127.0.0.1",
                           "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1"})
    BOOST_TEST((closeness(text) == Closeness::this_machine), text);
}

BOOST_AUTO_TEST_CASE(private_networks_are_known) {
  for (const char* text : {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "198.18.0.1",
                           "fd12::1", "fc00::1", "fec0::1", "::ffff:10.1.1.1", "64:ff9b::a00:1", "2001::1"})
    BOOST_TEST((closeness(text) == Closeness::private_network), text);
}

BOOST_AUTO_TEST_CASE(link_local_and_metadata_addresses_are_known) {
  for (const char* text : {"169.254.169.254", "169.254.0.1", "fe80::1", "febf::1", "::ffff:169.254.169.254",
                           "64:ff9b::a9fe:a9fe", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"})
    BOOST_TEST((closeness(text) == Closeness::link_local), text);
}

BOOST_AUTO_TEST_CASE(addresses_of_no_server_are_unusable) {
  for (const char* text : {"224.0.0.1", "255.255.255.255", "240.0.0.1", "ff02::1", "4000::1"})
    BOOST_TEST((closeness(text) == Closeness::unusable), text);
}

BOOST_AUTO_TEST_CASE(the_operator_may_write_addresses_of_this_machine_and_its_network) {
  AddressPolicy policy({});
  BOOST_TEST(!refuses(policy, "127.0.0.1", "127.0.0.1", HttpOrigin::operators));
  BOOST_TEST(!refuses(policy, "::1", "localhost", HttpOrigin::operators));
  BOOST_TEST(!refuses(policy, "192.168.1.5", "printer.home", HttpOrigin::operators));
}

BOOST_AUTO_TEST_CASE(others_reach_open_addresses_only) {
  AddressPolicy policy({});
  BOOST_TEST(!refuses(policy, "1.1.1.1", "example.com", HttpOrigin::other));
  for (const char* text : {"127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "0.0.0.0"})
    BOOST_TEST(refuses(policy, text, "example.com", HttpOrigin::other), text);
}

BOOST_AUTO_TEST_CASE(link_local_addresses_are_refused_even_to_the_operator_until_they_are_allowed) {
  AddressPolicy strict({});
  BOOST_TEST(refuses(strict, "169.254.169.254", "169.254.169.254", HttpOrigin::operators));
  AddressPolicy open({"169.254.169.254", "fe80::/10"});
  BOOST_TEST(!refuses(open, "169.254.169.254", "169.254.169.254", HttpOrigin::operators));
  BOOST_TEST(!refuses(open, "fe80::5", "x", HttpOrigin::other));
  BOOST_TEST(refuses(open, "169.254.169.253", "169.254.169.253", HttpOrigin::operators));
}

BOOST_AUTO_TEST_CASE(an_allowed_network_ends_where_its_bits_end) {
  AddressPolicy policy({"10.1.0.0/15", "127.0.0.1"});
  BOOST_TEST(!refuses(policy, "10.0.255.255", "x", HttpOrigin::other));
  BOOST_TEST(!refuses(policy, "::ffff:127.0.0.1", "x", HttpOrigin::other));
  BOOST_TEST(refuses(policy, "10.2.0.0", "x", HttpOrigin::other));
  BOOST_TEST(refuses(policy, "127.0.0.2", "x", HttpOrigin::other));
}

BOOST_AUTO_TEST_CASE(a_name_may_not_begin_to_lead_closer) {
  AddressPolicy policy({});
  BOOST_TEST(!refuses(policy, "93.184.216.34", "api.example", HttpOrigin::operators, 1));
  BOOST_TEST(refuses(policy, "127.0.0.1", "api.example", HttpOrigin::operators, 2));
  BOOST_TEST(refuses(policy, "10.0.0.1", "api.example", HttpOrigin::operators, 3));
  BOOST_TEST(!refuses(policy, "93.184.216.35", "api.example", HttpOrigin::operators, 4));
}

BOOST_AUTO_TEST_CASE(several_addresses_of_one_name_are_known_together) {
  AddressPolicy policy({});
  BOOST_TEST(!refuses(policy, "93.184.216.34", "both.example", HttpOrigin::operators, 1));
  BOOST_TEST(!refuses(policy, "10.0.0.1", "both.example", HttpOrigin::operators, 1));
  BOOST_TEST(!refuses(policy, "10.0.0.1", "both.example", HttpOrigin::operators, 2));
  BOOST_TEST(refuses(policy, "127.0.0.1", "both.example", HttpOrigin::operators, 2));
}

BOOST_AUTO_TEST_CASE(a_refusal_says_what_would_allow_it) {
  AddressPolicy policy({});
  const auto text = policy.refusal(system::parse_address("fe80::1").value(), "x", HttpOrigin::operators, 1).value();
  BOOST_TEST(text.find("--allow-address fe80::1") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(what_is_no_address_cannot_be_allowed) {
  for (const char* text : {"", "example.com", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "::/129", "/8"})
    BOOST_CHECK_THROW(AddressPolicy({text}), std::invalid_argument);
}
