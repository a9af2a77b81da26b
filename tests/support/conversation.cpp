#include "conversation.hpp"

#include <array>
#include <csignal>
#include <stdexcept>
#include <utility>

namespace toolwire_test {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::Program;
using toolwire::to_json_text;

constexpr std::string_view modern_meta =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}})";
constexpr std::string_view handshake =
    R"({"jsonrpc":"2.0","id":"handshake","method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"0"}}})";
constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

[[noreturn]] void fail(const std::string& what, const std::string& line) {
  throw std::runtime_error(what + ": " + line.substr(0, 300));
}

}  // namespace

Program fixture_program(std::string options) {
  return {.command = {std::string(TOOLWIRE_BIN_DIR) + "/fixture_server_program", std::move(options)},
          .environment = {{"TOOLWIRE_STATE_KEY", "a key for tests only"}}};
}

Program fixture_behind_shell(const std::string& command, std::string options) {
  Program direct = fixture_program(std::move(options));
  Program program = direct;
  program.command = {"sh", "-c", command};
  program.command.insert(program.command.end(), direct.command.begin(), direct.command.end());
  return program;
}

Conversation::Conversation(Era era, const Program& program)
    : era_(era), process_(program), watchdog_([this] { watch(); }) {
  if (era_ == Era::modern) return;
  send(handshake);
  send(initialized);
}

Conversation::~Conversation() {
  {
    std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  watchdog_.join();
  process_.signal(SIGKILL);
}

void Conversation::watch() {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, patience, [this] { return over_; })) process_.signal(SIGKILL);
}

std::string Conversation::request(std::string_view id_text, std::string_view method, std::string_view params) const {
  std::string line =
      R"({"jsonrpc":"2.0","id":)" + std::string(id_text) + R"(,"method":")" + std::string(method) + R"(","params":{)";
  if (era_ == Era::modern) line.append("\"_meta\":{").append(modern_meta).append(params.empty() ? "}" : "},");
  return line.append(params).append("}}");
}

std::string Conversation::call(std::string_view id_text, std::string_view tool, std::string_view arguments,
                               std::string_view meta) const {
  std::string line =
      R"({"jsonrpc":"2.0","id":)" + std::string(id_text) + R"(,"method":"tools/call","params":{"name":")";
  line.append(tool).append("\",\"arguments\":").append(arguments).append(",\"_meta\":{");
  if (era_ == Era::modern) line.append(modern_meta).append(meta.empty() ? "" : ",");
  return line.append(meta).append("}}}");
}

void Conversation::send_bytes(std::string_view bytes) {
  process_.transport().write(bytes.data(), bytes.size(), toolwire::Transport::Blocking::yes);
}

Json Conversation::answer(std::string_view id_text) {
  for (;;) {
    if (auto found = answers_.find(id_text); found != answers_.end()) {
      Json answer = std::move(found->second);
      answers_.erase(found);
      return answer;
    }
    if (!read_one())
      throw std::runtime_error("the server ended without an answer to " + std::string(id_text.substr(0, 100)));
  }
}

std::string Conversation::text_of(std::string_view id_text) {
  const Json message = answer(id_text);
  const JsonObject& object = message.as_object();
  if (const Json* error = object.if_contains("error"))
    return std::string(std::string_view(error->at("message").as_string()));
  const JsonArray& content = object.at("result").at("content").as_array();
  return content.empty() ? "" : std::string(std::string_view(content.front().at("text").as_string()));
}

std::int64_t Conversation::code_of(std::string_view id_text) {
  const Json message = answer(id_text);
  const Json* error = message.as_object().if_contains("error");
  return error != nullptr ? error->at("code").to_number<std::int64_t>() : 0;
}

void Conversation::check_alive() {
  const std::string id = "\"alive-" + std::to_string(++checks_) + "\"";
  send(call(id, "add", R"({"a":1,"b":1})"));
  if (const std::string text = text_of(id); text != "2") throw std::runtime_error("1 and 1 became " + text);
}

toolwire::ExitStatus Conversation::end() {
  close_input();
  while (read_one()) {
  }
  return process_.wait();
}

bool Conversation::read_one() {
  std::string line;
  if (!read_line(line)) return false;
  if (line.find('\r') != std::string::npos) fail("a carriage return in the output", line);
  Json message;
  try {
    message = toolwire::parse_json(line, {.max_depth = 10'000});
  } catch (const toolwire::JsonError& error) {
    fail(std::string("output that is no JSON (") + error.what() + ")", line);
  }
  keep(message, line);
  return true;
}

bool Conversation::read_line(std::string& line) {
  std::array<char, 1 << 16> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
  std::size_t from = taken_;
  for (;;) {
    const std::size_t end = read_.find('\n', from);
    if (end != std::string::npos) {
      line = read_.substr(taken_, end - taken_);
      taken_ = end + 1;
      return true;
    }
    read_.erase(0, std::exchange(taken_, 0));
    from = read_.size();
    const std::ptrdiff_t count = process_.transport().read(chunk.data(), chunk.size());
    if (count > 0) {
      read_.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (!read_.empty()) {
      fail("the output ends inside a line", read_);
    } else {
      return false;
    }
  }
}

void Conversation::keep(const Json& message, const std::string& line) {
  const JsonObject* object = message.if_object();
  const Json* version = object != nullptr ? object->if_contains("jsonrpc") : nullptr;
  if (version == nullptr || *version != "2.0") fail("output that is no JSON-RPC message", line);
  const Json* id = object->if_contains("id");
  if (object->contains("method")) {
    others_.push_back(message);
  } else if (id != nullptr) {
    if (!answers_.emplace(to_json_text(*id), message).second) fail("a second answer to one id", line);
  } else {
    unaddressed_.push_back(object->at("error").at("code").to_number<std::int64_t>());
  }
}

}  // namespace toolwire_test
