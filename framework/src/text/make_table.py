#!/usr/bin/env python3
"""Writes character_table.hpp, the one table of characters, from the Unicode Character Database.

Renewing it, where Debian's package unicode-data is installed:

    python3 framework/src/text/make_table.py /usr/share/unicode

With --check nothing is written; the exit code is 0 if the file is what would be written, 1 if it is not, and 77 if the
database is not there or of another version.
"""

import pathlib
import sys

from unicode_database import having, run, version_of, wrapped

TABLE = pathlib.Path(__file__).with_name("character_table.hpp")
BEYOND = 0x110000


def classes_of(database):
    """The class of each code point, by the rules that character_class.hpp tells."""
    category = database / "extracted" / "DerivedGeneralCategory.txt"
    properties = database / "PropList.txt"
    emoji = database / "emoji" / "emoji-data.txt"
    pictographs = having(emoji, "Extended_Pictographic")
    unassigned = having(category, "Cn") - pictographs - having(database / "EastAsianWidth.txt", "W")
    hidden = having(category, "Cc", "Cf", "Co", "Cs", "Zl", "Zp") | unassigned
    hidden -= having(properties, "Prepended_Concatenation_Mark")
    hidden |= having(database / "DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
    hidden |= having(properties, "Noncharacter_Code_Point")

    classes = ["shown"] * BEYOND
    layers = [
        ("mark", having(category, "Mn", "Me")),
        ("joining", having(database / "extracted" / "DerivedJoiningType.txt", "D", "L", "R")),
        ("virama", having(database / "extracted" / "DerivedCombiningClass.txt", "9")),
        ("pictograph", pictographs),
        ("modifier", having(emoji, "Emoji_Modifier")),
        ("hidden", hidden),
    ]
    for name, codes in layers:
        for code in codes:
            classes[code] = name
    return classes


def tag_flags(database):
    """The tags of each flag that is written with tag characters, as lists of numbers."""
    path = database / "emoji" / "emoji-sequences.txt"
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) > 1 and fields[1] == "RGI_Emoji_Tag_Sequence":
            found.append([int(code, 16) for code in fields[0].split()][1:])
    return found


def rows_of(classes):
    last = None
    for code, name in enumerate(classes):
        if name != last:
            yield f"{{0x{code:04X}, {name}}},"
        last = name


def table_text(database):
    rows = list(rows_of(classes_of(database)))
    flags = ['U"' + "".join(f"\\U{code:08X}" for code in tags) + '",' for tags in tag_flags(database)]
    return f"""// Written by make_table.py from the Unicode Character Database {version_of(database)}; renew it there, never by hand.
#pragma once

#include <array>
#include <string_view>

#include "text/character_class.hpp"

// clang-format off
namespace toolwire::text {{

inline constexpr std::string_view unicode_version = "{version_of(database)}";

/// The tags behind U+1F3F4 in the flags that are written so.
inline constexpr std::array<std::u32string_view, {len(flags)}> tag_flags{{{{
{chr(10).join("  " + flag for flag in flags)}
}}}};

struct CharacterRange {{
  char32_t first;  // of those up to the next range
  CharacterClass kind;
}};

inline constexpr auto character_ranges = [] {{
  using enum CharacterClass;
  return std::to_array<CharacterRange>({{
{chr(10).join("    " + line for line in wrapped(rows, 114))}
  }});
}}();

}}  // namespace toolwire::text
"""


if __name__ == "__main__":
    sys.exit(run(TABLE, table_text, sys.argv[1:]))
