// A JSON Schema known only at run time, compiled once and then asked whether values fit it. Independent of tools, typed
// arguments and the wire. Reads no file and no network: every document that a reference may lead to is handed in
// through SchemaOptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/json.hpp"

namespace toolwire {

namespace schema {
struct Program;
}

/// The version of JSON Schema.
enum class SchemaDialect { draft_2020_12, draft_07 };

/// What compiling does with a `pattern` that cannot run in linear time (look-around, back-references): refuse the
/// schema, or leave the pattern out and say so in `Schema::notes()`.
enum class UnsupportedPattern { refuse, annotate };

/// How a schema is compiled, and what validating with it may cost.
struct SchemaOptions {
  SchemaDialect default_dialect = SchemaDialect::draft_2020_12;  ///< Used where the schema has no `$schema`.
  bool assert_formats = false;  ///< `format` refuses values instead of only describing them.
  UnsupportedPattern unsupported_pattern = UnsupportedPattern::refuse;
  /// What references may lead to, by absolute URI without fragment.
  std::map<std::string, Json, std::less<>> documents = {};
  std::size_t max_subschemas = 65'536;     ///< Compiled subschemas, those of `documents` included.
  std::size_t max_depth = 128;             ///< Nesting of the schema.
  std::uint64_t step_budget = 50'000'000;  ///< Steps of one validation; a value that needs more is refused.
};

/// A schema that cannot be compiled. `pointer` names the place ("#/properties/limit/minimum"); `what()` begins with it.
struct SchemaError : std::runtime_error {
  SchemaError(std::string where, const std::string& message)
      : std::runtime_error(where + ": " + message), pointer(std::move(where)) {}
  std::string pointer;
};

/// One way in which a value does not fit its schema.
struct SchemaViolation {
  std::string instance_path;  ///< JSON pointer into the value: "/files/0"; empty for the value itself.
  std::string display_path;   ///< The same for people and models: "files[0]".
  std::string schema_path;    ///< Where the keyword stands: "#/properties/files/items/type".
  std::string keyword;        ///< "type"; empty where a `false` schema refuses.
  std::string message;        ///< "expected a string".

  /// "files[0]: expected a string"; without a path for the value itself.
  std::string text() const { return display_path.empty() ? message : display_path + ": " + message; }
};

/// Something the schema asks for that is not enforced; `pointer` names the place.
struct SchemaNote {
  std::string pointer;
  std::string text;
};

/// A compiled schema (JSON Schema 2020-12 or draft-07). Immutable: any number of threads may validate with one at once,
/// and copies share the program. Keeps nothing of the documents it was compiled from.
class Schema {
 public:
  /// Throws SchemaError: a keyword of the wrong shape, an unknown dialect, an unresolved reference, references that go
  /// in a circle without progress, a pattern that RE2 cannot run, or a schema beyond the bounds in `options`.
  static Schema compile(const Json& schema, const SchemaOptions& options = {});

  /// Whether the value fits. Allocates nothing for arrays with `uniqueItems` of up to 256 elements, values under
  /// `unevaluated…` of up to 256 members, and patterns; never throws. Spending the step budget counts as not fitting.
  bool is_valid(const Json& value) const;

  /// Every violation, or an empty list when the value fits. Takes a second walk over the value only when it does not
  /// fit.
  std::vector<SchemaViolation> validate(const Json& value) const;

  /// What the schema was compiled as.
  SchemaDialect dialect() const;
  /// What the schema asks for and is not enforced.
  const std::vector<SchemaNote>& notes() const;

 private:
  explicit Schema(std::shared_ptr<const schema::Program> program) : program_(std::move(program)) {}
  // Shared, because calls in flight may outlive the registration they began under.
  std::shared_ptr<const schema::Program> program_;
};

/// What one family of hosts does with a schema: refuses it, or merely handles it less well.
struct PortabilityFinding {
  std::string host;     ///< "Claude", "Gemini", "OpenAI strict", "TypeScript SDK", "Cursor", "VS Code".
  bool refused = true;  ///< False for a note.
  std::string pointer;  ///< "#/properties/when".
  std::string problem;
  std::string rewrite;  ///< What to write instead.
};

/// Names what each family of hosts refuses in the input schema of a tool. The schema need not compile.
std::vector<PortabilityFinding> schema_portability(const Json& schema);

}  // namespace toolwire
