// Finds out what the suite says of mutants.
// Usage: record-mutants [--whole] [--threads N] [GROUP | GROUP/FAULT]...
// Judges these faults (all without names) with the groups of the checks they are made for, or with the whole suite, and
// writes the outcome to expected.json.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "judging.hpp"

namespace {

using mutants::Complaints;
using mutants::Fault;

struct Wish {
  bool whole = false;
  unsigned threads = 4;
  std::vector<std::string> names = {};
};

Wish wish_from(int argc, char** argv) {
  Wish wish;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--whole")
      wish.whole = true;
    else if (word == "--threads" && i + 1 < argc)
      wish.threads = static_cast<unsigned>(std::stoul(argv[++i]));
    else
      wish.names.push_back(word);
  }
  return wish;
}

std::vector<Fault> wanted(const std::vector<Fault>& all, const Wish& wish) {
  if (wish.names.empty()) return all;
  std::vector<Fault> faults;
  for (const Fault& fault : all) {
    const bool is_named = std::any_of(wish.names.begin(), wish.names.end(), [&](const std::string& name) {
      return fault.name == name || fault.name.starts_with(name + "/");
    });
    if (is_named) faults.push_back(fault);
  }
  return faults;
}

/// Checks the fault is made for that do not complain.
std::string missing(const Fault& fault, const Complaints& complaints) {
  std::string text;
  for (const std::string& check : fault.fails) {
    if (!complaints.contains(check)) text += " " + check;
  }
  return text.empty() ? "" : "   MISSING:" + text;
}

void run(const Wish& wish) {
  const std::vector<Fault> all = mutants::read_all_faults(MUTANTS_FAULTS);
  mutants::Expected found;
  std::mutex mutex;
  mutants::each_fault(wanted(all, wish), wish.threads, [&](const Fault& fault) {
    const Complaints complaints =
        mutants::judge(fault, {.groups = wish.whole ? std::set<std::string>() : mutants::groups_of(fault)});
    std::lock_guard lock(mutex);
    std::printf("%s: %s%s\n", fault.name.c_str(), mutants::text_of(complaints).c_str(),
                missing(fault, complaints).c_str());
    std::fflush(stdout);
    found[fault.name] = complaints;
  });
  mutants::record(found, all, wish.whole);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(wish_from(argc, argv));
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "record-mutants: %s\n", problem.what());
    return 2;
  }
}
