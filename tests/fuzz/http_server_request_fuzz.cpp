// Requests of any bytes, as the HTTP server reads them: whatever the pieces in which they come, they are the same
// requests, and none is larger than it may be.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "listening/request_reader.hpp"

namespace {

using toolwire::http::RequestReader;

constexpr RequestReader::Bounds bounds{.target = 64, .head = 1024, .fields = 16, .body = 512};
constexpr std::size_t max_input = 4096;  // beyond, lines between chunks are cut where they have come to

void hold(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// All that a reader finds, and what it is at in the end.
class Found {
 public:
  void read(std::string_view bytes) {
    reader_.add(bytes);
    for (auto progress = reader_.go_on(); !is_over_; progress = reader_.go_on()) {
      if (progress == RequestReader::Progress::at_body) {
        reader_.read_body();
      } else if (progress == RequestReader::Progress::whole) {
        keep(reader_.request());
        reader_.begin_next();
      } else {
        is_over_ = progress == RequestReader::Progress::refused;
        return;
      }
    }
  }
  std::string text() const {
    // Of several mistakes any may be the one that is told, and one in the last bytes of a body may not be told yet.
    const bool is_in_body = reader_.progress() == RequestReader::Progress::body;
    const bool refused = reader_.progress() == RequestReader::Progress::refused;
    return text_ + (refused || is_in_body ? "no more" : "at " + std::to_string(static_cast<int>(reader_.progress())));
  }

 private:
  void keep(const toolwire::http::Request& request) {
    hold(request.target.size() <= bounds.target + 1, "a target is too long");  // a "/" may have been put before it
    hold(request.fields.size() <= bounds.fields, "there are too many fields");
    hold(request.body.size() <= bounds.body, "a body is too large");
    text_ += request.method + "\n" + request.target + "\n";
    for (const auto& field : request.fields) text_ += field.name + "\n" + field.value + "\n";
    text_ += request.body + "\n";
  }

  RequestReader reader_{bounds};
  std::string text_;
  bool is_over_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > max_input) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Found at_once;
  at_once.read(bytes);
  Found one_by_one;
  for (std::size_t i = 0; i < bytes.size(); ++i) one_by_one.read(bytes.substr(i, 1));
  hold(at_once.text() == one_by_one.text(), (at_once.text() + "\nand in pieces\n" + one_by_one.text()).c_str());
  return 0;
}
