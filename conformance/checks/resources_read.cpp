// resources/read: contents, and what cannot be read.
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/resources.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_resources = 20;

Answer read(Probe& probe, std::string_view uri) {
  return probe.session().request_with_inputs("resources/read", {{"uri", uri}});
}

const JsonArray& contents_of(Probe& probe, const Answer& answer, std::string_view uri) {
  probe.expect_result(answer, "resources/read of " + std::string(uri));
  const JsonArray* contents = get(answer.result, "contents").if_array();
  if (contents == nullptr) probe.fail("an array \"contents\"", shown(answer.result));
  return *contents;
}

/// Calls `look` with the answer to reading each of the first resources that are listed, but those known to fail, or
/// to ask what a client of the revision cannot be asked.
template <class Look>
void each_listed(Probe& probe, Look look) {
  probe.need_capability("resources");
  std::size_t count = 0;
  const auto failing = probe.find("resource:failing");
  const auto asking = probe.since("2025-06-18") ? std::nullopt : probe.find("resource:needs-input");
  for (const Json& resource : probe.offer().resources) {
    const std::string uri(text_of(get(resource, "uri")));
    if (count == max_resources || (failing && failing->name == uri) || (asking && asking->name == uri)) continue;
    ++count;
    look(uri, read(probe, uri));
  }
  if (count == 0) probe.skip("the server lists no resource");
}

/// What can be read: that all of it can is judged by resources-read-works.
template <class Look>
void each_content(Probe& probe, Look look) {
  bool any = false;
  each_listed(probe, [&](const std::string& uri, const Answer& answer) {
    if (answer.is_error()) return;
    any = true;
    for (const Json& content : contents_of(probe, answer, uri)) look(uri, content);
  });
  if (!any) probe.skip("no resource can be read");
}

void read_works(Probe& probe) {
  each_listed(probe, [&](const std::string& uri, const Answer& answer) { contents_of(probe, answer, uri); });
}

void read_shape(Probe& probe) {
  std::string odd_type;
  each_content(probe, [&](const std::string&, const Json& content) {
    probe.expect(get(content, "uri").is_string(), "a string \"uri\"", shown(content));
    const JsonObject& members = content.as_object();
    probe.expect(members.contains("text") != members.contains("blob"), "either \"text\" or \"blob\"", shown(content));
    const Json& type = get(content, "mimeType");
    if (type.is_string() && !is_mime_type(text_of(type))) odd_type = shown(content);
  });
  if (!odd_type.empty()) probe.warn("a MIME type, as text/plain", odd_type);
}

void read_text(Probe& probe) {
  const Fixture fixture = probe.need("resource:text");
  const Answer answer = read(probe, fixture.name);
  const JsonArray& contents = contents_of(probe, answer, fixture.name);
  probe.expect(!contents.empty() && get(contents.front(), "text").is_string(), "a string \"text\"",
               shown(answer.result));
}

/// How many bytes it stands for.
std::size_t bytes_of_base64(std::string_view text) {
  return text.size() / 4 * 3 - static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
}

/// What changes from one read to the next may have had the listed size when it was listed.
void read_blob(Probe& probe) {
  const Fixture fixture = probe.need("resource:binary");
  const Answer answer = read(probe, fixture.name);
  const JsonArray& contents = contents_of(probe, answer, fixture.name);
  probe.expect(!contents.empty(), "contents", shown(answer.result));
  const std::string_view blob = text_of(get(contents.front(), "blob"));
  probe.expect(!blob.empty() && is_base64(blob), "a \"blob\" in base64 with padding", shown(contents.front()));
  const Json& size = get(*probe.offer().resource(fixture.name), "size");
  if (!size.is_int64() || bytes_of_base64(blob) == static_cast<std::size_t>(size.get_int64())) return;
  if (read(probe, fixture.name).result != answer.result) return;
  probe.fail("as many bytes as its listed size, " + shown(size), std::to_string(bytes_of_base64(blob)));
}

/// A directory may be read as what is in it.
bool is_below(std::string_view uri, std::string_view folder) {
  return uri.starts_with(folder) && (folder.ends_with('/') || uri.substr(folder.size()).starts_with('/'));
}

void read_uri_match(Probe& probe) {
  const auto judge = [&](const std::string& uri, const Json& content) {
    const std::string_view given = text_of(get(content, "uri"));
    probe.expect(given == uri || is_below(given, uri), "the URI that was asked for, " + uri,
                 shown(get(content, "uri")));
  };
  each_content(probe, judge);
  const auto instance = probe.find("resource:template");
  if (!instance) return;
  const Answer answer = read(probe, instance->name);
  for (const Json& content : contents_of(probe, answer, instance->name)) judge(instance->name, content);
}

