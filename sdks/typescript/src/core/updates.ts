/** The check for updates. */

import { call } from "./api.js";
import { randomToken } from "./bytes.js";
import { optionalInteger } from "./claims.js";
import type { LicenseCore } from "./core.js";
import { UntrustedUpdateError } from "./partErrors.js";
import { knownKey } from "./fileCheck.js";
import { RejectedToken } from "./jose.js";
import { keyHash } from "./keys.js";
import { isObject, type Json } from "./json.js";
import { checkUpdateAnswer, type ReleaseRequest } from "./release.js";
import { unexpectedReply } from "./reply.js";
import type { OrNewer } from "./result.js";
import { asDate, parseTime } from "./time.js";

const DEFAULT_CHANNEL = "Stable";

/** A file of an update; pass it to `download()`. */
export interface UpdateFile {
  readonly name: string;
  /** `null`: for all platforms. */
  readonly platform: string | null;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly channel: string;
  /** Works for about 15 minutes, for anyone who has it. */
  readonly downloadUrl: string;
}

/** A newer release that the license would cover if its updates were renewed. */
export interface NewerRelease {
  readonly version: string;
  readonly reason: OrNewer<"MaintenanceEnded">;
  /** Where the vendor renews them; `null` if the vendor does not say. */
  readonly renewUrl: string | null;
}

/** The newest release of a channel that the license covers. */
export interface Update {
  /** Whether the release is newer than this application. */
  readonly available: boolean;
  /** `null` if the channel has no release. */
  readonly version: string | null;
  readonly channel: string;
  readonly notes: string | null;
  readonly publishedAt: Date | null;
  readonly releaseId: string | null;
  /** Empty if no update is available. */
  readonly files: readonly UpdateFile[];
  /** A newer release that the license does not cover. */
  readonly newer: NewerRelease | null;
}

/** Which releases are looked for. */
export interface UpdateOptions {
  /** The release channel; `Stable` by default. */
  readonly channel?: string | undefined;
  /** Only files for this platform and files for all; by default every file. */
  readonly platform?: string | null | undefined;
}

/** Asks the server for the newest release, and verifies the answer and what it offers. */
export function checkForUpdate(core: LicenseCore, options: UpdateOptions): Promise<Update> {
  return core.withKey("use", () => checkNow(core, options));
}

async function checkNow(
  core: LicenseCore,
  { channel = DEFAULT_CHANNEL, platform = null }: UpdateOptions,
): Promise<Update> {
  const key = await knownKey(core);
  const { config } = core;
  const request: ReleaseRequest = {
    productId: config.productId,
    nonce: randomToken(24),
    channel: channel || DEFAULT_CHANNEL,
    platform: platform || null,
    currentVersion: config.appVersion,
    releasedAt: config.appReleasedAt,
    keyHash: key === null ? null : await keyHash(key),
  };
  const fields = {
    currentVersion: request.currentVersion,
    channel: request.channel,
    platform: request.platform,
    nonce: request.nonce,
    licenseKey: key,
    hardwareId: key === null ? null : await core.hardwareId(),
  };
  const headers = key === null ? {} : core.credentialHeaders;
  const { body, requestId } = await call(core, "/updates/latest", fields, {
    method: "GET",
    headers,
  });
  const update = readUpdate(body);
  if (update === null) throw unexpectedReply("updates", requestId);
  try {
    await checkUpdateAnswer(body, await core.keys(), request);
  } catch (reason) {
    if (!(reason instanceof RejectedToken)) throw reason;
    throw new UntrustedUpdateError(
      `The answer about updates cannot be trusted: ${reason.message}. Nothing was downloaded. Check ` +
        "that the application has the product's current public key and the right server address, " +
        "and that the vendor has signed the release.",
    );
  }
  return update;
}

function readUpdate(body: Json): Update | null {
  const { updateAvailable, channel, files } = body;
  if (typeof channel !== "string" || !Array.isArray(files)) return null;
  const published = body["publishedAt"] ?? null;
  const publishedAt = parseTime(published);
  const read = files.map((item: unknown) => readFile(item, channel));
  const known = read.filter((item) => item !== null);
  if (known.length < read.length || (published !== null && publishedAt === null)) return null;
  const [version, notes, releaseId] = ["version", "notes", "releaseId"].map((name) => {
    const value = body[name] ?? null;
    return typeof value === "string" ? value : null;
  }) as [string | null, string | null, string | null];
  return {
    available: updateAvailable === true,
    version,
    channel,
    notes,
    publishedAt: asDate(publishedAt),
    releaseId,
    files: known,
    newer: readNewer(body["newer"]),
  };
}

function readNewer(item: unknown): NewerRelease | null {
  if (!isObject(item)) return null;
  const { version, reason, renewUrl } = item;
  if (typeof version !== "string" || typeof reason !== "string") return null;
  return { version, reason, renewUrl: typeof renewUrl === "string" ? renewUrl : null };
}

function readFile(item: unknown, channel: string): UpdateFile | null {
  if (!isObject(item)) return null;
  const { name, sha256, downloadUrl } = item;
  const platform = item["platform"] ?? null;
  const size = optionalInteger(item["sizeBytes"]);
  if (
    typeof name !== "string" ||
    typeof downloadUrl !== "string" ||
    typeof sha256 !== "string" ||
    !/^[0-9a-f]{64}$/.test(sha256) ||
    (platform !== null && typeof platform !== "string") ||
    size === null ||
    size < 1
  ) {
    return null;
  }
  return { name, platform, size, sha256, channel, downloadUrl };
}
