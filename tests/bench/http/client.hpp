// A client of many connections, one call on each at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace toolwire::bench {

/// A call of `echo`, with so many bytes of text.
std::string call_text(std::uint16_t port, std::size_t bytes);
/// A call of `work`: which call this is, and how long it takes.
std::string work_text(std::uint16_t port, std::size_t call, std::int64_t microseconds);
/// A request whose stream stays.
std::string listen_text(std::uint16_t port);

/// Repeats a call for this time, over so many connections. Returns the microseconds that each took. Throws
/// std::runtime_error if one is not answered.
std::vector<double> calls_within(std::chrono::milliseconds time, std::uint16_t port, const std::string& call,
                                 unsigned connections);

/// What a client has sent of a request that goes no further.
std::string begun_text(std::uint16_t port);

/// A connected socket, which waits.
int connected_to(std::uint16_t port);
/// Throws std::runtime_error.
void send_text(int socket, const std::string& text);
/// Sends, and waits for some of the answer. Throws std::runtime_error.
void ask(int socket, const std::string& text);

}  // namespace toolwire::bench
