-- Returns the length of a log and its end.
-- KEYS: the log. ARGV: how many bytes the end has at most.
return {redis.call('STRLEN', KEYS[1]), redis.call('GETRANGE', KEYS[1], -ARGV[1], -1)}
