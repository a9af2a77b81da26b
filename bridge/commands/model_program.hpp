// A program that stands for a model: it reads the body of a request and prints the answer of the API.
#pragma once

#include <stop_token>
#include <string>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// Runs `command` with the shell, gives it `request` and the end of input, and returns what it prints (64 MiB at most).
/// Its standard error is that of this process. It is killed, with all it has started, when `stop` is requested. Throws
/// std::runtime_error if it fails, prints no JSON, or was killed; std::system_error if it does not start.
Json model_answer(const std::string& command, const std::string& request, const std::stop_token& stop);

}  // namespace toolwire::bridge
