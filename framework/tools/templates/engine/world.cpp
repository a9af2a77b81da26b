#include "world.hpp"

void World::step(double seconds) {
  constexpr double gravity = 9.81, kept_by_a_bounce = 0.8;
  time_ += seconds;
  for (auto& [name, body] : bodies_) {
    body.speed -= gravity * seconds;
    body.height += body.speed * seconds;
    if (body.height >= 0) continue;
    body.height = 0;
    body.speed *= -kept_by_a_bounce;
  }
}

bool World::drop(const std::string& name, double height) {
  return bodies_.emplace(name, Body{.height = height}).second;
}
