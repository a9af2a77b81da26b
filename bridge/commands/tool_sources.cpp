#include "commands/tool_sources.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>

#include "commands/fits_together.hpp"
#include "configuration/configuration.hpp"
#include "manifest/file_text.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The index in "/tools/3/parameters", or nothing for a problem elsewhere.
std::optional<std::size_t> tool_index(std::string_view pointer) {
  constexpr std::string_view tools = "/tools/";
  if (!pointer.starts_with(tools)) return std::nullopt;
  std::size_t index = 0;
  const char* const end = pointer.data() + pointer.size();
  const auto [stop, error] = std::from_chars(pointer.data() + tools.size(), end, index);
  return error == std::errc() && (stop == end || *stop == '/') ? std::optional(index) : std::nullopt;
}

/// The document of a manifest, or nothing if the text is something else.
std::optional<Json> manifest_document(const std::string& text) {
  try {
    Json document = parse_json(text);
    if (document.is_object() && document.get_object().contains("tools")) return document;
  } catch (const JsonError&) {  // reported when it is read for use
  }
  return std::nullopt;
}

/// The manifest without the tools its problems are about; nothing if they are not about tools alone.
std::optional<Manifest> without_wrong_tools(Json document, const std::vector<ManifestProblem>& problems,
                                            const std::string& file) {
  std::set<std::size_t, std::greater<>> wrong;
  for (const ManifestProblem& problem : problems) {
    const auto index = tool_index(problem.pointer);
    if (!index) return std::nullopt;
    wrong.insert(*index);
  }
  JsonArray* const tools = document.get_object().at("tools").if_array();
  if (tools == nullptr) return std::nullopt;
  for (const std::size_t index : wrong) {
    if (index < tools->size()) tools->erase(tools->begin() + static_cast<std::ptrdiff_t>(index));
  }
  return read_manifest(to_json_text(document), file).manifest;
}

/// The names of all tools of a manifest, wrong ones too.
std::vector<std::string> names_in(const Json& document) {
  std::vector<std::string> names;
  const JsonArray* const tools = array_member(document.get_object(), "tools");
  if (tools == nullptr) return names;
  for (const Json& tool : *tools) {
    if (const JsonObject* const members = tool.if_object()) names.push_back(text_or(*members, "name"));
  }
  return names;
}

/// What would be taken for a schema, with problems that mislead.
void refuse_other_kinds(const std::string& file) {
  const DocumentKind kind = kind_of_file(file);
  if (kind == DocumentKind::configuration || kind == DocumentKind::bindings)
    throw std::invalid_argument(file + ": is " + std::string(description_of(kind)) +
                                "; expected a tool manifest or tool schemas here");
}

ToolFiles files_of(Manifest manifest) {
  ToolFiles files{.tools = std::exchange(manifest.tools, {}), .categories = manifest.categories};
  files.manifests.push_back(std::move(manifest));
  return files;
}

}  // namespace

ToolSources::ToolSources(std::vector<std::string> paths, std::string bindings, std::string profile)
    : paths_(std::move(paths)), bindings_(std::move(bindings)), profile_(std::move(profile)) {}

LoadedSources ToolSources::load(const Problem& problem) {
  LoadedSources loaded;
  const Usable before = usable_;
  for (const std::string& file : files(loaded, problem)) {
    ToolSource source{.file = file};
    read_tools(source, loaded, problem);
    if (const std::string beside = bindings_path_of(file); exists(beside))
      source.bindings = read_bindings(beside, loaded, problem);
    loaded.sources.push_back(std::move(source));
  }
  if (given_) loaded.bindings = *given_;
  if (!bindings_.empty()) loaded.bindings = read_bindings(bindings_, loaded, problem);
  loaded.fits = fit_together(loaded, problem);
  if (!loaded.fits) usable_ = before;
  loaded_ = true;
  return loaded;
}

std::vector<std::string> ToolSources::watched() const {
  std::vector<std::string> watched = paths_;
  std::error_code ignored;
  for (const std::string& path : paths_) {
    if (!fs::is_directory(path, ignored)) watched.push_back(bindings_path_of(path));
  }
  if (!bindings_.empty()) watched.push_back(bindings_);
  return watched;
}

std::vector<std::string> ToolSources::files(LoadedSources& into, const Problem& problem) const {
  std::vector<std::string> files;
  for (const std::string& path : paths_) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    const std::size_t first = files.size();
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().string();
      if (name.ends_with(".json") && !name.ends_with(".bindings.json")) files.push_back(name);
    }
    if (error) {
      problem(path + ": cannot be read: " + error.message());
      into.whole = false;
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

void ToolSources::read_tools(ToolSource& source, LoadedSources& into, const Problem& problem) {
  ToolFiles& kept = usable_.tools[source.file];
  const std::string text = text_of_file(source.file).value_or("");
  auto document = manifest_document(text);
  if (!document && !only_manifests_) {
    try {
      refuse_other_kinds(source.file);
      kept = read_tool_files({source.file});
    } catch (const std::invalid_argument& error) {
      problem(error.what());
      into.whole = false;
    }
    source.tools = kept;
    return;
  }
  ManifestReading reading = read_manifest(text, source.file);
  for (const ManifestProblem& found : reading.problems) problem(found.message());
  if (!reading.manifest) {
    if (document) source.left_out = names_in(*document);
    if (document && !loaded_)
      reading.manifest = without_wrong_tools(std::move(*document), reading.problems, source.file);
  }
  if (reading.manifest) {
    kept = files_of(std::move(*reading.manifest));
  } else {
    into.whole = false;
  }
  source.tools = kept;
}

Bindings ToolSources::read_bindings(const std::string& file, LoadedSources& into, const Problem& problem) {
  BindingsReading reading = read_bindings_file(file, profile_);
  for (const ManifestProblem& found : reading.problems) problem(found.message());
  Bindings& kept = usable_.bindings[file];
  if (reading.bindings) {
    kept = std::move(*reading.bindings);
  } else {
    into.whole = false;
  }
  return kept;
}

}  // namespace toolwire::bridge
