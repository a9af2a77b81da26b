// The tools that change files, registered only if the server may write.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <toolwire/tool.hpp>

#include "toolwire/detail/mutex.hpp"
#include "workspace/changes/change_history.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// `roots` must outlive the tools.
toolwire::Tool write_file_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history);
toolwire::Tool edit_file_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history);
toolwire::Tool replace_text_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history);
toolwire::Tool create_directory_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history);
toolwire::Tool move_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history);
toolwire::Tool delete_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history);
toolwire::Tool undo_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history);

/// One change at a time in the whole process: otherwise two edits of one file could both start from the old content.
toolwire::Mutex& turn_to_change();

/// The diff within the budget of an answer; sets `is_cut` if that is not all of it.
std::string bounded_diff(std::string_view diff, bool& is_cut);

}  // namespace workspace
