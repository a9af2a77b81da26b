// Any bytes as one line: parsing neither crashes nor throws, what it reads can be written and read again, the id is the
// text that was sent, and both parsers agree. As the lines of one connection, each is read as if it were the only one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "json/fast.hpp"
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

/// As text, with the members of an object in the order of their names.
std::string sorted(const Json& value) {
  std::string text;
  if (const auto* array = value.if_array()) {
    for (const Json& element : *array) text += (text.empty() ? "" : ",") + sorted(element);
    return "[" + text + "]";
  }
  const auto* object = value.if_object();
  if (object == nullptr) return toolwire::to_json_text(value);
  std::map<std::string, std::string> members;
  for (const auto& [name, member] : *object) members[toolwire::to_json_text(Json(name))] = sorted(member);
  for (const auto& [name, member] : members) text += name + ":" + member + ",";
  return "{" + text + "}";
}

/// Whatever the fast reader accepts as a message is JSON for the library, too.
void check_plain_message(std::string_view line) {
  toolwire::jsonrpc::Message message;
  if (!toolwire::jsonrpc::read_plain_message(line, {128}, message)) return;
  require(std::holds_alternative<Json>(toolwire::json::parse_by_library(line, {})));
}

/// As text, with `_meta` where it belongs.
std::string in_words(toolwire::jsonrpc::Message message, const std::shared_ptr<const Json>& meta) {
  using namespace toolwire::jsonrpc;
  if (auto* request = std::get_if<Request>(&message)) {
    require(!meta || !request->params.get_object().contains("_meta"));
    require(!meta || request->params_usable);
    if (meta) request->params.get_object()["_meta"] = *meta;
    return "request " + request->id.text + " " + std::string(request->id.key()) + " " + request->method + " " +
           sorted(request->params) + (request->params_usable ? "" : " unusable");
  }
  if (const auto* told = std::get_if<Notification>(&message)) return "told " + told->method + sorted(told->params);
  if (const auto* response = std::get_if<Response>(&message)) {
    return "response " + response->id.text + (response->is_error ? " error " : " ") + sorted(response->outcome);
  }
  if (const auto* malformed = std::get_if<Malformed>(&message)) {
    return "malformed " + malformed->id_text + " " + std::to_string(malformed->code) + " " + malformed->reason;
  }
  return "ignored";
}

std::string in_words(const toolwire::jsonrpc::Incoming& incoming, const std::shared_ptr<const Json>& meta) {
  if (const auto* message = std::get_if<toolwire::jsonrpc::Message>(&incoming)) return in_words(*message, meta);
  std::string all = "batch";
  for (const auto& one : std::get<toolwire::jsonrpc::Batch>(incoming)) all += "\n" + in_words(one, nullptr);
  return all;
}

/// What is kept of the lines before changes nothing, whether it has come once, twice or more often.
void check_kept(std::string_view text, toolwire::json::KeptMember::Of of) {
  toolwire::json::KeptMember kept(of);
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::string alone = in_words(toolwire::jsonrpc::parse(line, {{128}}), nullptr);
    for (int i = 0; i < 3; ++i) {
      const toolwire::jsonrpc::Incoming incoming = toolwire::jsonrpc::parse(line, {{128}}, &kept);
      const bool is_request =
          std::holds_alternative<toolwire::jsonrpc::Message>(incoming) &&
          std::holds_alternative<toolwire::jsonrpc::Request>(std::get<toolwire::jsonrpc::Message>(incoming));
      require(in_words(incoming, is_request ? kept.shared() : nullptr) == alone);
    }
  }
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
  check_kept(line, toolwire::json::KeptMember::Of::requests);
  check_kept(line, toolwire::json::KeptMember::Of::results);
  if (auto id = toolwire::json::salvage_id(line)) require(line.find(*id) != std::string_view::npos);
  return 0;
}
