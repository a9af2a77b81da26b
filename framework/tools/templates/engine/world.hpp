// What the loop is about: bodies that fall and bounce. Knows nothing of tools; your engine takes its place.
#pragma once

#include <map>
#include <string>

struct Body {
  double height = 0, speed = 0;  // metres, metres a second upwards
};

/// One thread.
class World {
 public:
  void step(double seconds);

  /// False if there is one of that name.
  bool drop(const std::string& name, double height);
  const std::map<std::string, Body>& bodies() const { return bodies_; }
  double time() const { return time_; }

 private:
  std::map<std::string, Body> bodies_;
  double time_ = 0;
};
