// Reads the #includes of this repository and holds them against the layers: an include points to a lower rank only, and
// neighbours on one rank are blind to each other. A new public header or a new folder of framework/src takes its place
// in the table `parts`.
#define BOOST_TEST_MODULE layering_test
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file = 300;

struct Part {
  std::string_view name;     // a folder of framework/src, a header of include/toolwire (without .hpp), or both
  int rank;                  // see "Layers" in framework/README.md
  std::string_view sibling;  // parts of one rank see each other only within one of these …
  int order;                 // … and there only downwards
};

// clang-format off: one part a line
constexpr std::array parts{
    Part{"limits", 0, "limits", 0},
    Part{"error_code", 0, "error_code", 0},
    Part{"json", 0, "json", 0},
    Part{"jsonrpc", 1, "jsonrpc", 0},
    Part{"transport", 1, "transport", 0},
    Part{"log_line", 1, "transport", 1},
    Part{"child_process", 1, "transport", 1},
    Part{"process", 1, "transport", 2},
    Part{"error", 2, "vocabulary", 0},
    Part{"names", 2, "vocabulary", 1},
    Part{"describe", 2, "vocabulary", 2},
    Part{"violations", 2, "vocabulary", 3},
    Part{"shape", 2, "vocabulary", 4},
    Part{"shape_of", 2, "vocabulary", 5},
    Part{"convert", 2, "vocabulary", 6},
    Part{"schema_of", 2, "vocabulary", 7},
    Part{"schema", 2, "vocabulary", 7},
    Part{"log_level", 2, "vocabulary", 7},
    Part{"stop_signal", 2, "vocabulary", 7},
    Part{"prompt_argument", 2, "vocabulary", 7},
    Part{"trace_context", 2, "vocabulary", 7},
    Part{"vocabulary", 2, "vocabulary", 8},
    Part{"texts", 2, "vocabulary", 9},
    Part{"completion", 2, "vocabulary", 9},
    Part{"output_budget", 2, "vocabulary", 9},
    Part{"rate_window", 2, "vocabulary", 9},
    Part{"result", 2, "vocabulary", 9},
    Part{"ask", 2, "vocabulary", 10},
    Part{"reply", 2, "vocabulary", 10},
    Part{"result_checks", 2, "vocabulary", 10},
    Part{"context", 2, "vocabulary", 11},
    Part{"task_store", 2, "vocabulary", 12},
    Part{"tool", 2, "vocabulary", 12},
    Part{"prompt", 2, "vocabulary", 13},
    Part{"middleware", 2, "vocabulary", 13},
    Part{"resource", 2, "vocabulary", 13},
    Part{"server_options", 2, "vocabulary", 14},
    Part{"runtime", 3, "runtime", 0},
    Part{"features", 3, "features", 0},
    Part{"protocol", 4, "protocol", 0},
    Part{"redact", 5, "server", 0},
    Part{"command_line", 5, "server", 1},
    Part{"server", 5, "server", 2},
    Part{"client_options", 5, "client", 0},
    Part{"client", 5, "client", 1},
    Part{"client_resources", 5, "client", 2},
    Part{"testing", 6, "testing", 0},
};
// clang-format on

const Part* part_named(std::string_view name) {
  const auto* const found = std::ranges::find(parts, name, &Part::name);
  return found == parts.end() ? nullptr : found;
}

bool higher(const Part& left, const Part& right) {
  return left.rank != right.rank ? left.rank > right.rank : left.sibling == right.sibling && left.order > right.order;
}

bool may_include(const Part& from, const Part& to) {
  const bool carries_bytes_only = from.sibling == "transport";
  if (carries_bytes_only && to.name == "json") return false;
  return from.name == to.name || higher(from, to);
}

/// The part a file belongs to, `path` being relative to framework/. A source named after a public header that stands
/// higher than the source's folder stands with the header.
const Part* part_of(const fs::path& path) {
  const Part* const by_name = part_named(path.stem().string());
  if (path.string().starts_with("include/")) return by_name;
  auto step = path.begin();
  const Part* const by_folder = part_named((++step)->string());
  if (by_folder == nullptr || by_name == nullptr || path.extension() != ".cpp") return by_folder;
  return higher(*by_name, *by_folder) ? by_name : by_folder;
}

