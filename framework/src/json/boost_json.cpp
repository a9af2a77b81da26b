// Boost.JSON compiled in, for builds with the thread sanitizer: it must see the library's atomics, or it reports false
// races on reference counts. Other builds link the packaged library and leave this file out.
#include <boost/json/src.hpp>
