// Whether every method has a transcript in every revision that has it, and one that shows -32601 in those that do not.
// Reads the transcripts; what they say is checked by wire_test.
#define BOOST_TEST_MODULE methods_wire_test
#include <algorithm>
#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>
#include <toolwire/json_members.hpp>

#include "transcript_files.hpp"

namespace {

namespace data = boost::unit_test::data;
using toolwire::find_member;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::member_or_null;
using toolwire::text_or;

struct Method {
  const char* name;
  const char* first;
  const char* last;
};

constexpr std::array revisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
constexpr const char* oldest = revisions.front();
constexpr const char* last_legacy = revisions[3];
constexpr const char* newest = revisions.back();

// The specification's own: changelogs and schemas of the revisions, and the extension of tasks.
constexpr std::array methods{Method{"initialize", oldest, last_legacy},
                             Method{"ping", oldest, last_legacy},
                             Method{"tools/list", oldest, newest},
                             Method{"tools/call", oldest, newest},
                             Method{"resources/list", oldest, newest},
                             Method{"resources/read", oldest, newest},
                             Method{"resources/templates/list", oldest, newest},
                             Method{"resources/subscribe", oldest, last_legacy},
                             Method{"resources/unsubscribe", oldest, last_legacy},
                             Method{"prompts/list", oldest, newest},
                             Method{"prompts/get", oldest, newest},
                             Method{"completion/complete of ref/prompt", oldest, newest},
                             Method{"completion/complete of ref/resource", oldest, newest},
                             Method{"logging/setLevel", oldest, last_legacy},
                             Method{"server/discover", newest, newest},
                             Method{"subscriptions/listen", newest, newest},
                             Method{"tasks/get", last_legacy, newest},
                             Method{"tasks/cancel", last_legacy, newest},
                             Method{"tasks/result", last_legacy, last_legacy},
                             Method{"tasks/list", last_legacy, last_legacy},
                             Method{"tasks/update", newest, newest}};

constexpr const char* answered = "a result";
constexpr const char* not_found = "-32601";

std::string name_of(const Json& request) {
  const std::string name = text_or(request, "method");
  const std::string type = text_or(member_or_null(request, "params", "ref"), "type");
  return name.empty() || type.empty() ? name : name + " of " + type;
}

/// The methods that occur in the transcripts of a revision.
class Seen {
 public:
  explicit Seen(const std::string& revision) {
    for (const auto& transcript : toolwire_test::transcripts_of(revision)) read(transcript);
  }
  bool has(const std::string& method, const char* ending) const { return seen_.contains({method, ending}); }

 private:
  void read(const toolwire_test::Transcript& transcript) {
    std::map<std::string, std::string> asked;  // method by id
    for (const auto& [line, content] : toolwire_test::steps_of(transcript)) {
      const Json step = content;
      const Json& sent = member_or_null(step, "in");
      if (const Json* id = find_member(sent, "id")) asked[toolwire::to_json_text(*id)] = name_of(sent);
      if (const Json* out = find_member(step, "out")) take(asked, *out);
      const Json* several = find_member(step, "out_in_any_order");
      if (several == nullptr) continue;
      for (const Json& out : several->as_array()) take(asked, out);
    }
  }

  void take(const std::map<std::string, std::string>& asked, const Json& out) {
    const Json* id = find_member(out, "id");
    const auto request = id != nullptr ? asked.find(toolwire::to_json_text(*id)) : asked.end();
    if (request == asked.end()) return;
    if (find_member(out, "result") != nullptr) seen_.insert({request->second, answered});
    if (member_or_null(out, "error", "code") == -32601) seen_.insert({request->second, not_found});
  }

  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

BOOST_DATA_TEST_CASE(every_method_is_shown_in_every_revision, data::make(revisions), revision) {
  const Seen seen(revision);
  for (const Method& method : methods) {
    const bool exists = revision >= std::string_view(method.first) && revision <= std::string_view(method.last);
    const char* ending = exists ? answered : not_found;
    BOOST_TEST(seen.has(method.name, ending), "no transcript shows " << ending << " for " << method.name);
  }
}

BOOST_AUTO_TEST_CASE(a_method_nobody_shows_is_missed) {
  const Seen seen(newest);
  BOOST_TEST(!seen.has("no/such/method", answered));
  BOOST_TEST(!seen.has("ping", answered));
}
