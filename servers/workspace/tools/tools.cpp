#include "workspace/tools/tools.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "workspace/tools/read_tools.hpp"
#include "workspace/tools/search_tools.hpp"
#include "workspace/tools/write_tools.hpp"

namespace workspace {

std::string instructions(const Roots& roots, const ToolChoice& choice) {
  if (const std::string problem = roots.problem(); !problem.empty())
    return "No tool of this server can work now: " + problem + '.';
  std::string text = "Files below " + roots.text() +
                     (choice.write ? "" : ", for reading only (the server was started without --write)") +
                     ". Find text with search_text, read around a match with read_file, look around with list_files. ";
  if (choice.write) {
    text +=
        "Change files with edit_file (dryRun shows the difference first), many at once with replace_text; every change "
        "says how to undo it, and what "
        "was replaced or deleted is in .workspace-trash. ";
  }
  return text + (roots.has_names() ? "Paths begin with the name of a root; nothing outside the roots can be reached."
                                   : "Paths are relative to that root; nothing outside it can be reached.");
}

void add_tools(toolwire::Server& server, const Roots& roots, const ToolChoice& choice) {
  using Maker = toolwire::Tool (*)(const Roots&);
  struct Known {
    std::string_view name;
    Maker make;
    bool writes;
  };
  static constexpr Known known[] = {{"read_file", read_file_tool, false},
                                    {"read_files", read_files_tool, false},
                                    {"list_files", list_files_tool, false},
                                    {"find_files", find_files_tool, false},
                                    {"search_text", search_text_tool, false},
                                    {"file_info", file_info_tool, false},
                                    {"write_file", write_file_tool, true},
                                    {"edit_file", edit_file_tool, true},
                                    {"replace_text", replace_text_tool, true},
                                    {"move", move_tool, true},
                                    {"delete", delete_tool, true}};
  for (const std::string& name : choice.only) {
    const auto* const found =
        std::find_if(std::begin(known), std::end(known), [&](const Known& k) { return k.name == name; });
    if (found == std::end(known)) throw std::invalid_argument("there is no tool \"" + name + "\"");
    if (found->writes && !choice.write) throw std::invalid_argument("the tool \"" + name + "\" needs --write");
  }
  for (const Known& one : known) {
    const bool wanted =
        choice.only.empty() || std::find(choice.only.begin(), choice.only.end(), one.name) != choice.only.end();
    if (wanted && (choice.write || !one.writes)) server.add(one.make(roots));
  }
}

}  // namespace workspace
