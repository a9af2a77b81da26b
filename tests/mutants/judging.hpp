// What the conformance suite says of a mutant, and the file that says what it should say. Knows no rules of faults.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fault.hpp"

namespace mutants {

/// The checks that FAIL or WARN, each with the worse of these words in all revisions.
using Complaints = std::map<std::string, std::string>;

/// How the suite knows the tools of the server for what they are: by the names of the official fixtures, or as with a
/// stranger's server, whose names mean nothing, by looking.
enum class Fixtures { by_name, by_looking };

struct Judging {
  std::set<std::string> groups = {};  // or checks; empty: all
  std::chrono::milliseconds timeout{1500};
  unsigned jobs = 8;
  Fixtures fixtures = Fixtures::by_name;
  std::string faults = MUTANTS_FAULTS;  // the folder in which the fault is described
};

/// Runs checks on the mutant of a fault, in the revisions the fault names.
Complaints judge(const Fault& fault, const Judging& judging);
/// What a fault is judged by: the groups of the checks it is made for, or these checks alone where their group takes
/// seconds; and the groups it names.
std::set<std::string> groups_of(const Fault& fault);
Complaints within(const Complaints& complaints, const std::set<std::string>& groups);
/// "batch-empty FAIL, batch-accepted WARN", or "nothing".
std::string text_of(const Complaints& complaints);

/// The checks no fault is made for.
std::set<std::string> uncovered(const std::vector<Fault>& all);
/// Those of which that is known: the list in uncovered.json, which only ever shrinks.
std::set<std::string> known_uncovered();

using Expected = std::map<std::string, Complaints>;  // by the name of the fault
Expected read_expected();
/// Puts these in the place of what the file says of the same faults, and takes out what is said of faults that are no
/// more; takes out of uncovered.json what is covered. Without `of_all_groups`: what the file says of other groups stays
/// where what it says of those of the fault is the same.
void record(const Expected& found, const std::vector<Fault>& all, bool of_all_groups);

/// Calls `look` with each of the faults, several at a time from threads of its own.
void each_fault(const std::vector<Fault>& faults, unsigned threads, const std::function<void(const Fault&)>& look);

}  // namespace mutants
