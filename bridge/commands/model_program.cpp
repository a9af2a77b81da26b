#include "commands/model_program.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <thread>

#include <toolwire/child_process.hpp>
#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_answer = std::size_t{64} << 20;  // bytes
constexpr std::size_t max_shown = 400;                     // bytes of an answer that is none

[[noreturn]] void fail(const std::string& why) { throw std::runtime_error("the model's program " + why); }

std::string answer_in(Transport& transport) {
  std::string answer;
  std::array<char, 65536> bytes{};
  for (std::ptrdiff_t count = 0; (count = transport.read(bytes.data(), bytes.size())) > 0;) {
    answer.append(bytes.data(), static_cast<std::size_t>(count));
    if (answer.size() > max_answer) fail("printed more than " + std::to_string(max_answer) + " bytes");
  }
  return answer;
}

/// What it prints is read while it is written to: it may print before it has read everything.
std::string exchange(ChildProcess& program, const std::string& request) {
  const std::jthread writer([&] {
    program.transport().write(request.data(), request.size(), Transport::Blocking::yes);
    program.close_input();
  });
  try {
    return answer_in(program.transport());
  } catch (...) {
    program.kill();  // so that the writer ends
    throw;
  }
}

}  // namespace

Json model_answer(const std::string& command, const std::string& request, const std::stop_token& stop) {
  ChildProcess program({.command = {"/bin/sh", "-c", command},
                        .errors = Program::Errors::inherit,
                        .own_group = true,
                        .end_with_parent = true});
  std::string answer;
  ExitStatus status;
  {
    const std::stop_callback kill(stop, [&program] { program.kill(); });
    answer = exchange(program, request);
    status = program.wait();
  }
  if (!status.success()) fail(status.text());
  if (answer.find_first_not_of(" \t\r\n") == std::string::npos)
    fail("printed nothing; expected the answer of its API, as JSON");
  try {
    return parse_json(answer, {.max_values = usual_json_values});
  } catch (const JsonError& error) {
    fail("printed no JSON (" + std::string(error.what()) +
         "): " + text::visible(text::head(answer, max_shown), text::lines));
  }
}

}  // namespace toolwire::bridge
