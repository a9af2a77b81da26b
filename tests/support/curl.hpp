// Requests of an HTTP server made with the program curl: what an independent client sees.
#pragma once

#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>
#include <utility>
#include <vector>

namespace toolwire_test {

struct CurlAnswer {
  int exit = -1;
  int status = 0;
  std::vector<std::string> headers = {};  // whole lines, names in lower case
  std::string body = {};

  toolwire::Json json() const { return toolwire::parse_json(body); }
  /// The value of a header, or "".
  std::string header(const std::string& name) const {
    for (const std::string& line : headers) {
      if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
    }
    return {};
  }
};

inline CurlAnswer parse_curl_output(const std::string& text) {
  CurlAnswer answer;
  std::size_t at = 0;
  std::string status_line;
  do {  // an interim answer (100) comes before the final one
    answer.headers.clear();
    const std::size_t end = text.find("\r\n\r\n", at);
    if (end == std::string::npos) return answer;
    std::istringstream head(text.substr(at, end - at));
    at = end + 4;
    std::getline(head, status_line);
    for (std::string line; std::getline(head, line);) {
      if (line.ends_with('\r')) line.pop_back();
      for (std::size_t i = 0; i < line.size() && line[i] != ':'; ++i) {
        if (line[i] >= 'A' && line[i] <= 'Z') line[i] = static_cast<char>(line[i] + 32);
      }
      answer.headers.push_back(line);
    }
  } while (status_line.find(" 100 ") != std::string::npos);
  answer.status = std::stoi(status_line.substr(status_line.find(' ')));
  answer.body = text.substr(at);
  return answer;
}

/// Runs `curl -s -i ARGUMENTS…`, with `input` as its standard input.
inline CurlAnswer curl(std::vector<std::string> arguments, const std::string& input = "") {
  toolwire::Program program{.command = {"curl", "-q", "-s", "-i", "--noproxy", "*", "--max-time", "60"}};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  toolwire::ChildProcess process(program);
  if (!input.empty()) process.transport().write(input.data(), input.size(), toolwire::Transport::Blocking::yes);
  process.close_input();
  std::string output;
  std::array<char, 4096> bytes{};
  for (std::ptrdiff_t count = 0; (count = process.transport().read(bytes.data(), bytes.size())) > 0;) {
    output.append(bytes.data(), static_cast<std::size_t>(count));
  }
  CurlAnswer answer = parse_curl_output(output);
  answer.exit = process.wait().code;
  return answer;
}

}  // namespace toolwire_test
