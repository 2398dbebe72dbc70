/**
 * The signed release behind an update: what may be offered to the application.
 *
 * The signature alone would allow a fake server to offer an old release again, or another channel's;
 * so the token's claims are compared with the request and with what the response offers.
 */

import { isProtectedAddress } from "./addresses.js";
import { malformed, optionalString, readEpoch, readString } from "./claims.js";
import { requireThat, verifyToken } from "./jose.js";
import { isObject, type Json } from "./json.js";
import { compareVersions } from "./precedence.js";
import type { TrustedKey } from "./publicKey.js";

const RELEASE_TYP = "release+jwt";

/** The update check that a release must match. */
export interface ReleaseRequest {
  readonly productId: string;
  readonly currentVersion: string | null;
  readonly channel: string;
  readonly platform: string | null;
}

/**
 * Checks that the server signed an offered release, and that it may be offered.
 *
 * @throws RejectedToken It is not signed, not for this product or channel, not newer than the
 *   application, or a file is not offered as it was signed.
 */
export async function checkRelease(
  offer: Json,
  keys: readonly TrustedKey[],
  request: ReleaseRequest,
): Promise<void> {
  const token = offer["token"];
  requireThat(typeof token === "string" && token !== "", "it is not signed");
  const claims = await verifyToken(token, keys, RELEASE_TYP, true);
  readEpoch(claims, "iat");
  requireThat(claims["aud"] === request.productId, "it is for another product");
  const [version, channel] = [readString(claims, "version"), readString(claims, "channel")];
  requireThat(version === offer["version"], "it is signed as another version");
  requireThat(
    channel === offer["channel"] && sameText(channel, request.channel),
    "it is signed for another channel",
  );
  requireThat(isNewer(version, request.currentVersion), "it is not newer than this version");
  const signed = readFiles(claims);
  for (const file of Array.isArray(offer["files"]) ? offer["files"] : []) {
    checkFile(file, signed, request.platform);
  }
}

function checkFile(file: unknown, signed: readonly string[], wanted: string | null): void {
  requireThat(isObject(file), "it has no list of files");
  const platform = file["platform"] ?? null;
  requireThat(signed.includes(fingerprint(file)), "a file differs from the signed one");
  requireThat(
    wanted === null ||
      platform === null ||
      (typeof platform === "string" && sameText(platform, wanted)),
    "a file is for another platform",
  );
  const address = file["downloadUrl"];
  requireThat(
    typeof address === "string" && isProtectedAddress(address),
    "a download address does not use https",
  );
}

function readFiles(claims: Json): string[] {
  const files = claims["files"];
  requireThat(Array.isArray(files) && files.every(isObject), malformed("files"));
  return files.map((file: Json) => {
    requireThat(Number.isInteger(file["sizeBytes"]), malformed("sizeBytes"));
    readString(file, "name");
    readString(file, "sha256");
    optionalString(file, "platform");
    return fingerprint(file);
  });
}

/** What must be the same in a signed file and an offered one. */
function fingerprint(file: Json): string {
  return JSON.stringify([
    file["name"],
    file["platform"] ?? null,
    file["sizeBytes"],
    file["sha256"],
  ]);
}

/** Whether a version is newer; true if the two cannot be compared. */
function isNewer(version: string, current: string | null): boolean {
  const order = current === null ? null : compareVersions(version, current);
  return order === null ? version !== current : order > 0;
}

function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
