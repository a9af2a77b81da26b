// What a host has against a tool: its name, and the schema of its arguments.
#pragma once

#include <string>
#include <vector>

#include "hosts/host.hpp"
#include "server_start.hpp"

namespace toolwire::install {

/// One text each, which begins with a small letter and names the tool; it is not made fit for a terminal.
std::vector<std::string> faults_of(const ToolReport& tool, const hosts::Host& host);

}  // namespace toolwire::install
