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

/// KEYS: a task, the tasks in their order, those of them that are over, when these end, the last number that was given,
/// and its lease. ARGV: the version it has now (empty: it is new), its next version and record, its lease (empty: it is
/// over) and, if it ends some day, when it does and for how many milliseconds it is kept from now on; of a new one also
/// how many there may be, the time, and for how many milliseconds the lease holds. 1 if it was written, 0 if it has
/// another version, -1 if there is no room: then none is over.
inline constexpr Script write_task{R"lua(local task, order, over, ends = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, version, record, lease, ending, life, bound, now, lease_life = unpack(ARGV)
local function drop(name)
  redis.call('DEL', name, name .. ':answers')
  for _, set in ipairs({order, over, ends}) do redis.call('ZREM', set, name) end
end
local known = redis.call('HGET', task, 'version') or ''
if known ~= expected then return 0 end
if known == '' then
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 100)) do
    if redis.call('EXISTS', name) == 0 then drop(name) end
  end
  if redis.call('ZCARD', order) >= tonumber(bound) then
    local expired = redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 1)[1]
    local oldest = expired or redis.call('ZRANGE', over, 0, 0)[1]
    if not oldest then return -1 end
    drop(oldest)
  end
  redis.call('ZADD', order, redis.call('INCR', KEYS[5]), task)
  if lease ~= '' then redis.call('SET', lease, '1', 'PX', lease_life) end
end
redis.call('HSET', task, 'version', version, 'record', record, 'lease', lease)
if lease == '' then
  redis.call('DEL', task .. ':answers')
  redis.call('ZADD', over, redis.call('ZSCORE', order, task) or 0, task)
  if ending ~= '' then
    redis.call('ZADD', ends, ending, task)
    redis.call('PEXPIRE', task, life)
  end
end
return 1
)lua",
                                   "d6f658485d283acea3fe514b19211be90c5709eb"};

/// KEYS: a task's names. ARGV: the tasks in their order. Its name, number, version, record and lease, and whether that
/// is there; nothing if it is not there.
inline constexpr Script find_task{R"lua(for _, task in ipairs(KEYS) do
  local kept = redis.call('HMGET', task, 'version', 'record', 'lease')
  if kept[1] and kept[2] and kept[3] then
    local number = redis.call('ZSCORE', ARGV[1], task) or '0'
    return {task, number, kept[1], kept[2], kept[3], redis.call('EXISTS', kept[3])}
  end
end
return {}
)lua",
                                  "173dc17322a080e0a5f1d315590025385bf52b54"};

/// KEYS: the tasks in their order. ARGV: the number after which they begin, and how many. Of each its name, number,
/// version, record and lease, and whether that is there; fewer where they are large.
inline constexpr Script list_tasks{R"lua(local page, bytes = {}, 0
local names = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
for i = 1, #names, 2 do
  local kept = redis.call('HMGET', names[i], 'version', 'record', 'lease')
  local lease = kept[3] or ''
  local there = redis.call('EXISTS', lease)
  page[#page + 1] = {names[i], names[i + 1], kept[1] or '', kept[2] or '', lease, there}
  bytes = bytes + #(kept[2] or '')
  if bytes > 4194304 then break end
end
return page
)lua",
                                   "ba9fa7c53a6d2ca0cfb8db191ad041f59d19cf79"};

/// KEYS: a task, the tasks in their order, those that are over, and when these end. Forgets it.
inline constexpr Script forget_task{R"lua(for i = 2, 4 do redis.call('ZREM', KEYS[i], KEYS[1]) end
return redis.call('DEL', KEYS[1], KEYS[1] .. ':answers')
)lua",
                                    "9868ece0eb1fd4cad0fcfe7e52de9ab2936f8865"};

/// KEYS: the answers to a task's questions. ARGV: one more, how many milliseconds they are kept, and how many there may
/// be. 1 if it was added, 0 if there is no room.
inline constexpr Script add_answer{R"lua(if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
)lua",
                                   "8ef475bd3c454e72f5c37f7d8ef552c0e5a6a3f6"};

inline constexpr std::array all_scripts{use_nonce, rate, write_task, find_task, list_tasks, forget_task, add_answer};

/// Runs it, by its name where Redis has seen it since it was started.
void run(const std::shared_ptr<Client>& client, const Script& script, const std::vector<std::string>& keys,
         const std::vector<std::string>& arguments, Done<Reply> done);

}  // namespace toolwire::redis
