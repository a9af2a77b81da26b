// What Redis runs as one step, nothing else between. Independent of who asks for it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/redis.hpp>

#include "reply.hpp"

namespace toolwire::redis {

struct Script {
  std::string_view text;
  std::string_view sha1;  ///< Of the text, by which Redis knows it; redis_scripts_test compares.
};

/// KEYS: a nonce's names. ARGV: its time to live in milliseconds. 1 if none of them was there: then all are.
inline constexpr Script use_nonce{R"lua(for _, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then return 0 end
end
for _, key in ipairs(KEYS) do redis.call('SET', key, '1', 'PX', ARGV[1]) end
return 1
)lua",
                                  "6507cde10cc07f503e736172fa589f522c45ecaa"};

/// KEYS: a window's names, each a list of the times of calls in microseconds, the oldest first. ARGV: how many calls a
/// minute, and "look" or "charge". How many milliseconds to wait; 0: the call is allowed, and counted if it is charged.
/// Where Redis' clock was set back, what was counted later than now was counted now at the latest.
inline constexpr Script rate{R"lua(local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = 60000000
local wait = 0
for _, key in ipairs(KEYS) do
  local place = -1
  local at = redis.call('LINDEX', key, place)
  while at and tonumber(at) > now do
    redis.call('LSET', key, place, string.format('%.0f', now))
    place = place - 1
    at = redis.call('LINDEX', key, place)
  end
  local limiting = redis.call('LINDEX', key, '-' .. ARGV[1])
  if limiting then wait = math.max(wait, tonumber(limiting) + window - now) end
end
if wait > 0 then return math.ceil(wait / 1000) end
if ARGV[2] == 'look' then return 0 end
for _, key in ipairs(KEYS) do
  local oldest = redis.call('LINDEX', key, 0)
  while oldest and tonumber(oldest) + window <= now do
    redis.call('LPOP', key)
    oldest = redis.call('LINDEX', key, 0)
  end
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, window / 1000 + 1000)
end
return 0
)lua",
                             "11e89aee47b4059cedc2a398bbbf4c2cf162fdcb"};

inline constexpr std::array all_scripts{use_nonce, rate};

/// Runs it, by its name where Redis has seen it since it was started.
void run(const std::shared_ptr<Client>& client, const Script& script, const std::vector<std::string>& keys,
         const std::vector<std::string>& arguments, Done<Reply> done);

}  // namespace toolwire::redis
