// Hosts that share a bridge and repeat whatever they are told to be retryable, while daemons, servers, attachments and
// hosts are killed in the middle of their work: each call ends, none has an effect twice, nobody hears what is
// another's, and nothing is left running.
#define BOOST_TEST_MODULE bridge_attach_killed_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "attach_bench.hpp"
#include "system/process_tree.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

constexpr int hosts = 20;
constexpr int calls_of_each = 50;
constexpr int calls_between_kills = 10;
constexpr int ahead = 3 * calls_between_kills;  // calls that may end before the next kill

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string secret_of(int host) { return "secret-" + std::to_string(100 + host); }

std::string call_line(const std::string& tool, const std::string& text) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":{"text":")" +
         text + R"("}}})";
}

/// What a host makes of an answer.
enum class Verdict { done, repeat, unknown, wrong };

Verdict verdict_of(const Json& answer, const std::string& text) {
  const JsonObject& result = answer.at("result").as_object();
  const Json* const is_error = result.if_contains("isError");
  if (is_error == nullptr || *is_error == Json(false))
    return result.at("content").at(0).at("text") == Json(text) ? Verdict::done : Verdict::wrong;
  const Json& details = result.at("_meta").at("dev.toolwire/error");
  return details.at("retryable").as_bool() ? Verdict::repeat : Verdict::unknown;
}

/// One that calls, on a thread of its own; whose attachment may be killed at any time.
class Host {
 public:
  /// `ended` counts calls, and none is made while `allowed` of them have ended.
  Host(const Program& attach, int number, std::atomic<int>& ended, const std::atomic<int>& allowed)
      : attach_(attach), number_(number), ended_(ended), allowed_(allowed), thread_([this] { work(); }) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() { join(); }

  void join() {
    if (thread_.joinable()) thread_.join();
  }
  /// 0 while there is none.
  pid_t attachment() const { return attachment_; }
  /// Of use once it was joined.
  const std::set<std::string>& done() const { return done_; }
  const std::string& complaints() const { return complaints_; }
  int repeated() const { return repeated_; }
  int ended_well() const { return ended_well_; }

 private:
  void work() {
    for (int i = 0; i < calls_of_each; ++i) {
      for (int limit = allowed_; ended_ >= limit; limit = allowed_) allowed_.wait(limit);
      call(i % 3 == 0 ? "look" : "record", secret_of(number_) + "-call-" + std::to_string(i));
      ++ended_;
    }
    attachment_ = 0;
    if (process_) process_->close_input();
    process_.reset();
  }

  /// Until it is done, or nobody knows whether it was.
  void call(const std::string& tool, const std::string& text) {
    while (true) {
      const std::string line = ask(call_line(tool, text));
      if (line.empty()) return;  // the attachment was killed
      const std::size_t secret = line.find("secret-");
      if (secret != std::string::npos && secret != line.find(secret_of(number_) + "-")) complain(line);
      switch (verdict_of(parse_json(line), text)) {
        case Verdict::done:
          ++ended_well_;
          if (tool == "record") done_.insert(text);
          return;
        case Verdict::repeat:
          ++repeated_;
          break;
        case Verdict::unknown:
          return;
        case Verdict::wrong:
          return complain(line);
      }
    }
  }

  /// The answer; empty at the end of the attachment, of which there is a new one at the next call.
  std::string ask(const std::string& question) {
    if (!process_ && !begin()) return "";
    if (!say(question)) return lost();
    while (true) {
      std::string line = hear();
      if (line.empty()) return lost();
      if (!has(line, "\"method\":\"notifications/")) return line;
    }
  }
  bool begin() {
    process_ = std::make_unique<ChildProcess>(attach_);
    attachment_ = process_->id();
    heard_.clear();
    const bool is_taken =
        say(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
            R"("clientInfo":{"name":"host","version":"1"}}})") &&
        !hear().empty() && say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})") &&
        say(R"({"jsonrpc":"2.0","id":0,"method":"tools/list"})") && has(hear(), "\"tools\":");
    if (!is_taken) lost();
    return is_taken;
  }
  std::string lost() {
    attachment_ = 0;
    process_.reset();
    return "";
  }
  bool say(const std::string& line) {
    const std::string whole = line + "\n";
    return process_->transport().write(whole.data(), whole.size(), Transport::Blocking::yes) ==
           static_cast<std::ptrdiff_t>(whole.size());
  }
  std::string hear() {
    std::size_t end = 0;
    while ((end = heard_.find('\n')) == std::string::npos) {
      std::array<char, 4096> bytes{};
      const std::ptrdiff_t count = process_->transport().read(bytes.data(), bytes.size());
      if (count <= 0) return "";
      heard_.append(bytes.data(), static_cast<std::size_t>(count));
    }
    std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }
  void complain(const std::string& line) { complaints_ += line + "\n"; }

  const Program attach_;
  const int number_;
  std::atomic<int>& ended_;
  const std::atomic<int>& allowed_;
  std::atomic<pid_t> attachment_ = 0;
  std::unique_ptr<ChildProcess> process_;
  std::string heard_;
  std::set<std::string> done_;
  std::string complaints_;
  int repeated_ = 0;
  int ended_well_ = 0;
  std::thread thread_;
};

