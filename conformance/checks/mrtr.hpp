// The checks of questions within a request (2026-07-28 basic/patterns/mrtr), each table in the file of its name.
#pragma once

#include <string>

#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> mrtr_flow_checks();
std::span<const Check> mrtr_question_checks();
std::span<const Check> mrtr_state_checks();

bool asks(const Json& result);
/// The first result of a fixture that asks, with the capabilities given; skips if it asks nothing.
Json asked(Probe& probe, Session& session, const Callable& tool);
/// A retry of `tool` with answers, and the state of `question`.
Answer retry(Session& session, const Callable& tool, const Json& question, Json responses);
/// An answer to each question of `question`, as a patient user gives it.
JsonObject answers_to(const Json& question);

}  // namespace toolwire::conformance
