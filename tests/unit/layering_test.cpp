// Reads the #includes of this repository and holds them against the layers: an include points to a lower rank only, and
// neighbours on one rank are blind to each other. A new public header or a new folder of framework/src takes its place
// in the table `parts`, a new folder of another part in its list of rooms.
#define BOOST_TEST_MODULE layering_test
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"
#include "source_files.hpp"

namespace {

namespace fs = std::filesystem;
using namespace toolwire::test;

struct Part {
  std::string_view name;     // a folder of framework/src, a header of include/toolwire (without .hpp), or both
  int rank;                  // see "Layers" in framework/README.md
  std::string_view sibling;  // parts of one rank see each other only within one of these …
  int order;                 // … and there only downwards
};

// clang-format off: one part a line
constexpr std::array parts{
    Part{"log_level", 0, "json", -1},
    Part{"text", 0, "json", 0},
    Part{"limits", 0, "limits", 0},
    Part{"error_code", 0, "error_code", 0},
    Part{"what_of", 0, "what_of", 0},
    Part{"mutex", 0, "locks", 0},
    Part{"shared_mutex", 0, "locks", 1},
    Part{"condition_variable", 0, "locks", 1},
    Part{"json", 0, "json", 1},
    Part{"json_members", 0, "json", 2},
    Part{"system", 0, "json", 0},
    Part{"jsonrpc", 1, "jsonrpc", 0},
    Part{"transport", 1, "transport", 0},
    Part{"log", 1, "transport", 2},
    Part{"child_process", 1, "transport", 1},
    Part{"process", 1, "transport", 2},
    Part{"error", 2, "types", 0},
    Part{"names", 2, "types", 1},
    Part{"signature", 2, "types", 0},
    Part{"described_member", 2, "types", 1},
    Part{"describe", 2, "types", 2},
    Part{"violations", 2, "types", 3},
    Part{"type_table", 2, "types", 4},
    Part{"standard_codecs", 2, "types", 4},
    Part{"recursion", 2, "types", 4},
    Part{"type_table_of", 2, "types", 5},
    Part{"conversion", 2, "types", 6},
    Part{"convert", 2, "types", 7},
    Part{"schema", 2, "types", 7},
    Part{"unknown_keywords", 2, "types", 8},
    Part{"stop_signal", 2, "types", 7},
    Part{"prompt_argument", 2, "types", 7},
    Part{"trace_context", 2, "types", 7},
    Part{"tracer", 2, "types", 8},
    Part{"client_log", 2, "types", 8},
    Part{"session_owner", 2, "types", 8},
    Part{"types", 2, "types", 8},
    Part{"texts", 2, "types", 9},
    Part{"completion", 2, "types", 9},
    Part{"output_budget", 2, "types", 9},
    Part{"rate_window", 2, "types", 9},
    Part{"turn", 2, "types", 9},
    Part{"call_clock", 2, "types", 9},
    Part{"asking", 2, "types", 11},
    Part{"back_off", 2, "types", 9},
    Part{"later_call", 2, "types", 9},
    Part{"later_result", 2, "types", 9},
    Part{"async_call", 2, "types", 13},
    Part{"async", 2, "types", 14},
    Part{"stores", 2, "types", 10},
    Part{"result", 2, "types", 9},
    Part{"ask", 2, "types", 10},
    Part{"prompt_arguments_of", 2, "types", 10},
    Part{"reply_traits", 2, "types", 10},
    Part{"reply", 2, "types", 11},
    Part{"result_checks", 2, "types", 10},
    Part{"context", 2, "types", 11},
    Part{"context_builder", 2, "types", 12},
    Part{"invoke", 2, "types", 12},
    Part{"handler_checks", 2, "types", 11},
    Part{"named_arguments", 2, "types", 12},
    Part{"task_store", 2, "types", 12},
    Part{"task_work", 2, "types", 13},
    Part{"tool", 2, "types", 13},
    Part{"prompt", 2, "types", 14},
    Part{"middleware", 2, "types", 15},
    Part{"resource", 2, "types", 14},
    Part{"server_options", 2, "types", 16},
    Part{"engine", 2, "engine", 0},
    Part{"event_loop", 2, "engine", 1},
    Part{"runtime", 3, "runtime", 0},
    Part{"features", 3, "features", 0},
    Part{"protocol", 4, "protocol", 0},
    Part{"redact", 5, "server", 0},
    Part{"command_line", 5, "server", 1},
    Part{"server", 5, "server", 2},
    Part{"client_options", 5, "client", 0},
    Part{"typed_result", 5, "client", 0},
    Part{"client", 5, "client", 1},
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
  if (path.string().starts_with("include/")) {
    return by_name != nullptr ? by_name : part_named(path.parent_path().filename().string());
  }
  auto step = path.begin();
  const Part* const by_folder = part_named((++step)->string());
  if (by_folder == nullptr || by_name == nullptr || path.extension() != ".cpp") return by_folder;
  return higher(*by_name, *by_folder) ? by_name : by_folder;
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

/// What is wrong with the includes of a file of the framework.
std::vector<std::string> wrong_in_framework(const Source& source) {
  std::vector<std::string> wrong;
  const std::string file = source.path.string();
  const Part* const high = part_of(source.path);
  if (high == nullptr) return {file + " has no place in the table of layering_test.cpp"};
  for (const std::string& name : includes_of(source)) {
    const auto target = own_file(source, name);
    if (!target) continue;
    const Part* const low = part_of(*target);
    const bool shows_private = file.starts_with("include/") && !target->string().starts_with("include/");
    if (low == nullptr || shows_private || !may_include(*high, *low)) wrong.push_back(file + " includes " + name);
  }
  return wrong;
}

const Rooms bridge{"bridge",
                   "",
                   "toolwire/bridge/",
                   {{"", 7},          {"cluster", 7},     {"commands", 6},       {"search", 5},
                    {"openapi", 5},   {"activities", 4},  {"activities/mcp", 0}, {"activities/runtime", 0},
                    {"http", 4},      {"policy", 4},      {"messages", 4},       {"process", 3},
                    {"login", 3},     {"registry", 3},    {"redis", 2},          {"streams/system", 0},
                    {"templates", 2}, {"confinement", 2}, {"configuration", 2},  {"authorization", 2},
                    {"traces", 2},    {"manifest", 1},    {"types", 1},          {"system", 0},
                    {"attach", 0},    {"include", 0},     {"sealed", 0},         {"nats", 5},
                    {"streams", 1}}};

const Rooms conformance{"conformance",
                        "",
                        "",
                        {{"", 8},
                         {"command", 7},
                         {"report", 6},
                         {"checks", 5},
                         {"client", 5},
                         {"scenario", 4},
                         {"fuzz", 4},
                         {"probe", 3},
                         {"passive", 2},
                         {"target", 2},
                         {"play", 2},
                         {"catalogue", 1},
                         {"driver", 0},
                         {"bench", 0}}};

const Rooms workspace{"servers/workspace",
                      "workspace/",
                      "",
                      {{"", 6},
                       {"tools", 5},
                       {"symbols", 4},
                       {"git", 3},
                       {"reading", 3},
                       {"search", 3},
                       {"changes", 3},
                       {"commands", 3},
                       {"system", 2},
                       {"names", 1},
                       {"text", 0}}};

/// What is wrong where `file` has the one line `#include "header"`.
std::vector<std::string> wrong_where(const Rooms& part, const char* file, const std::string& header) {
  return wrong_includes(part, {file, {"#include \"" + header + "\""}});
}

/// No file of the part is in the wrong place. A part can be deleted.
void check_rooms(const Rooms& part) {
  for (const Source& source : sources_below(repository / part.part)) {
    for (const std::string& wrong : wrong_includes(part, source)) BOOST_ERROR(wrong);
  }
}

/// The folders of servers/ that there are.
std::set<std::string> servers() {
  std::set<std::string> names;
  if (!fs::exists(repository / "servers")) return names;
  for (const fs::directory_entry& entry : fs::directory_iterator(repository / "servers")) {
    if (entry.is_directory()) names.insert(entry.path().filename().string());
  }
  return names;
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

BOOST_AUTO_TEST_CASE(an_include_of_the_framework_points_to_a_lower_rank_only) {
  const auto sources = sources_below(framework);
  BOOST_TEST_REQUIRE(!sources.empty());
  for (const Source& source : sources) {
    const std::string path = source.path.string();
    // Beside the layers, as programs are; http/ stands on all of them.
    constexpr std::array beside{"examples/", "http/", "packaging/", "sqlite/", "tools/"};
    if (std::ranges::any_of(beside, [&](const char* folder) { return path.starts_with(folder); })) continue;
    for (const std::string& wrong : wrong_in_framework(source)) BOOST_ERROR(wrong);
  }
}

BOOST_AUTO_TEST_CASE(an_upward_include_of_the_framework_is_found) {
  const auto found = [](const char* file, const char* header) {
    return !wrong_in_framework({file, {std::string("#include \"") + header + "\""}}).empty();
  };
  BOOST_TEST(found("src/json/any.cpp", "toolwire/server.hpp"));
  BOOST_TEST(found("src/jsonrpc/any.cpp", "transport/stdio_transport.hpp"));
  BOOST_TEST(found("include/toolwire/tool.hpp", "json/parse.hpp"));
  BOOST_TEST(found("src/a_new_folder/any.cpp", "toolwire/json.hpp"));
  BOOST_TEST(!found("src/protocol/any.cpp", "toolwire/tool.hpp"));
}

BOOST_AUTO_TEST_CASE(an_include_points_down_the_rooms_of_its_part_only) {
  for (const Rooms* const part : {&bridge, &conformance, &workspace}) check_rooms(*part);
}

BOOST_AUTO_TEST_CASE(an_upward_include_of_the_bridge_is_found) {
  const auto found = [](const char* file, const char* header) { return !wrong_where(bridge, file, header).empty(); };
  BOOST_TEST(found("registry/any.cpp", "policy/polling.hpp"));
  BOOST_TEST(found("system/any.hpp", "activities/factory.hpp"));
  BOOST_TEST(found("include/toolwire/bridge/any.hpp", "manifest/members.hpp"));
  BOOST_TEST(found("manifest/any.cpp", "types/words.hpp"));  // siblings
  BOOST_TEST(found("policy/any.cpp", "activities/mcp/offer.hpp"));
  BOOST_TEST(found("activities/runtime/any.cpp", "activities/mcp/offer.hpp"));  // siblings
  BOOST_TEST(found("activities/mcp/any.cpp", "activities/runtime/pool.hpp"));
  BOOST_TEST(found("activities/mcp/any.cpp", "activities/bindings.hpp"));  // the room around it
  BOOST_TEST(found("commands/any.cpp", "main.hpp") == false);              // a file beside it
  BOOST_TEST(found("a_new_room/any.cpp", "system/timers.hpp"));
  BOOST_TEST(!found("activities/any.cpp", "activities/mcp/offer.hpp"));
  BOOST_TEST(!found("activities/mcp/any.cpp", "registry/registered_tool.hpp"));
  BOOST_TEST(!found("registry/any.cpp", "toolwire/bridge/activity.hpp"));
  BOOST_TEST(!found("main.cpp", "commands/serve.hpp"));
}

BOOST_AUTO_TEST_CASE(an_upward_include_of_the_suite_is_found) {
  const auto found = [](const char* file, const char* header) {
    return !wrong_where(conformance, file, header).empty();
  };
  BOOST_TEST(found("driver/any.cpp", "checks/groups.hpp"));
  BOOST_TEST(found("checks/any.cpp", "report/report.hpp"));
  BOOST_TEST(found("passive/any.cpp", "target/target.hpp"));  // siblings
  BOOST_TEST(found("client/any.cpp", "checks/groups.hpp"));
  BOOST_TEST(found("play/any.cpp", "client/host.hpp"));
  BOOST_TEST(found("bench/any.cpp", "driver/session.hpp"));
  BOOST_TEST(!found("report/any.cpp", "catalogue/verdict.hpp"));
}

BOOST_AUTO_TEST_CASE(an_upward_include_of_workspace_is_found) {
  const auto found = [](const char* file, const char* header) { return !wrong_where(workspace, file, header).empty(); };
  BOOST_TEST(found("text/any.cpp", "workspace/system/root.hpp"));
  BOOST_TEST(found("system/any.cpp", "workspace/search/listing.hpp"));
  BOOST_TEST(found("search/any.cpp", "workspace/changes/writer.hpp"));  // siblings
  BOOST_TEST(found("reading/any.cpp", "workspace/an_old_file.hpp") == false);
  BOOST_TEST(!found("tools/any.cpp", "workspace/changes/writer.hpp"));
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

BOOST_AUTO_TEST_CASE(one_door_leads_to_the_fast_paths) {
  for (const Source& source : sources_below(framework)) {
    const std::string path = source.path.string();
    if (path == "src/json/fast.hpp" || path.starts_with("src/json/fast/")) continue;
    for (const std::string& name : includes_of(source)) {
      BOOST_CHECK_MESSAGE(!name.starts_with("json/fast/"), path << " includes " << name << ", use json/fast.hpp");
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

BOOST_AUTO_TEST_CASE(no_private_header_of_the_bridge_is_named_as_a_public_one) {
  std::set<std::string> names;
  for (const Source& source : sources_below(repository / "bridge/include"))
    names.insert(source.path.filename().string());
  for (const Source& source : sources_below(repository / "bridge")) {
    if (source.path.string().starts_with("include/")) continue;
    BOOST_CHECK_MESSAGE(!names.contains(source.path.filename().string()), source.path.string());
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
                           fs::is_regular_file(framework / "http/include" / name) ||
                           fs::is_regular_file(repository / folder / "include" / name) ||
                           fs::is_regular_file(repository / folder / "redis/include" / name) ||
                           fs::is_regular_file(repository / folder / "nats/include" / name) ||
                           fs::is_regular_file(repository / folder / "streams/include" / name);
        BOOST_CHECK_MESSAGE(known, folder << "/" << source.path.string() << " includes " << name);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_folder_of_servers_is_known_to_itself_and_to_tests_named_after_it) {
  for (const std::string& server : servers()) {
    for (const char* const part : {"framework", "bridge", "conformance", "servers", "tests/unit", "tests/process"}) {
      for (const Source& source : sources_below(repository / part)) {
        if (source.path.string().starts_with(server)) continue;
        for (const std::string& name : includes_of(source)) {
          BOOST_CHECK_MESSAGE(!name.starts_with(server + "/"),
                              part << "/" << source.path.string() << " includes " << name);
        }
      }
    }
  }
}
