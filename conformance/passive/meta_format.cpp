// What _meta, icons, titles and implementations look like (basic, _meta and icons).
#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "passive/tables.hpp"

namespace toolwire::conformance {
namespace {

/// What is in it belongs to others: arguments, schemas and results of tools, and what no text of the protocol defines.
bool is_foreign(std::string_view name) {
  constexpr std::array foreign{"inputSchema", "outputSchema", "structuredContent", "arguments", "requestedSchema",
                               "data",        "experimental", "extensions",        "metadata",  "input"};
  return std::any_of(foreign.begin(), foreign.end(), [&](const char* it) { return name == it; });
}

/// Calls `look(name, value)` with every member of every object in `json`, however deep, but of what is foreign: of a
/// _meta only with what the protocol has put there.
template <class Look>
void each_member(const Json& json, const Look& look, bool in_meta = false) {
  if (const JsonArray* array = json.if_array()) {
    for (const Json& item : *array) each_member(item, look);
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return;
  for (const auto& [name, value] : *object) {
    const std::string_view own = name;
    if (in_meta && !own.starts_with("io.modelcontextprotocol/")) continue;
    look(own, value);
    if (!is_foreign(own)) each_member(value, look, own == "_meta");
  }
}

template <class Look>
void each_meta(const Session& session, Watch& watch, Look look) {
  for (const Message& message : session.messages()) {
    each_member(message.json, [&](std::string_view name, const Json& value) {
      if (name != "_meta") return;
      ++watch.looked_at;
      look(message, value);
    });
  }
}

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool is_label(std::string_view label) {
  return !label.empty() && std::isalpha(static_cast<unsigned char>(label.front())) != 0 &&
         is_alphanumeric(label.back()) &&
         std::all_of(label.begin(), label.end(), [](char c) { return is_alphanumeric(c) || c == '-'; });
}

bool is_prefix(std::string_view prefix) {
  while (true) {
    const std::size_t dot = std::min(prefix.find('.'), prefix.size());
    if (!is_label(prefix.substr(0, dot))) return false;
    if (dot == prefix.size()) return true;
    prefix.remove_prefix(dot + 1);
  }
}

/// [prefix "/"] name; the name may be empty.
bool is_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos && !is_prefix(key.substr(0, slash))) return false;
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  return name.empty() || (is_alphanumeric(name.front()) && is_alphanumeric(name.back()) &&
                          std::all_of(name.begin(), name.end(),
                                      [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; }));
}

void key_format(const Session& session, Watch& watch) {
  each_meta(session, watch, [&](const Message&, const Json& meta) {
    if (!meta.is_object()) return;
    for (const auto& [key, value] : meta.get_object()) {
      if (!is_key(key)) watch.violation("a key of the form prefix/name", std::string(key));
    }
  });
}

/// A prefix whose second label is modelcontextprotocol or mcp is kept for the protocol; com.example.mcp is not. In
/// 2025-06-18 it was one in which any but the last is: mcp.dev.
bool is_reserved(std::string_view prefix, std::string_view revision) {
  const auto is_kept = [](std::string_view label) { return label == "modelcontextprotocol" || label == "mcp"; };
  const bool early = revision < "2025-11-25";
  for (std::size_t index = 0;; ++index) {
    const std::size_t dot = prefix.find('.');
    const bool last = dot == std::string_view::npos;
    if (is_kept(prefix.substr(0, dot)) && (early ? !last : index == 1)) return true;
    if (last) return false;
    prefix.remove_prefix(dot + 1);
  }
}

void key_reserved(const Session& session, Watch& watch) {
  constexpr std::array known{
      "io.modelcontextprotocol/serverInfo",         "io.modelcontextprotocol/subscriptionId",
      "io.modelcontextprotocol/protocolVersion",    "io.modelcontextprotocol/clientInfo",
      "io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/logLevel",
      "io.modelcontextprotocol/related-task",       "io.modelcontextprotocol/model-immediate-response"};
  each_meta(session, watch, [&](const Message&, const Json& meta) {
    if (!meta.is_object()) return;
    for (const auto& [key, value] : meta.get_object()) {
      const std::string_view text = key;
      const std::size_t slash = text.find('/');
      if (slash == std::string_view::npos || !is_reserved(text.substr(0, slash), session.revision().name)) continue;
      const bool defined = std::any_of(known.begin(), known.end(), [&](const char* it) { return text == it; }) ||
                           text.starts_with("io.modelcontextprotocol/tasks") ||
                           text.starts_with("io.modelcontextprotocol/ui");
      if (!defined) watch.violation("only keys the protocol defines under its prefix", std::string(text));
    }
  });
}

/// A domain under which many are registered.
bool is_top_level(std::string_view label) {
  constexpr std::array known{"com", "org", "dev", "io", "net"};
  return std::any_of(known.begin(), known.end(), [&](const char* it) { return label == it; });
}

/// com.example.io is the reverse of io.example.com.
void key_reverse_dns(const Session& session, Watch& watch) {
  each_meta(session, watch, [&](const Message&, const Json& meta) {
    if (!meta.is_object()) return;
    for (const auto& [key, value] : meta.get_object()) {
      const std::string_view text = key;
      const std::size_t slash = text.find('/');
      if (slash == std::string_view::npos) continue;
      const std::string_view prefix = text.substr(0, slash);
      const std::string_view first = prefix.substr(0, prefix.find('.'));
      const std::string_view last = prefix.substr(prefix.rfind('.') + 1);  // all of it where there is no dot
      if (first.size() < prefix.size() && is_top_level(last) && !is_top_level(first))
        watch.violation("a prefix in reverse order, com.example", std::string(text));
    }
  });
}

void meta_is_object(const Session& session, Watch& watch) {
  each_meta(session, watch, [&](const Message&, const Json& meta) {
    if (!meta.is_object()) watch.violation("_meta, an object", shown(meta));
  });
}

/// Schemes are the same in any case (RFC 3986, section 3.1).
bool has_scheme_of_icons(std::string_view uri) {
  std::string scheme(uri.substr(0, std::min(uri.find(':'), uri.size())));
  for (char& c : scheme) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return scheme.size() < uri.size() && (scheme == "https" || scheme == "http" || scheme == "data");
}

bool is_icon(const Json& icon) {
  const Json& sizes = get(icon, "sizes");
  const Json& theme = get(icon, "theme");
  return has_scheme_of_icons(text_of(get(icon, "src"))) &&
         (get(icon, "mimeType").is_null() || get(icon, "mimeType").is_string()) &&
         (sizes.is_null() || sizes.is_array()) &&
         (theme.is_null() || text_of(theme) == "light" || text_of(theme) == "dark");
}

void icons_shape(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    each_member(message.json, [&](std::string_view name, const Json& value) {
      if (name != "icons") return;
      ++watch.looked_at;
      const JsonArray* icons = value.if_array();
      if (icons == nullptr || !std::all_of(icons->begin(), icons->end(), is_icon))
        watch.violation("icons with a src (https: or data:), sizes and a theme", shown(value));
    });
  }
}

