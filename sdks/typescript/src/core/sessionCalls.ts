/** The session calls of the API, and what the server grants. */

import { buildRequest, call, type Call } from "./api.js";
import { optionalInteger } from "./claims.js";
import type { LicenseCore } from "./core.js";
import { type Answer, unexpectedReply } from "./reply.js";
import { NO_RETRIES } from "./retries.js";
import { asDate, parseTime } from "./time.js";
import type { TransportRequest } from "./transport.js";

const DISCONNECT = "/sessions/disconnect";
const MIN_INTERVAL = 0.05;
const MAX_DURATION = 86_400;

/** A seat as last granted by the server. Durations are seconds. */
export interface SessionGrant {
  readonly sessionId: string;
  /** Between heartbeats. */
  readonly interval: number;
  /** Without a heartbeat for so long, the server releases the seat. */
  readonly timeout: number;
  /** When the seat expires without another heartbeat, by the server's clock. */
  readonly expiresAt: Date | null;
  readonly seatsUsed: number | null;
  readonly seatsTotal: number | null;
}

/** The API calls of one session. */
export class SessionCalls {
  constructor(
    readonly core: LicenseCore,
    private readonly licenseKey: string,
    private readonly hardwareId: string,
    /** What the next connect names. */
    public instanceId: string,
  ) {}

  /** Claims a seat. It replaces the seat that this instance held before. */
  async connect(options: Call = {}): Promise<SessionGrant> {
    const { deviceName, appVersion } = this.core.config;
    const fields = {
      licenseKey: this.licenseKey,
      hardwareId: this.hardwareId,
      instanceId: this.instanceId,
      deviceName,
      appVersion,
      components: await this.core.components?.(),
      ...this.core.credentials,
    };
    const answer = await call(this.core, "/sessions/connect", fields, {
      ...options,
      success: [200, 201],
    });
    const { sessionId } = answer.body;
    if (typeof sessionId !== "string") throw unexpectedReply("the session", answer.requestId);
    const timeout = duration(answer, "sessionTimeoutSeconds", 90);
    return {
      sessionId,
      interval: interval(answer, timeout / 3, timeout),
      timeout,
      expiresAt: asDate(parseTime(answer.body["expiresAt"])),
      seatsUsed: optionalInteger(answer.body["seatsUsed"]),
      seatsTotal: optionalInteger(answer.body["seatsTotal"]),
    };
  }

  /** Renews the grant. */
  async heartbeat(grant: SessionGrant, timeoutSeconds: number): Promise<SessionGrant> {
    const { sessionId } = grant;
    const options = { retries: NO_RETRIES, timeoutSeconds };
    const answer = await call(this.core, "/sessions/heartbeat", { sessionId }, options);
    if ((answer.body["sessionId"] ?? sessionId) !== sessionId) {
      throw unexpectedReply("the session", answer.requestId);
    }
    const timeout = duration(answer, "sessionTimeoutSeconds", grant.timeout);
    return {
      ...grant,
      interval: interval(answer, grant.interval, timeout),
      timeout,
      expiresAt: asDate(parseTime(answer.body["expiresAt"])) ?? grant.expiresAt,
    };
  }

  /** Releases the seat, in one attempt. */
  async disconnect(sessionId: string, timeoutSeconds: number): Promise<void> {
    const options = { retries: NO_RETRIES, timeoutSeconds, success: [200, 204] };
    await call(this.core, DISCONNECT, { sessionId }, options);
  }

  /** The same as a request for a process that cannot wait, not even for its proof. */
  lastRequest(sessionId: string): Promise<Omit<TransportRequest, "timeoutSeconds">> {
    const { config, platform, proofs } = this.core;
    return proofs.sign(buildRequest(config, platform.agent, DISCONNECT, { sessionId }));
  }
}

function interval(answer: Answer, fallback: number, timeout: number): number {
  // With an interval as long as the timeout, every heartbeat would be late.
  const asked = duration(answer, "heartbeatIntervalSeconds", fallback);
  return Math.max(MIN_INTERVAL, Math.min(asked, timeout / 2));
}

function duration({ body }: Answer, name: string, fallback: number): number {
  const value = body[name];
  return typeof value === "number" && value > 0 ? Math.min(value, MAX_DURATION) : fallback;
}
