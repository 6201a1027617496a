-- Changes a log, if it is still as it was read and there is room: its first bytes stay, and others follow them.
-- KEYS: the log, the sizes of all logs, the times of their oldest records, the cut lines.
-- ARGV: the length and the end that were read, how many bytes stay, the bytes that follow, the limit of all logs together, the name of the log,
-- the time of the oldest of these records, and for how many seconds the records are kept.
-- Returns what was done, the length of the log and its end.
local size, last = redis.call('STRLEN', KEYS[1]), redis.call('GETRANGE', KEYS[1], -48, -1)
if size ~= tonumber(ARGV[1]) or last ~= ARGV[2] then
  return {'changed', size, last}
end
local stay, name, age = tonumber(ARGV[3]), ARGV[6], tonumber(ARGV[8])
local new_size = stay + #ARGV[4]
-- A log that expired is still counted, and one whose count was lost is not.
local counted = tonumber(redis.call('ZSCORE', KEYS[2], name) or 0)
local total = tonumber(redis.call('ZSCORE', KEYS[2], 'total') or 0) - counted + new_size
if new_size > size and total > tonumber(ARGV[5]) then
  return {'full', size, last}
end
if new_size == 0 then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], name)
  redis.call('ZREM', KEYS[3], name)
else
  if stay == size then
    redis.call('APPEND', KEYS[1], ARGV[4])
  elseif stay == 0 then
    redis.call('SET', KEYS[1], ARGV[4])
  else
    redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, stay - 1) .. ARGV[4])
  end
  redis.call('ZADD', KEYS[2], new_size, name)
  if stay == 0 then
    redis.call('ZADD', KEYS[3], ARGV[7], name)
  else
    redis.call('ZADD', KEYS[3], 'NX', ARGV[7], name)
  end
end
redis.call('ZADD', KEYS[2], total, 'total')
for _, key in ipairs(KEYS) do
  -- Another machine may keep records for longer.
  if redis.call('TTL', key) < age then
    redis.call('EXPIRE', key, age)
  end
end
return {'done', new_size, ''}
