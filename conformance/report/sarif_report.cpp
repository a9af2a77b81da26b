#include "report/sarif_report.hpp"

#include <fmt/format.h>

#include <map>

#include <toolwire/text.hpp>

#include "driver/revision.hpp"
#include "report/place.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view sarif_version = "2.1.0";
constexpr std::size_t kept_text = 4000;

JsonObject text_member(std::string_view text) {
  return {{"text", text::visible(shortened(text, kept_text), text::lines)}};
}

std::string_view level_of(const Report& report, Verdict verdict) {
  return verdict == Verdict::fail || report.strict ? "error" : "warning";
}

Json rule_of(const Report& report, const Requirement& requirement) {
  return JsonObject{{"id", requirement.id},
                    {"shortDescription", text_member(requirement.requirement)},
                    {"fullDescription", text_member(requirement.level_text + " " + requirement.section)},
                    {"help", text_member("Why: " + requirement.why + "\nFix: " + requirement.fix)},
                    {"defaultConfiguration", JsonObject{{"level", level_of(report, verdict_of(requirement))}}},
                    {"properties", JsonObject{{"tags", JsonArray{Json("mcp"), Json(requirement.group)}}}}};
}

std::string message_of(const Report& report, const FindingGroup& group) {
  const Finding& it = *group.front();
  std::string text = it.requirement->requirement + "\nIn " + revisions_text(group) + ".\nExpected: " + it.expected +
                     "\nGot: " + it.got;
  if (const Cause* cause = cause_of(report.causes, it)) {
    text += "\nCause: " + cause->says + "\nUsers lose: " + cause->loses + "\nFix: " + cause->fix;
    if (!cause->owner.empty()) text += "\nOwner: " + cause->owner + " " + cause->report;
  }
  return text + "\nRepeat: " + repeat_command(report, it);
}

/// A path as a relative reference (RFC 3986, section 4.2): whatever else a name may have is escaped.
std::string uri_of(std::string_view path) {
  constexpr std::string_view others = "/-._~!$&'()*+,;=@";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || others.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json location_of(const Report& report) {
  const JsonObject place{{"artifactLocation", JsonObject{{"uri", uri_of(place_of(report.target))}}},
                         {"region", JsonObject{{"startLine", 1}}}};
  return JsonArray{JsonObject{{"physicalLocation", place}}};
}

class Run {
 public:
  explicit Run(const Report& report) : report_(report), location_(location_of(report)) {}

  Json json() {
    for (const bool known : {false, true}) {
      for (const Verdict verdict : {Verdict::fail, Verdict::warn}) {
        for (const FindingGroup& group : alike(report_.findings, verdict, known)) add(group);
      }
    }
    const JsonObject driver{
        {"name", "toolwire-conformance"}, {"semanticVersion", program_version()}, {"rules", std::move(rules_)}};
    return JsonObject{{"tool", JsonObject{{"driver", driver}}},
                      {"columnKind", "unicodeCodePoints"},
                      {"invocations", JsonArray{invocation()}},
                      {"results", std::move(results_)}};
  }

 private:
  /// How the run went: results are of the server.
  Json invocation() const {
    JsonArray remarks;
    if (!report_.partial.empty())
      remarks.push_back(remark("warning", "the run ended before it was through: " + report_.partial));
    for (const std::string& it : failures_of_the_run(report_)) remarks.push_back(remark("error", it));
    return JsonObject{{"executionSuccessful", remarks.empty()}, {"toolExecutionNotifications", std::move(remarks)}};
  }

  static Json remark(std::string_view level, std::string_view text) {
    return JsonObject{{"level", level}, {"message", text_member(text)}};
  }

  std::size_t rule(const Requirement& requirement) {
    const auto [entry, is_new] = indices_.emplace(requirement.id, rules_.size());
    if (is_new) rules_.push_back(rule_of(report_, requirement));
    return entry->second;
  }

  void add(const FindingGroup& group) {
    const Finding& it = *group.front();
    JsonObject result{{"ruleId", it.requirement->id},
                      {"ruleIndex", rule(*it.requirement)},
                      {"level", level_of(report_, it.verdict)},
                      {"message", text_member(message_of(report_, group))},
                      {"locations", location_},
                      {"partialFingerprints",
                       JsonObject{{"checkAndRevision/v1", it.requirement->id + " " + std::string(it.revision->name)}}}};
    if (it.known) {
      JsonObject suppression{{"kind", "external"}};
      if (!it.known_because.empty()) suppression["justification"] = text::visible(it.known_because, text::lines);
      result["suppressions"] = JsonArray{Json(std::move(suppression))};
    }
    results_.push_back(std::move(result));
  }

  const Report& report_;
  const Json location_;
  std::map<std::string_view, std::size_t> indices_;  // of rules, by check
  JsonArray rules_, results_;
};

}  // namespace

Json sarif_report(const Report& report) {
  return JsonObject{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", sarif_version},
                    {"runs", JsonArray{Run(report).json()}}};
}

}  // namespace toolwire::conformance
