// Transcripts as test cases: for programs that replay all of them against a server.
#pragma once

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

#include "transcript.hpp"

namespace toolwire_test {

/// Registers one test case for every transcript that `applies`, in a suite named after its revision. For the
/// initializer of a global.
inline bool add_transcripts(
    const ServerMaker& maker,
    const std::function<bool(const std::string& revision, const std::string& name)>& applies = {}) {
  namespace ut = boost::unit_test;
  for (const std::string& revision : transcript_revisions()) {
    auto* const suite = BOOST_TEST_SUITE(revision);
    for (const Transcript& transcript : transcripts_of(revision)) {
      if (applies && !applies(revision, transcript.name())) continue;
      suite->add(ut::make_test_case([transcript, maker] { replay(transcript, maker); }, transcript.name(), __FILE__,
                                    __LINE__));
    }
    ut::framework::master_test_suite().add(suite);
  }
  return true;
}

}  // namespace toolwire_test
