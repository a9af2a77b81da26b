// A client of many connections, one call on each at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace toolwire::bench {

/// How many calls are answered in this time, over so many connections. Throws std::runtime_error if one is not.
std::size_t calls_within(std::chrono::milliseconds time, std::uint16_t port, unsigned connections);

/// A call of `echo`, with 64 bytes.
std::string call_text(std::uint16_t port);
/// A request whose stream stays.
std::string listen_text(std::uint16_t port);

/// A connected socket, which waits.
int connected_to(std::uint16_t port);
/// Sends, and waits for some of the answer. Throws std::runtime_error.
void ask(int socket, const std::string& text);

}  // namespace toolwire::bench
