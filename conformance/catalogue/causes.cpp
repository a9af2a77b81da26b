#include "catalogue/causes.hpp"

#include <stdexcept>

#include "catalogue/catalogue_text.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

Symptom symptom_of(std::string_view text) {
  if (text.empty()) return Symptom::none;
  if (text == "ended") return Symptom::ended;
  if (text == "silent") return Symptom::silent;
  if (text == "foreign_output") return Symptom::foreign_output;
  if (text == "dropped") return Symptom::dropped;
  if (text == "internal_error") return Symptom::internal_error;
  if (text == "no_ping") return Symptom::no_ping;
  throw std::logic_error("causes.json has the unknown symptom " + std::string(text));
}

std::vector<std::string> texts_of(const Json& json) {
  std::vector<std::string> texts;
  if (const JsonArray* list = json.if_array()) {
    for (const Json& text : *list) texts.emplace_back(text_of(text));
  }
  return texts;
}

const Json& table() {
  static const Json all = parse_json(causes_text(), {.duplicate_keys = DuplicateKeys::refuse});
  return all;
}

KnownCause read_cause(const Json& row) {
  auto text = [&](std::string_view name) { return std::string(text_of(get(row, name))); };
  return {.id = text("cause"),
          .symptom = symptom_of(text_of(get(row, "symptom"))),
          .stimulus = text("stimulus"),
          .when = text("when"),
          .explains = texts_of(get(row, "explains")),
          .shown_by = texts_of(get(row, "shown_by")),
          .says = text("says"),
          .loses = text("loses"),
          .fix = text("fix")};
}

Sdk read_sdk(const Json& row) {
  auto text = [&](std::string_view name) { return std::string(text_of(get(row, name))); };
  Sdk sdk{.name = text("name"), .registry = text("registry"), .package = text("package"), .owns = {}};
  for (const auto& [cause, address] : get(row, "owns").as_object())
    sdk.owns.emplace(std::string(cause), std::string(text_of(address)));
  return sdk;
}

}  // namespace

std::span<const KnownCause> known_causes() {
  static const std::vector<KnownCause> all = [] {
    std::vector<KnownCause> causes;
    for (const Json& row : get(table(), "causes").as_array()) causes.push_back(read_cause(row));
    return causes;
  }();
  return all;
}

std::span<const Sdk> known_sdks() {
  static const std::vector<Sdk> all = [] {
    std::vector<Sdk> sdks;
    for (const Json& row : get(table(), "sdks").as_array()) sdks.push_back(read_sdk(row));
    return sdks;
  }();
  return all;
}

}  // namespace toolwire::conformance
