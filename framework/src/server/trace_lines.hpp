// The lines of a trace file from the bytes of a connection. Reads no connection and writes no file.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transport/line_splitter.hpp"

namespace toolwire::server {

/// Cuts both directions into lines and describes each as one line of JSON, without its secrets. Not thread-safe.
///
///   {"in":{"jsonrpc":"2.0","id":1,"method":"ping"},"at":0.000412}     a message, its JSON as it was sent
///   {"out":{"jsonrpc":"2.0","id":1,"result":{}},"at":0.000433}
///   {"raw":"hello?","at":1.250001}                                    a line that came in and is not JSON
///   {"out_text":"…","at":1.250001}                                    the same on its way out: a fault of the server
///   {"in_cut":"{\"jsonrpc…","at":2.000000}                            the beginning of a line beyond the limit
///   {"lost":"out","bytes":70000,"at":2.500000}                        here the file was too slow
///
/// "at" counts seconds from the start of the trace, to the microsecond, until the bytes came that ended the line. The
/// first member of a line is its kind: a trace is a transcript as the runner of tests/wire replays it, once what
/// differs from run to run (times, random values, what was redacted) is replaced as its README says.
class TraceLines {
 public:
  enum class Direction { in, out };

  /// `secrets`: values that are left out, besides what is a secret by its name.
  explicit TraceLines(std::size_t max_line, std::vector<std::string> secrets = {});

  /// Appends a line for each line that the bytes complete.
  void add(std::string& file, Direction direction, double at, std::string_view bytes);
  /// `bytes` bytes could not be kept. The rest of the line they ended in is dropped too.
  void lost(std::string& file, Direction direction, double at, std::size_t bytes);
  /// The connection is over: appends what has no end of line.
  void finish(std::string& file, double at);

 private:
  struct Stream {
    std::optional<transport::LineSplitter> lines;
    bool skipping = false;  // to the end of the line
  };
  Stream& stream(Direction direction) { return streams_[direction == Direction::in ? 0 : 1]; }

  void describe(std::string& file, Direction direction, double at, const transport::LineSplitter::Line& line,
                bool has_end) const;

  std::size_t max_line_;
  std::vector<std::string> secrets_;
  std::array<Stream, 2> streams_;
};

/// The first line of a connection: {"about":"calculator 1.0.0","process":4711,"started":"2026-07-28T09:30:00Z"}
std::string trace_heading(std::string_view server, std::string_view version);

}  // namespace toolwire::server
