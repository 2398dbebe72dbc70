/** Charging reserved credits without the server, and the server where they do not suffice. */

import { utf8 } from "../core/bytes.js";
import { errorForCode } from "../core/errorCodes.js";
import { DnsError, LicenseFileError, type LicetError, ServerRefusedError } from "../core/errors.js";
import { checkCharge, consume, type ConsumeOptions, type Consumption } from "../core/metering.js";
import { ProxyError, TlsError } from "../core/partErrors.js";
import { SECOND } from "../core/time.js";
import type { NodeCore } from "./core.js";
import { type Charge, MAX_LINE_BYTES } from "./journal.js";
import { refused } from "./leaseRequests.js";
import { plainAmount } from "./micros.js";
import { isUnreachable } from "./networkErrors.js";
import {
  folded,
  judgeReservation,
  priceOf,
  readReservation,
  type Reservation,
} from "./reservation.js";

const UNSENT = [DnsError, ServerRefusedError, ProxyError, TlsError];

/** A charge that is wanted. */
interface Wanted {
  readonly feature: string;
  readonly quantity: number;
  readonly key: string;
}

/** A charge that was made, or why reserved credits that are there were not charged. */
type Outcome = { readonly made: Consumption } | { readonly fault: LicetError } | null;

/** Charges reserved credits if they can be used now and suffice, else the wallet on the server. */
export async function charge(
  core: NodeCore,
  feature: string,
  quantity: number,
  options: ConsumeOptions,
): Promise<Consumption> {
  const key = checkCharge(feature, quantity, options);
  const outcome = await core.withKey("look", () => spend(core, { feature, quantity, key }));
  if (outcome !== null && "made" in outcome) return outcome.made;
  const fault = outcome?.fault;
  if (fault && !core.hasServer) throw fault;
  try {
    return await consume(core, feature, quantity, { ...options, idempotencyKey: key });
  } catch (error) {
    throw fault && isUnsent(error) ? fault : error;
  }
}

async function spend(core: NodeCore, wanted: Wanted): Promise<Outcome> {
  const file = await core.creditsFile();
  if ((await file.read()).token === undefined) return null;
  return core.charging(async () => {
    const found = await readReservation(core, await file.read());
    if (found === null) return null;
    const earlier = found.journal.find(wanted.key);
    if (earlier !== undefined) return { made: replayed(found, earlier, wanted) };
    const result = await judgeReservation(core, found);
    return result?.valid === true ? write(core, found, wanted) : null;
  });
}

/** The charge that was made with a key before. */
function replayed(found: Reservation, earlier: Charge, { feature, quantity, key }: Wanted) {
  if (earlier.quantity === quantity && folded(earlier.feature) === folded(feature)) {
    return madeOf(found, earlier, true);
  }
  throw keyed(refused("IdempotencyKeyReused"), key);
}

/** Writes a charge to the journal. */
async function write(core: NodeCore, found: Reservation, wanted: Wanted): Promise<Outcome> {
  const { lease, journal } = found;
  const { quantity, key } = wanted;
  const price = priceOf(lease, wanted.feature);
  if (price === null) return null;
  const { feature, each } = price;
  const cost = each * BigInt(quantity);
  const rest = lease.amount - journal.spent;
  if (cost > rest) return { fault: insufficient(cost, rest, key) };
  const at = Math.floor(core.read().now / SECOND);
  const line = journal.next(feature, quantity, cost, at, key);
  if (!isPlain(feature + key) || utf8(line).length > MAX_LINE_BYTES) return null;
  try {
    const after = { ...found, journal: await (await core.journal()).append(lease.id, line) };
    core.reservation = after;
    const made = after.journal.find(key);
    return made === undefined ? null : { made: madeOf(after, made, false) };
  } catch (error) {
    if (!(error instanceof LicenseFileError)) throw error;
    core.tellOnce(error.message);
    return { fault: keyed(error, key) };
  }
}

/** Whether the server can store a text. */
function isPlain(text: string): boolean {
  return !text.includes("\0") && !/\p{Cs}/u.test(text);
}

function madeOf({ lease, journal }: Reservation, charge: Charge, isAgain: boolean): Consumption {
  return {
    featureName: charge.feature,
    quantity: charge.quantity,
    cost: plainAmount(charge.cost),
    balance: plainAmount(lease.amount - journal.spent),
    ledgerEntryId: `${lease.id}/${charge.n}`,
    licenseId: lease.file.license.id,
    idempotencyKey: charge.key,
    replayed: isAgain,
    reserved: true,
  };
}

function insufficient(cost: bigint, balance: bigint, key: string): LicetError {
  const amounts: Readonly<Record<string, bigint>> = { cost, balance };
  const amountOf = (name: string) => plainAmount(amounts[name] ?? 0n);
  const details = { httpStatus: 0, errorCode: "InsufficientBalance" };
  return keyed(errorForCode("InsufficientBalance", {}, amountOf, "", details), key);
}

function keyed(error: LicetError, key: string): LicetError {
  error.idempotencyKey = key;
  return error;
}

/** Whether an error proves that the server has not got the request. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | null) : null;
  return UNSENT.some((kind) => error instanceof kind) || isUnreachable(String(cause?.code));
}
