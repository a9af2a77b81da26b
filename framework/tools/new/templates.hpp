// The projects that `toolwire new` writes: their files, compiled in from tools/templates.
#pragma once

#include <span>
#include <string_view>

namespace toolwire::projects {

/// {{NAME}} stands for the project's name, in names and in texts.
struct TemplateFile {
  std::string_view kind;  ///< Of project, or "common": of each kind that has no file of that name.
  std::string_view name, text;
};

std::span<const TemplateFile> template_files();

}  // namespace toolwire::projects
