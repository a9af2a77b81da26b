// JSON values and envelopes to compact text, appended to a buffer. It never builds a value in order to
// write one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

namespace toolwire::json {

/// Appends `text` quoted. Escaped are the quote, the backslash and control characters below 0x20, nothing else. Each
/// maximal part that is not UTF-8 becomes U+FFFD.
void write_string(std::string& out, std::string_view text);

/// Appends the shortest text that reads back as the same double. Whole numbers below 1e21 have neither fraction nor
/// exponent, because clients that decode into an integer refuse `1e+20` and `1.0`; minus zero is `-0.0`, as `-0` reads
/// back as the integer 0 in many languages. Throws std::invalid_argument for NaN and infinities; `out` is unchanged
/// then.
void write_double(std::string& out, double number);

void write_integer(std::string& out, std::int64_t number);
void write_integer(std::string& out, std::uint64_t number);

/// Appends any value, however deep, without recursion. Throws std::invalid_argument as write_double does; `out` is
/// unchanged then.
void write(std::string& out, const Json& value);

/// Writes an object or array piece by piece and puts the commas and colons itself. Whether the pieces are in a sensible
/// order (a key before each value of an object, every begin with its end) is up to the caller. One thread at a time;
/// the buffer must outlive the writer.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  /// Begins an object with members that are written already, `{"name":value,"name":`; returns the writer, for the value
  /// of the last.
  Writer& begin_object_with(std::string_view members) {
    separate();
    out_ += members;
    comma_ = false;
    return *this;
  }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  /// Returns the writer, for the value that is to follow.
  Writer& key(std::string_view name);
  /// The same for a name that is known to need no escapes.
  Writer& plain_key(std::string_view name);
  void string(std::string_view text);
  /// The same for a text that is known to need no escapes.
  void plain_string(std::string_view text);
  void integer(std::int64_t number);
  void integer(std::uint64_t number);
  void number(double number);
  void boolean(bool flag);
  void null();
  void value(const Json& value);
  /// A value that is JSON text already, such as the id of a request; written as it is.
  void raw(std::string_view text);

 private:
  void separate() {
    if (comma_) out_ += ',';
    comma_ = true;
  }
  void open(char bracket);
  void close(char bracket);

  std::string& out_;
  bool comma_ = false;
};

}  // namespace toolwire::json
