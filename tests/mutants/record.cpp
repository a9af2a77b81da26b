// Finds out what the suite says of mutants.
// Usage: record-mutants [--whole | --table] [--threads N] [GROUP | GROUP/FAULT]...
// Judges these faults (all without names) with the groups of the checks they are made for, or with the whole suite, and
// writes the outcome to expected.json. With --table it writes nothing: it judges each by the names of the tools, and as
// that of a stranger, and prints a table of how many are told, and on standard error what a stranger gets away with.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "judging.hpp"

namespace {

using mutants::Complaints;
using mutants::Fault;

struct Wish {
  bool whole = false;
  bool table = false;
  unsigned threads = 4;
  std::vector<std::string> names = {};
};

Wish wish_from(int argc, char** argv) {
  Wish wish;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--whole")
      wish.whole = true;
    else if (word == "--table")
      wish.table = true;
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

/// How many faults there are, and how many are told by a check they are made for.
struct Told {
  std::size_t faults = 0, by_name = 0, by_looking = 0;
  void add(const Told& more) {
    faults += more.faults;
    by_name += more.by_name;
    by_looking += more.by_looking;
  }
};

bool is_told(const Fault& fault, mutants::Fixtures fixtures) {
  const Complaints complaints = mutants::judge(fault, {.groups = mutants::groups_of(fault), .fixtures = fixtures});
  return std::ranges::any_of(fault.fails, [&](const std::string& check) { return complaints.contains(check); });
}

void print_row(const std::string& name, const Told& told) {
  std::printf("| %s | %zu | %zu | %zu |\n", name.c_str(), told.faults, told.by_name, told.by_looking);
}

void print_table(const Wish& wish) {
  std::map<std::string, Told> groups;
  std::mutex mutex;
  mutants::each_fault(wanted(mutants::read_all_faults(MUTANTS_FAULTS), wish), wish.threads, [&](const Fault& fault) {
    const bool by_name = is_told(fault, mutants::Fixtures::by_name);
    const bool by_looking = is_told(fault, mutants::Fixtures::by_looking);
    std::lock_guard lock(mutex);
    if (!by_name) std::fprintf(stderr, "%s: not told\n", fault.name.c_str());
    if (by_name && !by_looking) std::fprintf(stderr, "%s: not told by looking\n", fault.name.c_str());
    groups[fault.name.substr(0, fault.name.find('/'))].add({1, by_name ? 1U : 0U, by_looking ? 1U : 0U});
  });
  Told own;
  Told of_strangers;
  std::printf("| faults | of these | told by name | told by looking |\n|---|---|---|---|\n");
  for (const auto& [group, told] : groups) {
    print_row("`" + group + "`", told);
    (group.starts_with("blind-") ? of_strangers : own).add(told);
  }
  print_row("all of ours", own);
  print_row("all of strangers", of_strangers);
  own.add(of_strangers);
  print_row("all", own);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Wish wish = wish_from(argc, argv);
    wish.table ? print_table(wish) : run(wish);
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "record-mutants: %s\n", problem.what());
    return 2;
  }
}
