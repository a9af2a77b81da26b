#include "deflate.hpp"

#define ZLIB_CONST  // its input is const
#include <zlib.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace toolwire::pack {
namespace {

constexpr std::size_t step = std::size_t{1} << 16U;

int window_of(Wrapping wrapping) { return wrapping == Wrapping::gzip ? MAX_WBITS + 16 : -MAX_WBITS; }

const Bytef* as_input(std::string_view bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

struct Deflation {
  z_stream stream{};
  explicit Deflation(Wrapping wrapping) {
    constexpr int usual_memory = 8;
    // The best compression takes three times as long for a hundredth of the size.
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_of(wrapping), usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  Deflation(const Deflation&) = delete;
  Deflation& operator=(const Deflation&) = delete;
  ~Deflation() { deflateEnd(&stream); }
};

struct Inflation {
  z_stream stream{};
  explicit Inflation(Wrapping wrapping) {
    if (inflateInit2(&stream, window_of(wrapping)) != Z_OK) throw std::bad_alloc();
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() { inflateEnd(&stream); }
};

}  // namespace

std::string compressed(std::string_view bytes, Wrapping wrapping) {
  if (bytes.size() > most_bytes) throw std::length_error("expected at most 1 GiB");
  Deflation deflation(wrapping);
  z_stream& stream = deflation.stream;
  stream.next_in = as_input(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::logic_error("zlib has asked for more room than it said");
  out.resize(stream.total_out);
  return out;
}

std::string uncompressed(std::string_view bytes, Wrapping wrapping, std::size_t most) {
  if (bytes.size() > most_bytes) throw std::runtime_error("expected at most 1 GiB of compressed bytes");
  Inflation inflation(wrapping);
  z_stream& stream = inflation.stream;
  stream.next_in = as_input(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const std::size_t before = out.size();
    out.resize(before + step);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(step);
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) throw std::runtime_error("the compressed bytes are damaged");
    out.resize(before + step - stream.avail_out);
    if (out.size() > most) throw std::runtime_error("the compressed bytes become more than was expected");
  }
  if (stream.avail_in != 0) throw std::runtime_error("there are bytes behind the compressed ones");
  return out;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, as_input(bytes), bytes.size()));
}

}  // namespace toolwire::pack
