#include "toolwire/text.hpp"

#include "text/pieces.hpp"
#include "text/terminal_sequence.hpp"

namespace toolwire::text {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::string_view digits = "0123456789ABCDEF";
constexpr std::string_view markup_characters = "&<>\"'";

/// A text with parts to be replaced. Nothing is copied before the first replacement, and the rest in as few pieces as
/// possible.
class Edited {
 public:
  explicit Edited(std::string_view text) : text_(text) {}

  /// `part` is a part of the text, after all earlier ones. What is appended to the returned string replaces it.
  std::string& instead_of(std::string_view part) {
    const auto at = static_cast<std::size_t>(part.data() - text_.data());
    if (out_.empty()) out_.reserve(text_.size() + text_.size() / 8);
    out_.append(text_.substr(done_, at - done_));
    done_ = at + part.size();
    return out_;
  }

  std::string finish() {
    out_.append(text_.substr(done_));
    return std::move(out_);
  }

 private:
  std::string_view text_;
  std::size_t done_ = 0;
  std::string out_;
};

bool is_kept(const Piece& piece, Layout layout) {
  return piece.kind == Piece::Kind::seen || (piece.code == U'\n' && layout.line_feeds) ||
         (piece.code == U'\t' && layout.tabs);
}

void append_bytes(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out.append("\\x").append(1, digits[byte >> 4U]).append(1, digits[byte & 0xFU]);
  }
}

void append_escape(std::string& out, char32_t code) {
  if (code == U'\n') return void(out.append("\\n"));
  if (code == U'\r') return void(out.append("\\r"));
  if (code == U'\t') return void(out.append("\\t"));
  out.append("\\u{");
  int shift = 20;
  while (shift > 0 && code >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) out += digits[(code >> shift) & 0xFU];
  out += '}';
}

std::string_view reference_to(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "&#39;";
  }
}

}  // namespace

std::string valid(std::string_view bytes) {
  Edited text(bytes);
  if (is_valid(bytes)) return text.finish();
  for (std::string_view rest = bytes; !rest.empty();) {
    const Character character = first_character(rest);
    if (!character.is_valid) text.instead_of(rest.substr(0, character.length)).append(replacement);
    rest.remove_prefix(character.length);
  }
  return text.finish();
}

std::string visible(std::string_view bytes, Layout layout) {
  Edited text(bytes);
  for (Pieces pieces(bytes); !pieces.is_done();) {
    const Piece piece = pieces.next();
    if (piece.kind == Piece::Kind::invalid) {
      append_bytes(text.instead_of(piece.bytes), piece.bytes);
    } else if (!is_kept(piece, layout)) {
      append_escape(text.instead_of(piece.bytes), piece.code);
    }
  }
  return text.finish();
}

std::string markup(std::string_view bytes) {
  const std::string seen = visible(bytes, lines);
  Edited text(seen);
  for (std::size_t at = seen.find_first_of(markup_characters); at != std::string::npos;
       at = seen.find_first_of(markup_characters, at + 1))
    text.instead_of(std::string_view(seen).substr(at, 1)).append(reference_to(seen[at]));
  return text.finish();
}

std::string stripped(std::string_view bytes, Layout layout) {
  Edited text(bytes);
  for (Pieces pieces(bytes); !pieces.is_done();) {
    if (const std::size_t length = terminal_sequence_length(pieces.rest()); length > 0) {
      text.instead_of(pieces.rest().substr(0, length));
      pieces.skip(length);
      continue;
    }
    const Piece piece = pieces.next();
    if (piece.kind == Piece::Kind::invalid) {
      text.instead_of(piece.bytes).append(replacement);
    } else if (!is_kept(piece, layout)) {
      text.instead_of(piece.bytes).append(piece.code == U'\n' || piece.code == U'\t' ? " " : "");
    }
  }
  return text.finish();
}

}  // namespace toolwire::text
