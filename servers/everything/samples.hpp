// A very small image and a very small sound.
#pragma once

#include <string>

namespace everything {

/// A red pixel, image/png.
std::string red_pixel();

/// One sample of silence, audio/wav.
std::string moment_of_silence();

}  // namespace everything
