#include "workspace/system/leftovers.hpp"

#include <fcntl.h>

#include <string>
#include <toolwire/error.hpp>
#include <toolwire/system/new_file.hpp>

#include "workspace/system/place.hpp"
#include "workspace/system/walk.hpp"

namespace workspace {
namespace {

constexpr std::size_t max_entries = 20'000;  // so that no host waits for the start

void remove_in(const Root& root) {
  walk(root, ".", {.entries = max_entries, .secrets = Secrets::shown}, {}, [&](const Entry& entry) {
    const std::string_view name = last_part(entry.path);
    if (!toolwire::system::is_draft_name(name)) return Step::proceed;
    const std::string folder =
        name.size() == entry.path.size() ? "." : entry.path.substr(0, entry.path.size() - name.size());
    const Opened opened = root.try_open(folder, O_RDONLY | O_DIRECTORY, LastLink::refuse);
    if (opened.descriptor.is_open()) toolwire::system::remove_old_drafts(opened.descriptor.get());
    return Step::proceed;
  });
}

}  // namespace

void remove_leftovers(const Roots& roots) {
  for (const Root* root : roots.all()) {
    try {
      if (root->problem().empty()) remove_in(*root);
    } catch (const toolwire::ToolError&) {
      continue;  // it cannot be listed, which every call will say
    }
  }
}

}  // namespace workspace