struct Source {
  fs::path path;  // relative to the folder that was read
  std::vector<std::string> lines;
};

Source read_source(const fs::path& file, const fs::path& root) {
  Source source{fs::relative(file, root), {}};
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) source.lines.push_back(line);
  return source;
}

bool is_code(const fs::path& path) { return path.extension() == ".hpp" || path.extension() == ".cpp"; }

/// Folders that tools make and that are never committed.
bool is_installed(const fs::path& folder) {
  const auto name = folder.filename();
  return name == "node_modules" || name == "dist" || name == "__pycache__";
}

std::vector<Source> sources_below(const fs::path& root) {
  std::vector<Source> sources;
  if (!fs::exists(root)) return sources;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && is_code(entry.path())) sources.push_back(read_source(entry.path(), root));
  }
  return sources;
}

/// What stands between the quotes or angle brackets of an include directive.
std::optional<std::string> included_name(std::string_view line) {
  const auto hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return std::nullopt;
  const auto word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string_view::npos || !line.substr(word).starts_with("include")) return std::nullopt;
  const auto open = line.find_first_of("\"<", word);
  const auto close = open == std::string_view::npos ? open : line.find_first_of("\">", open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(open + 1, close - open - 1));
}

std::vector<std::string> includes_of(const Source& source) {
  std::vector<std::string> names;
  for (const std::string& line : source.lines) {
    if (auto name = included_name(line)) names.push_back(*name);
  }
  return names;
}

const fs::path repository{TOOLWIRE_SOURCE_DIR};
const fs::path framework = repository / "framework";

/// The included file relative to framework/, or nothing for a header of another library.
std::optional<fs::path> own_file(const Source& from, const std::string& name) {
  for (const fs::path& candidate :
       {fs::path("include") / name, fs::path("src") / name, from.path.parent_path() / name}) {
    if (fs::is_regular_file(framework / candidate)) return candidate.lexically_normal();
  }
  return std::nullopt;
}

bool names_library(const std::string& include, std::string_view library) {
  return include.starts_with(library) &&
         (include.size() == library.size() || include[library.size()] == '/' || include[library.size()] == '.');
}

