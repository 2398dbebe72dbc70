/** What the SDK can, in the words of the protocol. */
export const CAPABILITIES = (
  "activations causes clock devices downloads enrollment exit grace hardware keys leases metering " +
  "offline offline_requests open proof protected proxies refresh reservations sentences sessions settings signals state telemetry updates verdicts " +
  "versions watch"
).split(" ");
