// How families of hosts treat the schemas of the server's tools. Advice only: nothing here fails a server.
#include <algorithm>
#include <set>

#include <toolwire/schema.hpp>

#include "checks/groups.hpp"
#include "checks/tools.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_lines = 20;          // of one note
constexpr std::size_t max_name = 50;           // that survives in every host, with its prefix
constexpr std::size_t max_description = 2048;  // what Claude Code keeps of a description

/// Collects remarks on the tools and reports them at the end.
class Advice {
 public:
  explicit Advice(Probe& probe) : probe_(probe) { need_tools(probe); }
  void say(const Json& tool, const std::string& text) {
    if (++count_ > max_lines) return;
    text_ += (text_.empty() ? "" : "\n") + std::string(text_of(get(tool, "name"))) + ": " + text;
  }
  /// Passes if there are no remarks.
  void end() const {
    if (count_ == 0) return;
    probe_.info(text_ + (count_ > max_lines ? "\n… " + std::to_string(count_ - max_lines) + " more" : ""));
  }

 private:
  Probe& probe_;
  std::string text_;
  std::size_t count_ = 0;
};

void lint_for(Probe& probe, std::string_view host) {
  Advice advice(probe);
  for (const Json& tool : probe.offer().tools) {
    for (const PortabilityFinding& it : schema_portability(get(tool, "inputSchema"))) {
      if (it.host == host)
        advice.say(tool, (it.refused ? "refused, " : "") + it.pointer + ": " + it.problem + "; " + it.rewrite);
    }
  }
  advice.end();
}

void claude(Probe& probe) { lint_for(probe, "Claude"); }
void gemini(Probe& probe) { lint_for(probe, "Gemini"); }
void openai_strict(Probe& probe) { lint_for(probe, "OpenAI strict"); }
void typescript_sdk(Probe& probe) { lint_for(probe, "TypeScript SDK"); }
void cursor(Probe& probe) { lint_for(probe, "Cursor"); }
void vs_code(Probe& probe) { lint_for(probe, "VS Code"); }

void compiles(Probe& probe) {
  Advice advice(probe);
  for (const Json& tool : probe.offer().tools) {
    for (const std::string_view member : {"inputSchema", "outputSchema"}) {
      if (!get(tool, member).is_object()) continue;
      try {
        const Schema schema = Schema::compile(get(tool, member), {.unsupported_pattern = UnsupportedPattern::annotate});
        for (const SchemaNote& note : schema.notes())
          advice.say(tool, std::string(member) + note.pointer + ": " + note.text);
      } catch (const SchemaError& error) {
        advice.say(tool, std::string(member) + error.what());
      }
    }
  }
  advice.end();
}

void names(Probe& probe) {
  static constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  Advice advice(probe);
  for (const Json& tool : probe.offer().tools) {
    const std::string_view name = text_of(get(tool, "name"));
    if (name.size() > max_name) advice.say(tool, "a name of " + std::to_string(name.size()) + " characters");
    if (name.find_first_not_of(allowed) != std::string_view::npos)
      advice.say(tool, "a name with other characters than letters, digits, _ and -");
  }
  advice.end();
}

void descriptions(Probe& probe) {
  Advice advice(probe);
  for (const Json& tool : probe.offer().tools) {
    const std::string_view text = text_of(get(tool, "description"));
    if (text.empty()) advice.say(tool, "no description");
    if (text.size() > max_description) advice.say(tool, "a description of " + std::to_string(text.size()) + " bytes");
    const JsonObject* properties = get(tool, "inputSchema", "properties").if_object();
    if (properties == nullptr) continue;
    for (const auto& [name, property] : *properties) {
      if (property.is_object() && text_of(get(property, "description")).empty() && get(property, "$ref").is_null())
        advice.say(tool, "no description of its argument " + std::string(name));
    }
  }
  advice.end();
}

void hints(Probe& probe) {
  if (!probe.since("2025-03-26")) probe.skip("annotations came with 2025-03-26");
  Advice advice(probe);
  for (const Json& tool : probe.offer().tools) {
    if (get(tool, "annotations", "readOnlyHint").is_null()) advice.say(tool, "does not say readOnlyHint");
  }
  advice.end();
}

void output_root(Probe& probe) {
  Advice advice(probe);
  for (const Json& tool : probe.offer().tools) {
    const Json& schema = get(tool, "outputSchema");
    if (schema.is_object() && text_of(get(schema, "type")) != "object")
      advice.say(tool, "an outputSchema whose root is no object");
  }
  advice.end();
}

}  // namespace

std::span<const Check> schema_lint_checks() {
  static constexpr Check checks[] = {
      {"lint-compiles", compiles},
      {"lint-claude", claude},
      {"lint-gemini", gemini},
      {"lint-openai-strict", openai_strict},
      {"lint-typescript-sdk", typescript_sdk},
      {"lint-cursor", cursor},
      {"lint-vs-code", vs_code},
      {"lint-names", names},
      {"lint-descriptions", descriptions},
      {"lint-hints", hints},
      {"lint-output-root", output_root},
  };
  return checks;
}

}  // namespace toolwire::conformance