void implementation_shape(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    each_member(message.json, [&](std::string_view name, const Json& value) {
      if (name != "serverInfo" && name != "io.modelcontextprotocol/serverInfo") return;
      ++watch.looked_at;
      for (std::string_view member : {"name", "version", "title", "description", "websiteUrl"}) {
        const Json& text = get(value, member);
        const bool required = member == "name" || member == "version";
        if (!text.is_string() && (required || !text.is_null()))
          watch.violation("an implementation whose " + std::string(member) + " is a string", shown(value));
      }
      const Json& website = get(value, "websiteUrl");
      if (website.is_string() && !has_scheme(text_of(website)))
        watch.violation("a websiteUrl with a scheme, https://…", shown(value));
    });
  }
}

void title_string(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    each_member(message.json, [&](std::string_view name, const Json& value) {
      if (name != "title") return;
      ++watch.looked_at;
      if (!value.is_string()) watch.violation("a title that is a string", shown(value));
    });
  }
}

}  // namespace

std::span<const PassiveCheck> meta_passive_checks() {
  static constexpr PassiveCheck checks[] = {
      {"metakey-format", key_format},
      {"metakey-reserved", key_reserved},
      {"metakey-reverse-dns", key_reverse_dns},
      {"meta-is-object", meta_is_object},
      {"icons-shape", icons_shape},
      {"implementation-shape", implementation_shape},
      {"title-string", title_string},
  };
  return checks;
}

}  // namespace toolwire::conformance