void read_template(Probe& probe) {
  const Fixture fixture = probe.need("resource:template");
  const Answer answer = read(probe, fixture.name);
  probe.expect(!contents_of(probe, answer, fixture.name).empty(), "contents of " + fixture.name, shown(answer.result));
}

std::string missing_uri(const Probe& probe) {
  const JsonArray& resources = probe.offer().resources;
  const std::string_view known = resources.empty() ? "conformance:" : text_of(get(resources.front(), "uri"));
  return std::string(known.substr(0, known.find(':'))) + "://conformance-nothing-here/at-all";
}

Answer read_missing(Probe& probe) {
  probe.need_capability("resources");
  const Answer answer = read(probe, missing_uri(probe));
  return probe.expect_answer(answer, "resources/read of something missing");
}

void not_found_legacy_code(Probe& probe) {
  probe.expect_error(read_missing(probe), {error_code::resource_not_found}, "resources/read of something missing");
}

void not_found_modern_code(Probe& probe) {
  const Answer answer = read_missing(probe);
  probe.expect(answer.code() == error_code::invalid_params, "error -32602", answer.text());
}

void no_empty_contents(Probe& probe) {
  const Answer answer = read_missing(probe);
  const JsonArray* contents = get(answer.result, "contents").if_array();
  probe.expect(contents == nullptr || !contents->empty(), "an error, no empty contents", shown(answer.result));
}

void not_found_data_uri(Probe& probe) {
  const Answer answer = read_missing(probe);
  if (get(answer.result, "data", "uri") != Json(missing_uri(probe)))
    probe.info("the error does not name the URI in data.uri");
}

void invalid_uri(Probe& probe) {
  probe.need_capability("resources");
  for (const std::string& uri :
       {std::string(), std::string("not a uri"), std::string("file:///") + std::string(65'536, 'a'),
        std::string("test://nul\0byte", 15)}) {
    const Answer answer = read(probe, uri);
    probe.expect_answer(answer, "resources/read of a malformed URI");
    probe.expect(answer.is_error(), "an error to resources/read of \"" + uri.substr(0, 40) + "\"", answer.text());
  }
  probe.expect_alive(probe.session());
}

/// A file every machine has, whose content reveals an escape from the root.
void traversal(Probe& probe) {
  probe.need_capability("resources");
  const bool has_files = std::any_of(probe.offer().resources.begin(), probe.offer().resources.end(),
                                     [](const Json& it) { return text_of(get(it, "uri")).starts_with("file:"); });
  if (!has_files && probe.offer().templates.empty()) probe.skip("the server has neither files nor templates");
  std::vector<std::string> uris{"file:///workspace/../../../../../../etc/passwd",
                                "file:///%2e%2e/%2e%2e/%2e%2e/etc/passwd", "file:///..\\..\\..\\etc\\passwd"};
  for (const Json& it : probe.offer().templates) {
    const std::string text(text_of(get(it, "uriTemplate")));
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}');
    if (open == std::string::npos || close == std::string::npos) continue;
    for (const char* path : {"../../../../../../etc/passwd", "%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd"})
      uris.push_back(text.substr(0, open) + path + text.substr(close + 1));
  }
  for (const std::string& uri : uris) {
    const Answer answer = read(probe, uri);
    probe.expect_answer(answer, "resources/read of " + uri);
    if (to_json_text(answer.result).find("root:x:0:0") != std::string::npos)
      probe.broken("an error to " + uri, "the contents of /etc/passwd");
  }
}

void internal_failure(Probe& probe) {
  const Fixture fixture = probe.need("resource:failing");
  probe.expect_error(read(probe, fixture.name), {error_code::internal_error},
                     "resources/read of a resource that fails");
}

}  // namespace

std::span<const Check> resources_read_checks() {
  static constexpr Check checks[] = {
      {"resources-read-works", read_works},
      {"resources-read-shape", read_shape},
      {"resources-read-text", read_text},
      {"resources-read-blob", read_blob},
      {"resources-read-uri-match", read_uri_match},
      {"resources-read-template", read_template},
      {"resources-not-found-legacy", not_found_legacy_code},
      {"resources-not-found-modern", not_found_modern_code},
      {"resources-no-empty-contents", no_empty_contents},
      {"resources-not-found-data-uri", not_found_data_uri},
      {"resources-invalid-uri", invalid_uri},
      {"resources-traversal", traversal},
      {"resources-traversal-legacy", traversal},
      {"resources-internal-error", internal_failure},
      {"resources-internal-error-legacy", internal_failure},
  };
  return checks;
}

}  // namespace toolwire::conformance
