#!/usr/bin/env python3
"""Writes word_table.hpp, the characters of \\w, \\d and \\s, from the Unicode Character Database.

They are as ripgrep 13 has them (UTS #18, annex C), so as Unicode 14 did: characters that came later are left out.
Renewing it, where Debian's package unicode-data is installed:

    python3 servers/workspace/text/make_word_table.py /usr/share/unicode

With --check nothing is written; the exit code is 0 if the file is what would be written, 1 if it is not, and 77 if the
database is not there or of another version.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "framework/src/text"))
from unicode_database import entries, having, run, version_of, wrapped  # noqa: E402

TABLE = pathlib.Path(__file__).with_name("word_table.hpp")
NEWEST = (14, 0)


def known(database):
    return {code for first, last, value in entries(database / "DerivedAge.txt")
            if tuple(map(int, value.split("."))) <= NEWEST for code in range(first, last + 1)}


def tables(database):
    category = database / "extracted" / "DerivedGeneralCategory.txt"
    properties = database / "PropList.txt"
    words = having(database / "DerivedCoreProperties.txt", "Alphabetic") | having(properties, "Join_Control")
    words |= having(category, "Mn", "Mc", "Me", "Nd", "Pc")
    age = known(database)
    return {"word_ranges": words & age, "digit_ranges": having(category, "Nd") & age,
            "space_ranges": having(properties, "White_Space") & age}


def ranges_of(codes):
    ranges = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def table_text(database):
    parts = []
    for name, codes in tables(database).items():
        rows = [f"{{0x{first:04X}, 0x{last:04X}}}," for first, last in ranges_of(codes)]
        lines = "\n".join("  " + line for line in wrapped(rows, 116))
        parts.append(f"inline constexpr std::array<CodeRange, {len(rows)}> {name}{{{{\n{lines}\n}}}};\n")
    return f"""// Written by make_word_table.py from the Unicode Character Database {version_of(database)}; renew it there, never by hand.
#pragma once

#include <array>

// clang-format off
namespace workspace {{

struct CodeRange {{
  char32_t first, last;
}};

{chr(10).join(parts)}
}}  // namespace workspace
"""


if __name__ == "__main__":
    sys.exit(run(TABLE, table_text, sys.argv[1:]))
