-- Replaces a value, if it is still the one that was read; a missing one counts as empty.
-- KEYS: the value. ARGV: the value that was read, the new one, and for how many seconds it is kept.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
