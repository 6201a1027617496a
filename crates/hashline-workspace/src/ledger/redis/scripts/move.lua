-- Gives a log another name, and replaces the log that had it; does nothing if there is no such log.
-- KEYS: the log, the log with the new name, the sizes of all logs, the times of their oldest records. ARGV: the name and the new name.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('RENAME', KEYS[1], KEYS[2])
local replaced = tonumber(redis.call('ZSCORE', KEYS[3], ARGV[2]) or 0)
redis.call('ZINCRBY', KEYS[3], -replaced, 'total')
for _, numbers in ipairs({KEYS[3], KEYS[4]}) do
  local number = redis.call('ZSCORE', numbers, ARGV[1])
  redis.call('ZREM', numbers, ARGV[1], ARGV[2])
  if number then
    redis.call('ZADD', numbers, number, ARGV[2])
  end
end
return 1
