/**
 * Typed claims of license.bin and of verdicts, with every field checked.
 *
 * The signature has been verified at this point, so a claim of the wrong type means an incompatible
 * issuer rather than an attack. It is rejected all the same.
 */

import { isProtected, reject, requireThat, verifyToken } from "./jose.js";
import { isObject, type Json } from "./json.js";
import { keyHash, readKey } from "./keys.js";
import type { TrustedKey } from "./publicKey.js";
import type { EntitlementValue, License, LicenseSeat, SeatKind } from "./result.js";
import { openProtected } from "./sealed.js";
import { asDate, fromEpoch, parseTime } from "./time.js";

const FILE_TYP = "license+jwt";
const SEAT_KINDS: readonly unknown[] = ["None", "Device", "Session", "Machine"];

/** A license.bin whose signature and product have been verified. */
export interface LicenseFile {
  readonly license: License;
  readonly product: { readonly id: string; readonly name: string | null };
  readonly release: { readonly id: string | null; readonly version: string | null };
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly refreshBy: number | null;
  readonly hardwareIds: readonly string[];
  /** The thumbprint of the one device key that it is for. */
  readonly jkt: string | null;
  readonly protected: boolean;
  /** Whether this license has to be checked with the server. */
  readonly online: boolean;
  /** The license key in normal form, and its hash; `null` if the file has none. */
  readonly normalKey: string | null;
  readonly keyHash: string | null;
}

/**
 * Verifies license.bin and reads its claims.
 *
 * @throws RejectedToken The file was edited, is not signed with a trusted key, or belongs to another
 *   product.
 */
export async function openLicenseFile(
  text: string,
  keys: readonly TrustedKey[],
  productId: string,
  normalKey: string | null,
): Promise<LicenseFile> {
  const sealed = isProtected(text);
  let token = text;
  if (sealed) {
    requireThat(normalKey !== null, "it is protected and no license key was given to decrypt it");
    token = await openProtected(text, normalKey);
  }
  const claims = await verifyToken(token, keys, FILE_TYP, true);
  requireThat(claims["aud"] === productId, "it belongs to another product");
  return readFileClaims(claims, sealed);
}

/** Reads the claims of a token that is used like a license.bin. */
export async function readFileClaims(claims: Json, sealed: boolean): Promise<LicenseFile> {
  const license = readLicense({ ...readObject(claims, "license"), id: readString(claims, "sub") });
  const release = optionalObject(claims, "release");
  const product = optionalObject(claims, "product");
  const issuedAt = readEpoch(claims, "iat");
  const normalKey = license.key ? readKey(license.key) : null;
  return {
    license,
    product: { id: readString(claims, "aud"), name: optionalString(product, "name") },
    release: { id: optionalString(release, "id"), version: optionalString(release, "version") },
    issuedAt,
    notBefore: "nbf" in claims ? readEpoch(claims, "nbf") : issuedAt,
    refreshBy: claims["exp"] == null ? null : readEpoch(claims, "exp"),
    hardwareIds: optionalStrings(claims, "hardwareIds") ?? [],
    jkt: claims["cnf"] == null ? null : readString(readObject(claims, "cnf"), "jkt"),
    protected: sealed,
    online: license.activationMode !== "Offline",
    normalKey,
    keyHash: normalKey === null ? null : await keyHash(normalKey),
  };
}

/** Reads the `license` object of a file or a verdict. */
export function readLicense(raw: Json): License {
  const seats = raw["maxActiveUsersCount"] ?? null;
  requireThat(seats === null || Number.isSafeInteger(seats), malformed("maxActiveUsersCount"));
  const license = {
    id: readString(raw, "id"),
    type: readString(raw, "type"),
    status: readString(raw, "status"),
    name: optionalString(raw, "name"),
    issuedTo: optionalString(raw, "issuedTo"),
    issuer: optionalString(raw, "issuer"),
    expirationDate: optionalDate(raw, "expirationDate"),
    activationMode: optionalString(raw, "activationMode") || "Online",
    maxActiveUsersCount: seats as number | null,
    features: optionalStrings(raw, "features"),
    metadata: readMetadata(raw),
    entitlements: readEntitlements(raw),
    seat: readSeat(raw["seat"]),
    updatesUntil: optionalDate(raw, "updatesUntil"),
    fallbackUntil: optionalDate(raw, "fallbackUntil"),
    inFallback: raw["inFallback"] === true,
    test: raw["test"] === true,
  };
  const key = optionalString(raw, "key");
  return Object.defineProperty(license, "key", { value: key, enumerable: false }) as License;
}

function readMetadata(raw: Json): Readonly<Record<string, string>> {
  const pairs = optionalObject(raw, "metadata");
  const fits = Object.values(pairs).every((value) => typeof value === "string");
  return fits ? (pairs as Readonly<Record<string, string>>) : reject(malformed("metadata"));
}

function readEntitlements(raw: Json): Readonly<Record<string, EntitlementValue>> | null {
  if (raw["entitlements"] == null) return null;
  const pairs = Object.entries(readObject(raw, "entitlements"));
  return Object.fromEntries(
    pairs.map(([name, value]) => {
      const known = value ?? true;
      const fits = typeof known === "number" ? Number.isFinite(known) : typeof known !== "object";
      requireThat(fits, malformed("entitlements"));
      return [name, known as EntitlementValue];
    }),
  );
}

/** Reads a `seat` object; `null` if it is missing or of a kind that is not known. */
export function readSeat(raw: unknown): LicenseSeat | null {
  if (!isObject(raw) || !SEAT_KINDS.includes(raw["kind"])) return null;
  const held = raw["held"];
  return {
    kind: raw["kind"] as SeatKind,
    held: typeof held === "boolean" ? held : null,
    used: optionalInteger(raw["used"]),
    total: optionalInteger(raw["total"]),
  };
}

export function optionalInteger(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

export function readObject(claims: Json, name: string): Json {
  const value = claims[name];
  return isObject(value) ? value : reject(malformed(name));
}

export function readString(claims: Json, name: string): string {
  return optionalString(claims, name) || reject(malformed(name));
}

export function optionalString(claims: Json, name: string): string | null {
  const value = claims[name] ?? null;
  return value === null || typeof value === "string" ? value : reject(malformed(name));
}

export function readEpoch(claims: Json, name: string): number {
  return fromEpoch(claims[name]) ?? reject(malformed(name));
}

function optionalObject(claims: Json, name: string): Json {
  return claims[name] == null ? {} : readObject(claims, name);
}

function optionalStrings(claims: Json, name: string): readonly string[] | null {
  const value = claims[name] ?? null;
  if (value === null) return null;
  const fits = Array.isArray(value) && value.every((item) => typeof item === "string");
  return fits ? value : reject(malformed(name));
}

export function optionalDate(claims: Json, name: string): Date | null {
  const value = optionalString(claims, name);
  return value === null ? null : asDate(parseTime(value) ?? reject(malformed(name)));
}

export function malformed(name: string): string {
  return `its claims are malformed: ${name}`;
}
