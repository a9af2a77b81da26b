#include "play/play.hpp"

#include <csignal>
#include <stdexcept>

#include "play/cases.hpp"

namespace toolwire::conformance {

int play(const std::string& folder) {
  const PlaySettings settings = read_settings(folder);
  const Case* const one = find_case(settings.played);
  if (one == nullptr) throw std::runtime_error("there is no case " + settings.played);
  std::signal(SIGPIPE, SIG_IGN);  // a host that is gone is seen by its input
  PlayedLinesWriter lines(folder);
  lines.add(From::note, "starts");
  try {
    Stage stage(settings, lines);
    one->play(stage);
    stage.finish();
  } catch (const InputEnded&) {
    lines.add(From::note, note::ended);
  }
  return 0;
}

}  // namespace toolwire::conformance
