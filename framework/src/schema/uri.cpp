#include "schema/uri.hpp"

#include <algorithm>

namespace toolwire::schema {
namespace {

struct Parts {
  std::string_view scheme, authority, path, query;
  bool has_authority = false, has_query = false;
};

bool is_scheme(std::string_view text) {
  if (text.empty() || !((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z')) return false;
  for (const char c : text) {
    const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    if (!letter && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') return false;
  }
  return true;
}

Parts parse(std::string_view uri) {
  Parts parts;
  if (const auto colon = uri.find_first_of(":/?");
      colon != uri.npos && uri[colon] == ':' && is_scheme(uri.substr(0, colon))) {
    parts.scheme = uri.substr(0, colon);
    uri.remove_prefix(colon + 1);
  }
  if (uri.starts_with("//")) {
    parts.has_authority = true;
    const auto end = std::min(uri.find_first_of("/?", 2), uri.size());
    parts.authority = uri.substr(2, end - 2);
    uri.remove_prefix(end);
  }
  if (const auto mark = uri.find('?'); mark != uri.npos) {
    parts.has_query = true;
    parts.query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  parts.path = uri;
  return parts;
}

std::string without_dots(std::string_view path) {
  std::string out;
  const bool rooted = path.starts_with('/');
  while (!path.empty()) {
    const auto end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(end);
    const bool last = path.empty();
    if (segment == "/." || segment == ".") {
      if (last && rooted) out += '/';
    } else if (segment == "/.." || segment == "..") {
      out.erase(out.rfind('/') == out.npos ? 0 : out.rfind('/'));
      if (last && rooted) out += '/';
    } else {
      out += segment;
    }
  }
  return out;
}

std::string merged_path(const Parts& base, std::string_view path) {
  if (base.has_authority && base.path.empty()) return "/" + std::string(path);
  const auto slash = base.path.rfind('/');
  return std::string(base.path.substr(0, slash == base.path.npos ? 0 : slash + 1)) + std::string(path);
}

std::string joined(const Parts& parts, const std::string& path) {
  std::string out;
  if (!parts.scheme.empty()) out.append(parts.scheme).append(":");
  if (parts.has_authority) out.append("//").append(parts.authority);
  out += path;
  if (parts.has_query) out.append("?").append(parts.query);
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

SplitUri split_fragment(std::string_view uri) {
  const auto hash = uri.find('#');
  if (hash == uri.npos) return {uri, {}};
  return {uri.substr(0, hash), uri.substr(hash + 1)};
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
  const auto [target, fragment] = split_fragment(reference);
  const std::string tail = target.size() == reference.size() ? std::string() : "#" + std::string(fragment);
  const Parts from = parse(split_fragment(base).uri);
  Parts to = parse(target);
  if (!to.scheme.empty()) return joined(to, without_dots(to.path)) + tail;
  to.scheme = from.scheme;
  if (to.has_authority) return joined(to, without_dots(to.path)) + tail;
  to.has_authority = from.has_authority;
  to.authority = from.authority;
  if (!to.path.empty()) {
    const bool rooted = to.path.starts_with('/');
    return joined(to, without_dots(rooted ? std::string(to.path) : merged_path(from, to.path))) + tail;
  }
  if (!to.has_query) {
    to.has_query = from.has_query;
    to.query = from.query;
  }
  return joined(to, std::string(from.path)) + tail;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[at + 1]);
    const int low = hex_digit(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

void append_pointer(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

std::optional<std::string> unescaped_token(std::string_view token) {
  std::string out;
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (token[at] != '~') {
      out += token[at];
      continue;
    }
    if (++at == token.size() || (token[at] != '0' && token[at] != '1')) return std::nullopt;
    out += token[at] == '0' ? '~' : '/';
  }
  return out;
}

}  // namespace toolwire::schema
