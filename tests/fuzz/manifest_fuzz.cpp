// Any text as a manifest is read or refused; one that is read can be written again member by member, also through the
// list of a server.
#include <toolwire/bridge/manifest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void check_round_trip(const Manifest& manifest) {
  const std::string text = to_manifest_text(manifest);
  const ManifestReading again = read_manifest(text, "again");
  require(again.manifest.has_value(), "what is written can be read");
  require(to_manifest_text(*again.manifest) == text, "writing what was read changes nothing");
}

/// The text as what a server lists.
void check_list(const Json& document) {
  const JsonObject* const object = document.if_object();
  if (object == nullptr) return;
  ServedList list{.name = "server", .version = "1"};
  const Json* const tools = object->if_contains("tools");
  if (tools != nullptr && tools->is_array()) list.tools = tools->get_array();
  list.meta = *object;
  (void)to_manifest_text(manifest_from_server(list));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const ManifestReading reading = read_manifest(text, "fuzz");
  require(reading.manifest.has_value() == reading.problems.empty(), "a manifest exactly if there are no problems");
  if (reading.manifest) check_round_trip(*reading.manifest);
  try {
    check_list(parse_json(text));
  } catch (const JsonError&) {
  }
  return 0;
}
