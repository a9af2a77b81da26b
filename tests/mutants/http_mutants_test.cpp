// Each check of the group http can fail: http/server.py with one fault is told by the checks that faults.jsonl names,
// and by no others; without a fault by none.
#define BOOST_TEST_MODULE http_mutants_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/over_http.hpp"
#include "checks/groups.hpp"
#include "checks/runner.hpp"
#include "driver/server_process.hpp"
#include "target/start_up.hpp"

using namespace toolwire::conformance;
using namespace std::chrono_literals;
using toolwire::Json;

namespace {

struct HttpFault {
  std::string name, form, does;
  std::set<std::string> fails;
};

std::vector<HttpFault> all_faults() {
  std::vector<HttpFault> faults;
  std::ifstream file(MUTANTS_HTTP "/faults.jsonl");
  for (std::string line; std::getline(file, line);) {
    const Json json = toolwire::parse_json(line);
    HttpFault fault{std::string(text_of(get(json, "fault"))),
                    std::string(text_of(get(json, "form"))),
                    std::string(text_of(get(json, "does"))),
                    {}};
    for (const Json& check : get(json, "fails").as_array()) fault.fails.emplace(check.as_string());
    faults.push_back(std::move(fault));
  }
  return faults;
}

/// The server of all tests.
class MutantServer {
 public:
  MutantServer()
      : process_({.command = {MUTANTS_PYTHON, MUTANTS_HTTP "/server.py"}},
                 [this](std::string_view line, bool) { port_ = line; }) {
    std::signal(SIGPIPE, SIG_IGN);
    BOOST_REQUIRE(process_.pump(30s, [this] { return !port_.empty() || process_.output_ended(); }));
    BOOST_REQUIRE(!port_.empty());
  }
  std::string url(const std::string& form, const std::string& fault) const {
    return "http://127.0.0.1:" + port_ + "/" + form + "/" + fault;
  }

 private:
  std::string port_;
  ServerProcess process_;
};

struct Findings {
  std::map<std::string, std::string> complaints;  // "FAIL" or "WARN", by check
  std::set<std::string> judged;                   // neither SKIP nor INFO
  std::string details;
};

void add(Findings& all, const Finding& finding) {
  if (finding.verdict == Verdict::skip || finding.verdict == Verdict::info) return;
  all.judged.insert(finding.requirement->id);
  if (finding.verdict < Verdict::warn) return;
  all.complaints[finding.requirement->id] = text_of(finding.verdict);
  all.details += "\n  " + finding.requirement->id + ": expected " + finding.expected + ", got " + finding.got;
}

Findings judged(const std::string& url, const std::vector<std::string>& only, std::chrono::milliseconds timeout) {
  Target target;
  target.launch.http = std::make_shared<HttpServer>(url, HttpHeaders{{"Authorization", "Bearer of-the-test"}},
                                                    HttpHeaders{{"Authorization", "Bearer of-another"}});
  target.timeout = timeout;
  target.start_timeout = timeout * 4;
  survey(target);
  Findings all;
  for (const Finding& finding : start_up_findings(target, {})) add(all, finding);
  for (const Finding& finding : run_checks(target, {.only = only, .jobs = 4}, nullptr)) add(all, finding);
  return all;
}

std::set<std::string> names_of(const std::map<std::string, std::string>& complaints) {
  std::set<std::string> names;
  for (const auto& [check, word] : complaints) names.insert(check);
  return names;
}

}  // namespace

/// On a busy machine an answer can come too late: what differs is judged once more, with more patience.
BOOST_AUTO_TEST_CASE(each_fault_is_told_by_exactly_the_checks_expected) {
  const MutantServer server;
  for (const HttpFault& fault : all_faults()) {
    const std::string url = server.url(fault.form, fault.name);
    Findings found = judged(url, {"http"}, 1s);
    if (names_of(found.complaints) != fault.fails) found = judged(url, {"http"}, 5s);
    BOOST_TEST((names_of(found.complaints) == fault.fails),
               fault.name << " (" << fault.form << "), which " << fault.does << ": found" << found.details);
  }
}

BOOST_AUTO_TEST_CASE(every_check_of_http_has_a_fault) {
  std::set<std::string> covered;
  for (const HttpFault& fault : all_faults()) covered.insert(fault.fails.begin(), fault.fails.end());
  for (const Requirement& requirement : requirements()) {
    if (requirement.group == http_group) BOOST_TEST(covered.contains(requirement.id), requirement.id);
  }
}

/// Whatever form it answers in; and in one of the forms each check of HTTP judges.
BOOST_AUTO_TEST_CASE(the_server_without_a_fault_is_told_nothing) {
  const MutantServer server;
  std::set<std::string> judged_checks;
  for (const char* form : {"streams", "json", "modern"}) {
    const Findings found = judged(server.url(form, "none"), {"http", "start-up"}, 5s);
    BOOST_TEST(found.complaints.empty(), form << ":" << found.details);
    judged_checks.insert(found.judged.begin(), found.judged.end());
  }
  for (const Requirement& requirement : requirements()) {
    if (requirement.group == http_group) BOOST_TEST(judged_checks.contains(requirement.id), requirement.id);
  }
}

/// The faults show that the suite sees through HTTP at all: checks of messages judge as they do over pipes.
BOOST_AUTO_TEST_CASE(checks_of_messages_are_judged_over_http) {
  const MutantServer server;
  const Findings found = judged(server.url("streams", "none"), {"ping", "tools", "progress", "jsonrpc-base"}, 5s);
  for (const char* check : {"ping-empty-result", "tools-list-works", "tools-call-text", "progress-token-echo",
                            "rpc-unknown-method", "rpc-response-id-echo"})
    BOOST_TEST(found.judged.contains(check), check);
  const Findings wrong = judged(server.url("streams", "strange-tools"), {"tools"}, 5s);
  BOOST_TEST(wrong.complaints.contains("tools-name-unique"), wrong.details);
}
