-- One step of one election. Each request is decided here, atomically.
--
-- KEYS: the lease (identity:epoch, expires), its record (a hash that never expires).
-- ARGV 1..7: request, requesting node, a version that is unique to this request, the connection's
-- id, the connection's age in ms, the longest lease in ms that a forgotten holder may have, and
-- whether an empty server counts as new (redis.new-server).
-- The other arguments depend on the request, see below.
-- Reply: verdict, incarnation, holder, epoch, lease ms, remaining ms, released, address, version,
-- whether INFO was allowed, this server's clock in ms, by which the client detects steps of the
-- clock, for how many ms it has run at least, and for how many more it grants nothing because of
-- that.
if redis.replicate_commands then redis.replicate_commands() end

local key, hash = KEYS[1], KEYS[2]
local asked, node, version = ARGV[1], ARGV[2], ARGV[3]
local longest = tonumber(ARGV[6])

-- Numbers are doubles here, exact up to 2^53, so texts of up to 15 digits are exact.
local function whole(text)
  if text and string.match(text, '^%d+$') and #text <= 15 then return tonumber(text) end
  return nil
end

local function digits(number) return string.format('%.0f', number) end

-- The highest epoch that is granted or written, and how far above this server's clock an epoch that
-- is read may be; filled in from EpochRange.
local max_epoch, max_lead = @MAX_EPOCH@, @MAX_LEAD@

-- An invalid value for an error text: at most 40 characters, without control characters.
local function shown_as(text)
  if not text then return '' end
  return (string.gsub(string.sub(text, 1, 40), '%c', '?'))
end

-- The incarnation of this server, and a lower bound of its uptime.
local incarnation, lived, informed = ARGV[4], tonumber(ARGV[5]), '1'
local was_replica = true -- Unless it is known not to have been one.
local server = redis.pcall('INFO', 'server')
local replication = redis.pcall('INFO', 'replication')
if type(server) == 'string' and type(replication) == 'string' then
  local function field(text, name) return string.match(text, name .. ':([^\r\n]*)') end
  if field(replication, 'role') ~= 'master' then
    return redis.error_reply('NOTMASTER this server is a replica')
  end
  local uptime = whole(field(server, 'uptime_in_seconds'))
  local run, replid = field(server, 'run_id'), field(replication, 'master_replid')
  if not uptime or not run then
    return redis.error_reply('NOINFO this server does not report its run_id and uptime')
  end
  incarnation = run .. ':' .. (replid or '')
  was_replica = not string.match(field(replication, 'master_replid2') or '', '^0+$')
  lived = (uptime - 1) * 1000 -- Whole seconds of the clock: may be one too many.
else
  informed = '0'
end

local time = redis.call('TIME')
local second = tonumber(time[1])
local now = second * 1000 + math.floor(tonumber(time[2]) / 1000)

local function is_epoch(text)
  local number = whole(text)
  return number ~= nil and number >= 1 and number <= math.min(max_epoch, second + max_lead)
end

local value = redis.call('GET', key)
local read = redis.call('HMGET', hash, 'epoch', 'holder', 'lease_ms', 'renewed', 'released',
  'address', 'version', 'granted_in', 'written_in')
local record = nil
-- Refused before any other reply, so that no client remembers it.
if (read[1] or read[2]) and not is_epoch(read[1]) then
  return redis.error_reply('BADEPOCH ' .. shown_as(read[1]))
end
-- A text that does not end in a number is another program's lock and is respected.
local key_epoch = value
  and string.match(value, '^.+:(%s*[%+%-]?%d+%.?%d*[eE]?[%+%-]?%d*%s*)$')
if key_epoch and not is_epoch(key_epoch) then
  return redis.error_reply('BADKEY ' .. shown_as(key_epoch))
end
if read[1] or read[2] then
  record = {
    epoch = whole(read[1]), holder = read[2], lease = whole(read[3]), renewed = whole(read[4]),
    released = read[5] == '1', address = read[6] or '', version = read[7] or '',
    granted_in = read[8] or '', written_in = read[9] or ''
  }
  if not (record.epoch and record.holder and record.lease and record.renewed) then
    return redis.error_reply('BADRECORD epoch, holder, lease_ms or renewed is missing or no number')
  end
end

-- A few ms more than counted, so that the key has expired for a client that waits that long.
local function left(ms) return ms + 2 + math.ceil(ms / 1000) end

-- The rest of the record's lease by this server's clock, without regard to the key.
local function unexpired()
  if record.released then return 0 end
  local ms = math.min(record.renewed + record.lease - now, record.lease)
  return ms > 0 and left(ms) or 0
end

-- The holder by the key, if the record has another one or none.
local function foreign()
  local holder, epoch = string.match(value, '^(.+):(%d+)$')
  if not holder or not whole(epoch) then
    holder = value == '' and '(empty)' or value
    epoch = record and digits(record.epoch) or '0'
  end
  return { holder = holder, epoch = whole(epoch), lease = longest, released = false, address = '',
    version = 'key:' .. value }
end

local function named() return record and value == record.holder .. ':' .. digits(record.epoch) end

-- The record in the reply, and how long to wait for it.
local shown, remaining
local function show()
  if value then
    shown = (named() and not record.released) and record or foreign()
    local ttl = redis.call('PTTL', key)
    remaining = ttl >= 0 and left(ttl) or longest
  elseif record then
    shown, remaining = record, unexpired()
  else
    shown = { holder = '', epoch = 0, lease = 0, released = false, address = '', version = '' }
    remaining = 0
  end