void check_include(const Source& from, const std::string& name) {
  const bool is_public = from.path.string().starts_with("include/");
  const auto target = own_file(from, name);
  if (!target) return;
  BOOST_TEST_CONTEXT(from.path.string() << " includes " << name) {
    BOOST_CHECK_MESSAGE(!is_public || target->string().starts_with("include/"),
                        "a public header includes a private one");
    const Part* const low = part_of(*target);
    const Part* const high = part_of(from.path);
    BOOST_CHECK_MESSAGE(low && high, "one of the two has no place in the table of layering_test.cpp");
    if (low == nullptr || high == nullptr) return;
    BOOST_CHECK_MESSAGE(may_include(*high, *low), high->name << " may not see " << low->name);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_rules_allow_downwards_and_refuse_upwards_and_sideways) {
  const auto allowed = [](std::string_view from, std::string_view to) {
    return may_include(*part_named(from), *part_named(to));
  };
  BOOST_TEST(allowed("protocol", "runtime"));
  BOOST_TEST(allowed("json", "json"));
  BOOST_TEST(allowed("tool", "describe"));
  BOOST_TEST(!allowed("describe", "tool"));
  BOOST_TEST(!allowed("runtime", "features"));
  BOOST_TEST(!allowed("jsonrpc", "transport"));
  BOOST_TEST(!allowed("transport", "json"));
  BOOST_TEST(!allowed("json", "server"));
}

BOOST_AUTO_TEST_CASE(an_include_is_read_in_both_spellings_and_nothing_else_is) {
  BOOST_TEST(included_name("#include \"json/parse.hpp\"").value() == "json/parse.hpp");
  BOOST_TEST(included_name("  #  include <fmt/format.h>  // text").value() == "fmt/format.h");
  BOOST_TEST(!included_name("// #include <fmt/format.h>").has_value());
  BOOST_TEST(!included_name("#pragma once").has_value());
}

BOOST_AUTO_TEST_CASE(every_file_of_the_framework_has_a_place) {
  const auto sources = sources_below(framework);
  BOOST_TEST_REQUIRE(!sources.empty());
  for (const Source& source : sources) {
    if (!source.path.string().starts_with("include/") && !source.path.string().starts_with("src/")) continue;
    BOOST_CHECK_MESSAGE(part_of(source.path), source.path.string()
                                                  << " has no place in the table of layering_test.cpp");
  }
}

BOOST_AUTO_TEST_CASE(an_include_points_to_a_lower_rank_only) {
  for (const Source& source : sources_below(framework)) {
    const std::string path = source.path.string();
    if (path.starts_with("tools/") || path.starts_with("sqlite/")) continue;  // beside the layers, as programs are
    for (const std::string& name : includes_of(source)) check_include(source, name);
  }
}

BOOST_AUTO_TEST_CASE(only_the_lowest_rank_names_the_json_library) {
  for (const Source& source : sources_below(framework)) {
    const std::string path = source.path.string();
    if (path == "include/toolwire/json.hpp" || path.starts_with("src/json/")) continue;
    for (const std::string& name : includes_of(source)) {
      BOOST_CHECK_MESSAGE(!name.starts_with("boost/json"), path << " includes " << name << ", use toolwire/json.hpp");
    }
  }
}

BOOST_AUTO_TEST_CASE(public_headers_carry_no_private_library) {
  for (const Source& source : sources_below(framework / "include")) {
    for (const std::string& name : includes_of(source)) {
      const bool is_private = names_library(name, "fmt") || names_library(name, "re2") || names_library(name, "sodium");
      BOOST_CHECK_MESSAGE(!is_private, source.path.string() << " includes " << name);
    }
  }
}

BOOST_AUTO_TEST_CASE(no_file_is_longer_than_it_should_be) {
  for (const char* const folder : {"framework", "bridge"}) {
    if (!fs::exists(repository / folder)) continue;  // a part can be deleted
    for (auto entry = fs::recursive_directory_iterator(repository / folder); entry != fs::end(entry); ++entry) {
      if (is_installed(entry->path())) entry.disable_recursion_pending();
      if (!entry->is_regular_file()) continue;
      const Source source = read_source(entry->path(), repository);
      BOOST_CHECK_MESSAGE(source.lines.size() <= max_file,
                          source.path.string() << " has " << source.lines.size() << " lines, allowed are " << max_file);
    }
  }
}

BOOST_AUTO_TEST_CASE(programs_use_public_headers_only) {
  for (const char* const folder : {"bridge", "conformance", "servers", "framework/sqlite"}) {
    for (const Source& source : sources_below(repository / folder)) {
      const fs::path beside = repository / folder / source.path.parent_path();
      for (const std::string& name : includes_of(source)) {
        const bool own = fs::exists(beside / name) || fs::exists(repository / folder / name);
        const bool reaches_in = name.find("framework/") != std::string::npos;
        const bool is_private = !own && fs::is_regular_file(framework / "src" / name);
        BOOST_CHECK_MESSAGE(!reaches_in && !is_private, folder << "/" << source.path.string() << " includes " << name);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(programs_know_the_framework_and_themselves_and_not_each_other) {
  for (const char* const folder : {"bridge", "conformance"}) {
    for (const Source& source : sources_below(repository / folder)) {
      for (const std::string& name : includes_of(source)) {
        if (name.find("..") == std::string::npos && !name.starts_with("toolwire/")) continue;
        const bool known = fs::is_regular_file(framework / "include" / name) ||
                           fs::is_regular_file(repository / folder / "include" / name);
        BOOST_CHECK_MESSAGE(known, folder << "/" << source.path.string() << " includes " << name);
      }
    }
  }
}