struct KilledFixture : AttachFixture {
  const std::string record = (folder / "record").string();

  KilledFixture() { configure(R"({"TOOLWIRE_TEST_RECORD": ")" + record + R"("})"); }

  /// How often each line was recorded.
  std::map<std::string, int> recorded() const {
    std::map<std::string, int> counts;
    std::istringstream lines(content_of(record));
    for (std::string line; std::getline(lines, line);) ++counts[line];
    return counts;
  }
  /// Of daemons, their servers and attachments: all that knows of this test's folder.
  std::vector<pid_t> running() const {
    const std::string mark = "XDG_STATE_HOME=" + (folder / "state").string();
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") == std::string::npos &&
          content_of(entry.path() / "environ").find(mark) != std::string::npos)
        found.push_back(std::stoi(name));
    }
    return found;
  }
  void kill_a_server() const {
    for (const Json& one : daemons()) {
      const auto process = static_cast<pid_t>(one.at("process").as_int64());
      for (const pid_t child : bridge::children_of(process)) ::kill(child, SIGKILL);
    }
  }
  void kill_daemons() const {
    for (const Json& one : daemons()) ::kill(static_cast<pid_t>(one.at("process").as_int64()), SIGKILL);
  }
  /// A host that dies in the middle of a line, by itself or with its attachment.
  void die_within_a_line(int number, bool is_killed) const {
    const std::string line = call_line("record", "half-" + std::to_string(number));
    Peer peer(attach());
    peer.say(ping);
    BOOST_TEST(peer.hear_answer() == pong);
    const std::string half = line.substr(0, line.size() - 3);
    peer.process().transport().write(half.data(), half.size(), Transport::Blocking::yes);
    if (is_killed) {
      peer.process().signal(SIGKILL);
    } else {
      peer.process().close_input();
    }
    peer.process().wait();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_thousand_calls_end_and_none_has_an_effect_twice, KilledFixture) {
  std::atomic<int> ended = 0, allowed = ahead;
  const auto allow = [&](int calls) {
    allowed = calls;
    allowed.notify_all();
  };
  std::vector<std::unique_ptr<Host>> all;
  for (int i = 0; i < hosts; ++i) all.push_back(std::make_unique<Host>(attach(), i, ended, allowed));
  int kills = 0;
  for (int next = calls_between_kills; next < hosts * calls_of_each; next += calls_between_kills, ++kills) {
    const bool is_going_on = eventually([&] { return ended >= next; });
    BOOST_TEST(is_going_on);
    if (!is_going_on) break;
    allow(next + ahead);
    switch (kills % 5) {
      case 0:
        kill_daemons();
        break;
      case 1:
        kill_a_server();
        break;
      case 2:
        if (const pid_t one = all[static_cast<std::size_t>(kills % hosts)]->attachment(); one != 0)
          ::kill(one, SIGKILL);
        break;
      default:
        die_within_a_line(kills, kills % 5 == 3);
    }
  }
  allow(hosts * calls_of_each);
  for (const auto& host : all) host->join();
  const auto counts = recorded();
  int repeated = 0;
  int done = 0;
  for (const auto& host : all) {
    BOOST_TEST(host->complaints() == "");
    for (const std::string& text : host->done()) BOOST_TEST((counts.contains(text) && counts.at(text) == 1), text);
    repeated += host->repeated();
    done += host->ended_well();
  }
  for (const auto& [text, count] : counts) {
    BOOST_TEST(count == 1, text);
    BOOST_TEST(!text.starts_with("half-"), text);
  }
  BOOST_TEST_MESSAGE(done << " calls done, " << counts.size() << " effects, " << repeated << " repeated, " << kills
                          << " kills");
  BOOST_TEST(repeated > 0);
  BOOST_TEST(done < hosts * calls_of_each);      // some are not known to have been done
  BOOST_TEST(done > hosts * calls_of_each / 6);  // two kills of five take a call of each host at most, a third one call
  BOOST_TEST(run_program(program({"stop", "--all"})).status == 0);
  BOOST_TEST(eventually([&] { return running().empty(); }));
}