end
show()

-- A recently started server may have lost a lease that has not ended yet.
local young = longest + 1000 - lived
if young > 0 then young = math.ceil(young / 1000) * 1000 + 150 else young = 0 end

-- A record that its holder has not written in this incarnation of the server may be an old copy: a
-- replica that lagged when it was promoted does not have a later tenure. Then a release proves
-- nothing, and a node that wants the lease waits for the longest possible lease.
local stale = informed == '1' and record and record.written_in ~= incarnation

-- With redis.new-server, the operator vouches that a server without a record has not lost one. A
-- record that began in this incarnation proves that it had none before, or that its predecessor was
-- waited out. A record of an earlier incarnation, a server that was a replica, and one that is not
-- known by its run_id keep the wait. See docs/redis.md#a-new-server.
local function excuse_new_server()
  if ARGV[7] == '1' and informed == '1' and not was_replica and record
    and record.granted_in == incarnation and record.written_in == incarnation then
    young = 0
  end
end

local function answer(verdict)
  local waits = shown.holder ~= '' or shown.epoch > 0
  local rest = waits and math.max(remaining, young, stale and longest or 0) or remaining
  local released = shown.released and young == 0 and not stale
  return { verdict, incarnation, shown.holder, digits(shown.epoch), digits(shown.lease),
    digits(rest), released and '1' or '0', shown.address, shown.version, informed, digits(now),
    digits(lived), digits(young) }
end

local function write(fields)
  local all = { hash }
  for name, text in pairs(fields) do
    all[#all + 1] = name
    all[#all + 1] = text
  end
  redis.call('HSET', unpack(all))
end

local function granted(epoch)
  return { 'granted', incarnation, node, digits(epoch), '0', '0', '0', '', version, informed,
    digits(now), digits(lived), '0' }
end

if asked ~= 'acquire' then excuse_new_server() end

if asked == 'look' then
  return answer('held')
end

if asked == 'acquire' then
  -- 8 lease ms, 9 address, 10 highest epoch, 11 known incarnation or '', 12 whether an empty store
  -- is trusted, 13 whether a write was waited out, 14..17 its incarnation, holder, epoch, version
  local lease, address, highest, known = tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10]), ARGV[11]
  -- A claimant that knows of more than this server keeps the wait.
  local knows_more = (known ~= '' and known ~= incarnation)
    or highest > (record and record.epoch or 0)
  if not knows_more then excuse_new_server() end
  if value then return answer('held') end
  if not record and math.max(highest, second) >= max_epoch then
    return redis.error_reply('LASTEPOCH ' .. digits(math.max(highest, second)))
  end
  if not record then
    local wait = ARGV[12] == '1' and 0 or longest
    write({ epoch = digits(math.max(highest, second)), holder = '', lease_ms = digits(wait),
      renewed = digits(now), released = '0', address = '', version = version,
      granted_in = incarnation, written_in = incarnation })
    record = { epoch = math.max(highest, second), holder = '', lease = wait, renewed = now,
      released = false, address = '', version = version, granted_in = incarnation,
      written_in = incarnation }
    stale = false
    show()
    if not knows_more then excuse_new_server() end
    return answer('held')
  end
  local waited_out = ARGV[13] == '1' and ARGV[14] == incarnation and ARGV[15] == record.holder
    and ARGV[16] == digits(record.epoch) and ARGV[17] == record.version
  local given_back = record.released and not stale and record.epoch >= highest
    and (known == '' or known == incarnation)
  if remaining > 0 or young > 0 or not (waited_out or given_back) then return answer('held') end

  local epoch = math.max(record.epoch, highest)
  local unbroken = record.granted_in == incarnation and record.holder ~= ''
    and record.epoch >= highest
  if not unbroken then epoch = math.max(epoch, second) end
  if epoch >= max_epoch then return redis.error_reply('LASTEPOCH ' .. digits(epoch)) end
  epoch = epoch + 1
  if not redis.call('SET', key, node .. ':' .. digits(epoch), 'NX', 'PX', digits(lease)) then
    return redis.error_reply('BADRECORD the key appeared while the script ran')
  end
  write({ epoch = digits(epoch), holder = node, lease_ms = digits(lease), renewed = digits(now),
    released = '0', address = address, version = version, granted_in = incarnation,
    written_in = incarnation })
  return granted(epoch)
end

local epoch = tonumber(ARGV[8])
local mine = record and record.holder == node and record.epoch == epoch and not record.released

if asked == 'renew' then
  -- 8 epoch, 9 lease ms, 10 address
  if not (mine and value and named()) then return answer('held') end
  redis.call('SET', key, value, 'PX', ARGV[9])
  write({ lease_ms = ARGV[9], renewed = digits(now), address = ARGV[10], version = version,
    written_in = incarnation })
  return granted(epoch)
end

-- release: 8 epoch, 9 the incarnation in which the node last saw the store, 10 channel, 11 message
if mine and ARGV[9] == incarnation then
  if value and named() then
    redis.call('DEL', key)
    value = false
  end
  write({ released = '1', version = version, written_in = incarnation })
  record.released, record.version, stale = true, version, false
  redis.pcall('PUBLISH', ARGV[10], ARGV[11])
  show()
end
return answer('held')
