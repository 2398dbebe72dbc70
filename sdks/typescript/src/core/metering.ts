/** Metering: charges that are made exactly once, and the balance. */

import { amountsOf } from "./amounts.js";
import { call } from "./api.js";
import { randomHex } from "./bytes.js";
import type { LicenseCore } from "./core.js";
import { CaptivePortalError, LicetError, NetworkError } from "./errors.js";
import { ProxyError, RateLimitedError, ServerUnavailableError, TlsError } from "./partErrors.js";
import { requiredKey } from "./fileCheck.js";
import { ConcurrencyConflictError } from "./refusals.js";
import { type Answer, unexpectedReply } from "./reply.js";
import type { RetryPolicy } from "./retries.js";

const MAX_QUANTITY = 1_000_000_000;
const MAX_NAME_LENGTH = 128;
const RETRYABLE = [
  NetworkError,
  ServerUnavailableError,
  RateLimitedError,
  ConcurrencyConflictError,
];
const FINAL = [TlsError, ProxyError, CaptivePortalError];

/** Retrying is safe even if the charge was made: the key prevents a second one. */
const CHARGE_RETRIES: RetryPolicy = {
  attempts: 5,
  budget: 2,
  isRetryable: (error) =>
    RETRYABLE.some((kind) => error instanceof kind) && !FINAL.some((kind) => error instanceof kind),
};

/** A charge that was made. Amounts are exact decimals as text, such as `"2.5"`. */
export interface Consumption {
  readonly featureName: string;
  readonly quantity: number;
  /** The amount charged. */
  readonly cost: string;
  /** The balance after the charge; of reserved credits, what remains of them. */
  readonly balance: string;
  /** The entry of the ledger; of reserved credits, the ID of the lease and the number of the charge. */
  readonly ledgerEntryId: string;
  readonly licenseId: string;
  /** Repeating the call with this key charges nothing. */
  readonly idempotencyKey: string;
  /** Whether an earlier attempt with the same key made the charge. */
  readonly replayed: boolean;
  /** Whether reserved credits were charged, without the server. */
  readonly reserved: boolean;
}

/** The balance of a metered license, shared by all its devices. */
export interface Balance {
  readonly licenseId: string;
  readonly mode: "Count" | "Token";
  readonly balance: string;
}

/** Which charge it is, and for which device. */
export interface ConsumeOptions {
  /** Identifies the charge within the license; 1 to 128 characters, random by default. */
  readonly idempotencyKey?: string | undefined;
  /** The activation of this device, to attribute a charge on the server to it. */
  readonly activationId?: string | undefined;
}

/**
 * The idempotency key of a charge.
 *
 * @throws RangeError An argument is out of range.
 */
export function checkCharge(feature: string, quantity: number, options: ConsumeOptions): string {
  const idempotencyKey = options.idempotencyKey ?? randomHex(16);
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY) {
    throw new RangeError("quantity must be an integer from 1 to 1,000,000,000.");
  }
  checkName("feature", feature);
  checkName("idempotencyKey", idempotencyKey);
  return idempotencyKey;
}

/**
 * Makes a charge exactly once.
 *
 * @throws RangeError An argument is out of range; nothing was sent.
 */
export async function consume(
  core: LicenseCore,
  feature: string,
  quantity: number,
  options: ConsumeOptions,
): Promise<Consumption> {
  const idempotencyKey = checkCharge(feature, quantity, options);
  const fields = {
    licenseKey: await requiredKey(core),
    featureName: feature,
    quantity,
    idempotencyKey,
    hardwareId: await core.hardwareId(),
    ...core.credentials,
    activationId: options.activationId,
  };
  try {
    const answer = await call(core, "/meter/consume", fields, { retries: CHARGE_RETRIES });
    return readConsumption(core, answer, feature, quantity, idempotencyKey);
  } catch (error) {
    if (error instanceof LicetError) error.idempotencyKey = idempotencyKey;
    throw error;
  }
}

function checkName(label: string, text: unknown): void {
  if (typeof text === "string" && text.length >= 1 && Array.from(text).length <= MAX_NAME_LENGTH)
    return;
  throw new RangeError(`${label} must be a string of 1 to ${MAX_NAME_LENGTH} characters.`);
}

/** Reads the receipt, which must be that of what was asked. */
function readConsumption(
  core: LicenseCore,
  answer: Answer,
  feature: string,
  quantity: number,
  idempotencyKey: string,
): Consumption {
  const { body, raw, requestId } = answer;
  const amounts = amountsOf(raw);
  const [cost, balance] = [amounts("cost"), amounts("balance")];
  const { ledgerEntryId, licenseId } = body;
  const { featureName } = body;
  const fits =
    typeof featureName === "string" &&
    featureName.toLowerCase() === feature.toLowerCase() &&
    body["quantity"] === quantity &&
    (body["idempotencyKey"] ?? idempotencyKey) === idempotencyKey;
  if (
    !fits ||
    cost === null ||
    balance === null ||
    typeof ledgerEntryId !== "string" ||
    typeof licenseId !== "string" ||
    !core.isThisLicense(licenseId)
  ) {
    throw unexpectedReply("the charge", requestId);
  }
  const replayed = body["replayed"] === true;
  return {
    featureName,
    quantity,
    cost,
    balance,
    ledgerEntryId,
    licenseId,
    idempotencyKey,
    replayed,
    reserved: false,
  };
}

/** Gets the balance. */
export async function readBalance(core: LicenseCore): Promise<Balance> {
  const fields = { licenseKey: await requiredKey(core), hardwareId: await core.hardwareId() };
  const headers = core.credentialHeaders;
  const { body, raw, requestId } = await call(core, "/meter/balance", fields, {
    method: "GET",
    headers,
  });
  const balance = amountsOf(raw)("balance");
  const { licenseId, mode } = body;
  const known = mode === "Count" || mode === "Token";
  if (
    typeof licenseId !== "string" ||
    !core.isThisLicense(licenseId) ||
    balance === null ||
    !known
  ) {
    throw unexpectedReply("the balance", requestId);
  }
  return { licenseId, mode, balance };
}
