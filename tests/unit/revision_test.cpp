#include "protocol/revision.hpp"

#define BOOST_TEST_MODULE revision_test
#include <boost/test/unit_test.hpp>

#include <string>

#include "toolwire/error.hpp"

using namespace toolwire::protocol;
using toolwire::JsonObject;
using toolwire::parse_json;

namespace {

const std::string modern = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
const std::string capable = R"("io.modelcontextprotocol/clientCapabilities":{})";

const Revision* of(const std::string& meta, const Revision* negotiated, std::string_view method = "tools/list") {
  const toolwire::Json members = parse_json(meta);
  return revision_of(method, &members, negotiated);
}

int code_of(const std::string& meta, const Revision* negotiated) {
  try {
    of(meta, negotiated);
  } catch (const toolwire::ProtocolError& error) {
    return error.code;
  }
  return 0;
}

const Revision* const eras[] = {nullptr, &newest_legacy()};

}  // namespace

BOOST_AUTO_TEST_CASE(complete_metadata_names_the_revision_whatever_was_negotiated) {
  for (const Revision* negotiated : eras)
    BOOST_TEST(of("{" + modern + "," + capable + "}", negotiated)->name == "2026-07-28");
}

BOOST_AUTO_TEST_CASE(incomplete_metadata_is_refused) {
  for (const Revision* negotiated : eras) {
    for (const std::string& meta :
         {"{" + modern + "}", "{" + capable + "}",
          "{" + modern + R"(,"io.modelcontextprotocol/clientCapabilities":[]})",
          R"({"io.modelcontextprotocol/protocolVersion":5,)" + capable + "}",
          std::string(R"({"io.modelcontextprotocol/clientInfo":{}})"),
          std::string(R"({"io.modelcontextprotocol/logLevel":"info"})"), std::string("5"), std::string("null")}) {
      BOOST_TEST(code_of(meta, negotiated) == -32602, meta);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_version_that_cannot_be_requested_is_told_before_capabilities_are_looked_at) {
  for (const Revision* negotiated : eras) {
    for (const char* version : {"", "x", "2025-11-25", "2024-11-05", "2026-07-29"}) {
      BOOST_TEST(code_of(std::string(R"({"io.modelcontextprotocol/protocolVersion":")") + version + "\"}",
                         negotiated) == -32022);
    }
  }
}

BOOST_AUTO_TEST_CASE(without_metadata_the_handshake_decides) {
  for (const char* meta : {"{}", R"({"example.org/x":1})"}) {
    BOOST_TEST(of(meta, &newest_legacy()) == &newest_legacy());
    BOOST_TEST(code_of(meta, nullptr) == -32602);
    BOOST_TEST(of(meta, nullptr, "ping") == nullptr);
    BOOST_TEST(of(meta, nullptr, "initialize") == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(the_newest_legacy_revision_and_the_modern_ones_are_known) {
  BOOST_TEST(newest_legacy().name == "2025-11-25");
  BOOST_TEST(toolwire::to_json_text(modern_names()) == R"(["2026-07-28"])");
  BOOST_TEST(find_revision("2025-06-19") == nullptr);
  BOOST_TEST(revisions().size() == 5u);
}

BOOST_AUTO_TEST_CASE(only_one_revision_has_batches) {
  for (const Revision& revision : revisions()) BOOST_TEST(revision.batches == (revision.name == "2025-03-26"));
}
