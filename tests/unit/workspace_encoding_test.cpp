#include "workspace/text/encoding.hpp"

#define BOOST_TEST_MODULE workspace_encoding_test
#include <boost/test/unit_test.hpp>
#include <string>

using namespace std::string_literals;
using workspace::Encoding;
using workspace::encoding_of;
using workspace::encoding_of_whole;
using workspace::from_utf8;
using workspace::to_utf8;

namespace {

const std::string little = "\xFF\xFEh\0\xE9\0\x3D\xD8\x00\xDE"s;  // with its mark: h, é, 😀
const std::string big = "\xFE\xFF\0h\0\xE9\xD8\x3D\xDE\x00"s;
const std::string same = "h\u00e9\U0001F600";

}  // namespace

BOOST_AUTO_TEST_CASE(marks_decide) {
  BOOST_TEST((encoding_of("\xEF\xBB\xBFx") == Encoding::utf8_with_mark));
  BOOST_TEST((encoding_of(little) == Encoding::utf16_little));
  BOOST_TEST((encoding_of(big) == Encoding::utf16_big));
}

BOOST_AUTO_TEST_CASE(without_a_mark_the_bytes_decide) {
  BOOST_TEST((encoding_of("") == Encoding::utf8));
  BOOST_TEST((encoding_of("plain\n") == Encoding::utf8));
  BOOST_TEST((encoding_of("caf\u00e9") == Encoding::utf8));
  BOOST_TEST((encoding_of("cut within \xE2\x82") == Encoding::utf8));
  BOOST_TEST((encoding_of("caf\xE9 au lait") == Encoding::latin1));
  BOOST_TEST((encoding_of("\u00e9 and \xE9") == Encoding::utf8));
  BOOST_TEST((encoding_of("\x80\x81") == Encoding::utf8));
  BOOST_TEST((encoding_of("h\0e\0l\0l\0o\0"s) == Encoding::utf16_little));
  BOOST_TEST((encoding_of("\0h\0e\0l\0l\0o"s) == Encoding::utf16_big));
  BOOST_TEST((encoding_of("\x7f"
                          "ELF\0\0\x01\x02"s) == Encoding::binary));
}

BOOST_AUTO_TEST_CASE(all_of_a_file_tells_utf8_from_latin1) {
  const std::string start(workspace::start_size, 'a');
  BOOST_TEST((encoding_of_whole(start + "caf\xE9") == Encoding::latin1));
  BOOST_TEST((encoding_of_whole(start + "caf\u00e9") == Encoding::utf8));
  BOOST_TEST((encoding_of_whole("\xE9" + start + "caf\u00e9") == Encoding::utf8));
  BOOST_TEST((encoding_of_whole("\xE9" + start + "caf\xE9") == Encoding::latin1));
  // Only a NUL in the start makes a file binary, as nobody looks at all of it to show a part.
  BOOST_TEST((encoding_of_whole(start + "\0\1"s) == Encoding::utf8));
  BOOST_TEST((encoding_of_whole("\0\1"s + start) == Encoding::binary));
}

BOOST_AUTO_TEST_CASE(every_encoding_goes_to_utf8_and_back) {
  for (const auto& [bytes, encoding] : {std::pair{little, Encoding::utf16_little}, {big, Encoding::utf16_big}}) {
    BOOST_TEST(to_utf8(bytes, encoding) == same);
    BOOST_TEST((from_utf8(same, encoding) == bytes));
  }
  BOOST_TEST(to_utf8("caf\xE9", Encoding::latin1) == "caf\u00e9");
  BOOST_TEST((from_utf8("caf\u00e9", Encoding::latin1) == "caf\xE9"s));
  BOOST_TEST(to_utf8("\xEF\xBB\xBFx", Encoding::utf8_with_mark) == "x");
  BOOST_TEST((from_utf8("x", Encoding::utf8_with_mark) == "\xEF\xBB\xBFx"s));
}

BOOST_AUTO_TEST_CASE(what_an_encoding_cannot_hold_is_not_written) {
  BOOST_TEST(!from_utf8("\u20ac", Encoding::latin1).has_value());
  BOOST_TEST(!from_utf8("\xFF", Encoding::utf16_little).has_value());
  BOOST_TEST(!from_utf8("x", Encoding::binary).has_value());
}

BOOST_AUTO_TEST_CASE(damaged_utf16_becomes_replacement_characters) {
  BOOST_TEST(to_utf8("\xFF\xFE\x3D\xD8h\0"s, Encoding::utf16_little) == "\uFFFDh");
  BOOST_TEST(to_utf8("\xFF\xFEh\0x"s, Encoding::utf16_little) == "h\uFFFD");
  BOOST_TEST(to_utf8("\xFF\xFE\x00\xDE"s, Encoding::utf16_little) == "\uFFFD");
}
