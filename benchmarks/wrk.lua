-- Sends the bodies of a file in turn, or GETs without one; prints the outcome as JSON.
-- Arguments: the file (or ""), the expected status, the expected text (or "").
local threads = {}
failed = 0

function setup(thread)
   table.insert(threads, thread)
end

function init(args)
   local file, status, expected = args[1], tonumber(args[2]), args[3]
   if file ~= "" then
      local requests, at = {}, 0
      for body in io.lines(file) do
         requests[#requests + 1] = wrk.format("POST", nil, nil, body)
      end
      request = function()
         at = at % #requests + 1
         return requests[at]
      end
   end
   response = function(got, _, body)
      if got ~= status or (expected ~= "" and not body:find(expected, 1, true)) then
         failed = failed + 1
      end
   end
end

function done(summary, latency, _)
   local errors = summary.errors
   local lost = errors.connect + errors.read + errors.write + errors.timeout
   for _, thread in ipairs(threads) do
      lost = lost + thread:get("failed")
   end
   io.write(string.format(
      '\n{"measured":%d,"total":%d,"failed":%d,"seconds":%f,"p50_ms":%f,"p99_ms":%f}\n',
      summary.requests, summary.requests, lost, summary.duration / 1e6,
      latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
