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

void remove_below(const Root& root, const std::string& start) {
  walk(root, start, {.entries = max_entries, .secrets = Secrets::shown}, {}, [&](const Entry& entry) {
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
    if (!root->problem().empty() || root->is_read_only()) continue;
    // A walk does not enter the trash, into which what is replaced may have to be copied.
    for (const std::string_view start : {std::string_view("."), trash_folder}) {
      try {
        remove_below(*root, std::string(start));
      } catch (const toolwire::ToolError&) {
        continue;  // it is not there, or cannot be listed, which every call will say
      }
    }
  }
}

}  // namespace workspace
