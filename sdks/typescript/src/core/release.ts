/**
 * The signed answer about updates, and the signed release behind an offer.
 *
 * The release is signed once, so its signature alone would allow a fake server to offer an old release
 * again, or to hide a new one. The answer is signed for the nonce of this request, also if there is no
 * update. The claims of both are compared with the request and with what the response offers.
 */

import { isProtectedAddress } from "./addresses.js";
import { malformed, optionalDate, optionalString, readEpoch, readString } from "./claims.js";
import { requireThat, verifyToken } from "./jose.js";
import { isObject, type Json } from "./json.js";
import { compareVersions } from "./precedence.js";
import type { TrustedKey } from "./publicKey.js";

const RELEASE_TYP = "release+jwt";
const ANSWER_TYP = "update+jwt";

/** The update check that an answer must match. */
export interface ReleaseRequest {
  readonly productId: string;
  readonly nonce: string;
  /** The hash of the license key that was sent; `null` if none was. */
  readonly keyHash: string | null;
  /** When the running release was published; `null` if the application does not know it. */
  readonly releasedAt: Date | null;
  readonly currentVersion: string | null;
  readonly channel: string;
  readonly platform: string | null;
}

/**
 * Checks that the server signed this response for this request, and that it may be offered.
 *
 * @throws RejectedToken It is not signed for this request, or the offered release is not signed, not
 *   newer than the application, or a file is not offered as it was signed.
 */
export async function checkUpdateAnswer(
  response: Json,
  keys: readonly TrustedKey[],
  request: ReleaseRequest,
): Promise<void> {
  const claims = await verify(response["answer"], keys, ANSWER_TYP, request);
  requireThat(claims["nonce"] === request.nonce, "it is for another request (nonce)");
  requireThat(
    (claims["currentVersion"] ?? null) === request.currentVersion &&
      (claims["platform"] ?? null) === request.platform &&
      (claims["licenseKeyHash"] ?? null) === request.keyHash,
    "it is for another version, platform or license key",
  );
  requireThat(
    sameText(readString(claims, "channel"), request.channel),
    "it is for another channel",
  );
  const available = response["updateAvailable"];
  requireThat(
    typeof available === "boolean" &&
      claims["updateAvailable"] === available &&
      optionalString(claims, "version") === (response["version"] ?? null),
    "it is signed as another answer",
  );
  const newer = response["newer"] ?? {};
  requireThat(
    isObject(newer) &&
      optionalString(claims, "newerVersion") === (newer["version"] ?? null) &&
      optionalString(claims, "renewUrl") === (newer["renewUrl"] ?? null),
    "it is signed as another answer",
  );
  const { files, channel } = response;
  if (available || (Array.isArray(files) && files.length > 0)) {
    await checkRelease(response, keys, request);
    return;
  }
  requireThat(
    typeof channel === "string" && sameText(channel, request.channel),
    "it is for another channel",
  );
}

async function checkRelease(
  offer: Json,
  keys: readonly TrustedKey[],
  request: ReleaseRequest,
): Promise<void> {
  const claims = await verify(offer["token"], keys, RELEASE_TYP, request);
  const [version, channel] = [readString(claims, "version"), readString(claims, "channel")];
  requireThat(version === offer["version"], "it is signed as another version");
  requireThat(
    channel === offer["channel"] && sameText(channel, request.channel),
    "it is signed for another channel",
  );
  requireNewer(version, optionalDate(claims, "publishedAt"), request);
  const signed = readFiles(claims);
  for (const file of Array.isArray(offer["files"]) ? offer["files"] : []) {
    checkFile(file, signed, request.platform);
  }
}

async function verify(
  token: unknown,
  keys: readonly TrustedKey[],
  typ: string,
  { productId }: ReleaseRequest,
): Promise<Json> {
  requireThat(typeof token === "string" && token !== "", "it is not signed");
  const claims = await verifyToken(token, keys, typ, true);
  readEpoch(claims, "iat");
  requireThat(claims["aud"] === productId, "it is for another product");
  return claims;
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

/** A release that cannot be compared by its version must have been published later. */
function requireNewer(
  version: string,
  publishedAt: Date | null,
  { currentVersion, releasedAt }: ReleaseRequest,
): void {
  const order = currentVersion === null ? null : compareVersions(version, currentVersion);
  if (order === null) {
    requireThat(
      publishedAt !== null && releasedAt !== null,
      "it cannot be compared with this version, and the application does not say when its own " +
        "release was published (appReleasedAt)",
    );
  }
  const isLater =
    publishedAt !== null &&
    releasedAt !== null &&
    publishedAt > releasedAt &&
    version !== currentVersion;
  requireThat(order === null ? isLater : order > 0, "it is not newer than this version");
}

function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
