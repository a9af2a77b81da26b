// Any bytes as one line: parsing neither crashes nor throws, what it reads can be written and read again, the id is the
// text that was sent, and both parsers agree.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "jsonrpc/message.hpp"
#include "jsonrpc/plain_message.hpp"

namespace {

using toolwire::Json;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_id(const toolwire::jsonrpc::Id& id, std::string_view line) {
  require(line.find(id.text) != std::string_view::npos);
  auto read = toolwire::json::parse(id.text, {});
  require(std::holds_alternative<Json>(read));
  require(toolwire::jsonrpc::key_of(std::get<Json>(read)) == id.key());
}

void check_malformed(const toolwire::jsonrpc::Malformed& malformed) {
  require(malformed.code == -32700 || malformed.code == -32600);
  require(!malformed.reason.empty());
  if (malformed.id_text.empty()) return;
  auto id = toolwire::json::parse(malformed.id_text, {});
  require(std::holds_alternative<Json>(id) && toolwire::jsonrpc::key_of(std::get<Json>(id)).has_value());
}

/// Writing gives text that reads as the same value, and writes as the same text.
void check_round_trip(std::string_view text) {
  auto first = toolwire::json::parse(text, {});
  if (auto* error = std::get_if<toolwire::json::ParseError>(&first)) {
    require(error->offset <= text.size());
    require(!error->message.empty());
    return;
  }
  const std::string written = toolwire::to_json_text(std::get<Json>(first));
  auto second = toolwire::json::parse(written, {});
  require(std::holds_alternative<Json>(second));
  require(toolwire::to_json_text(std::get<Json>(second)) == written);
  require(written.find('\n') == std::string::npos);
}

/// The fast reader and the library agree on a text.
void check_agreement(std::string_view text) {
  const auto quick = toolwire::json::parse(text, {});
  const auto other = toolwire::json::parse_by_library(text, {});
  require(quick.index() == other.index());
  if (const auto* value = std::get_if<Json>(&quick)) {
    require(toolwire::to_json_text(*value) == toolwire::to_json_text(std::get<Json>(other)));
  }
}

/// Whatever the fast reader accepts as a message is JSON for the library, too.
void check_plain_message(std::string_view line) {
  toolwire::jsonrpc::Message message;
  if (!toolwire::jsonrpc::read_plain_message(line, {128}, message)) return;
  require(std::holds_alternative<Json>(toolwire::json::parse_by_library(line, {})));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(bytes), size);
  toolwire::jsonrpc::Incoming incoming = toolwire::jsonrpc::parse(line, {{128}});
  if (auto* message = std::get_if<toolwire::jsonrpc::Message>(&incoming)) {
    if (auto* request = std::get_if<toolwire::jsonrpc::Request>(message)) check_id(request->id, line);
    if (auto* malformed = std::get_if<toolwire::jsonrpc::Malformed>(message)) check_malformed(*malformed);
  }
  check_round_trip(line);
  check_agreement(line);
  check_plain_message(line);
  if (auto id = toolwire::json::salvage_id(line)) require(line.find(*id) != std::string_view::npos);
  return 0;
}
