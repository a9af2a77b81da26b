// One way in which a server misbehaves, as data: its name, the checks it fails, and the rules that produce it. The
// language of the rules is explained in README.md. Independent of processes and streams.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "event.hpp"

namespace mutants {

using Notes = std::map<std::string, toolwire::Json>;

/// When and what. Not thread-safe: it counts.
class Rule {
 public:
  /// Throws std::invalid_argument naming what is not understood.
  explicit Rule(toolwire::JsonObject text);

  /// Whether it applies to the event.
  bool applies(const Event& event, const Notes& notes);
  const toolwire::JsonObject& text() const { return text_; }

 private:
  bool fits(const Event& event, const Notes& notes) const;
  const toolwire::Json* member(std::string_view name) const { return text_.if_contains(name); }

  toolwire::JsonObject text_;
  std::size_t met_ = 0;  // events that fitted
};

struct Fault {
  std::string name = {};                    // "group/fault"
  std::string does = {};                    // what the server does wrong, in words
  std::vector<std::string> fails = {};      // the checks it is made for
  std::vector<std::string> revisions = {};  // in which it is judged
  std::vector<std::string> groups = {};     // whose checks have to run, beside those of `fails`
  toolwire::JsonObject server = {};         // how the server is made: {"page": 3, "signals": "ignored"}
  std::vector<Rule> rules = {};
};

/// Throws std::invalid_argument naming the file, the line and what is wrong with it.
std::vector<Fault> read_faults(const std::filesystem::path& file);
std::vector<Fault> read_all_faults(const std::filesystem::path& folder);
/// Reads no more than that one. Throws std::invalid_argument if there is none of the name "group/fault".
Fault read_fault(const std::filesystem::path& folder, const std::string& name);

/// Whether a value is what a rule asks for: equal, or {"is": "present"|"absent"|"string"|"number"|"integer"|"object"|
/// "array"|"boolean"|"null"}, {"matches": regular expression of its text}, {"not": …}, {"in": […]}. `value` may be
/// null.
bool meets(const toolwire::Json* value, const toolwire::Json& condition);

}  // namespace mutants
