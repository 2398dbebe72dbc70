/** Fetching a file of an update in chunks, from wherever the last attempt ended. */

import { isProtectedAddress } from "./addresses.js";
import { asLicetError } from "./api.js";
import { type Bytes, jitter } from "./bytes.js";
import type { LicenseCore } from "./core.js";
import { type LicetError, UnexpectedReplyError } from "./errors.js";
import { ApiKeyRefusedError, DamagedDownloadError, UntrustedUpdateError } from "./partErrors.js";
import { replyError } from "./faults.js";
import { DownloadWithdrawnError, RequestRefusedError } from "./refusals.js";
import { requestIdOf } from "./reply.js";
import { isTransient, pauseBefore, type RetryPolicy } from "./retries.js";
import { monotonic, sleep } from "./time.js";
import type { TransportReply } from "./transport.js";
import { checkForUpdate, type UpdateFile } from "./updates.js";

const CHUNK_BYTES = 1 << 20;
const CHUNK_TIMEOUT_SECONDS = 60;
const CHUNK_SECONDS = 300;
const RETRIES: RetryPolicy = { attempts: 5, budget: 1, isRetryable: isTransient };

/** Called with the bytes received so far and the total. */
export type Progress = (received: number, size: number) => void;

/**
 * The chunks of a file from a position on.
 *
 * @throws UntrustedUpdateError The download address does not use https.
 * @throws DownloadWithdrawnError The file is no longer offered.
 */
export async function* chunksOf(
  core: LicenseCore,
  file: UpdateFile,
  start: number,
): AsyncGenerator<Bytes, void> {
  if (!isProtectedAddress(file.downloadUrl)) {
    throw new UntrustedUpdateError(
      `${file.name} is not downloaded: its address does not use https. Check for an update again.`,
    );
  }
  let current = file;
  let position = start;
  while (position < file.size) {
    let chunk: Bytes;
    try {
      chunk = await fetchChunk(core, current, position);
    } catch (error) {
      if (!(error instanceof ApiKeyRefusedError)) throw notOffered(error, file);
      // The download URL has expired: get a new one for the same file.
      current = await renewUrl(core, file);
      chunk = await fetchChunk(core, current, position);
    }
    position += chunk.length;
    yield chunk;
  }
}

/** The error for a download whose bytes are not those that the vendor signed. */
export function damaged(file: UpdateFile): DamagedDownloadError {
  return new DamagedDownloadError(
    `The SHA-256 of ${file.name} does not match, so the download was deleted. Download it again; ` +
      "if the problem persists, a proxy may be changing downloads.",
  );
}

async function renewUrl(core: LicenseCore, file: UpdateFile): Promise<UpdateFile> {
  const { channel, platform } = file;
  const { files } = await checkForUpdate(core, { channel, platform });
  const same = files.find(
    (item) => item.name === file.name && item.platform === platform && item.sha256 === file.sha256,
  );
  if (same === undefined) throw withdrawn(file, null);
  return same;
}

function notOffered(error: unknown, file: UpdateFile): unknown {
  const gone = error instanceof RequestRefusedError && error.httpStatus === 404;
  return gone ? withdrawn(file, error.requestId) : error;
}

function withdrawn(file: UpdateFile, requestId: string | null): DownloadWithdrawnError {
  const details = { httpStatus: 404, errorCode: "NotFound", requestId };
  const message = `The vendor no longer offers ${file.name}. Check for an update again.`;
  return new DownloadWithdrawnError(message, details);
}

async function fetchChunk(core: LicenseCore, file: UpdateFile, start: number): Promise<Bytes> {
  const end = Math.min(start + CHUNK_BYTES, file.size);
  const { agent } = core.platform;
  const request = {
    method: "GET",
    url: file.downloadUrl,
    headers: {
      Range: `bytes=${start}-${end - 1}`,
      ...(agent === null ? {} : { "User-Agent": agent }),
    },
    body: null,
    timeoutSeconds: Math.max(core.config.timeoutSeconds, CHUNK_TIMEOUT_SECONDS),
  };
  const deadline = monotonic() + CHUNK_SECONDS;
  for (let attempt = 1; ; attempt += 1) {
    let failure: LicetError;
    try {
      const reply = await core.transport.send(request);
      if (isRange(reply, start, end, file.size)) return reply.body;
      failure = chunkError(core, reply, file);
    } catch (error) {
      failure = asLicetError(error);
    }
    const pause = pauseBefore(RETRIES, failure, attempt, deadline - monotonic(), jitter());
    if (pause === null) throw failure;
    await sleep(pause);
  }
}

function isRange(
  { status, headers, body }: TransportReply,
  start: number,
  end: number,
  size: number,
) {
  if (body.length !== end - start) return false;
  // Browsers hide this header of other origins unless the server exposes it.
  const range = headers["content-range"] ?? `bytes ${start}-${end - 1}/${size}`;
  if (status === 206) return range === `bytes ${start}-${end - 1}/${size}`;
  return status === 200 && end - start === size;
}

function chunkError(core: LicenseCore, reply: TransportReply, file: UpdateFile): LicetError {
  if (reply.status >= 300) return replyError(reply, file.downloadUrl, () => core.read().now);
  return new UnexpectedReplyError(
    "The response is not the requested part of the file. Check whether a proxy changes downloads.",
    { httpStatus: reply.status, requestId: requestIdOf(reply) },
  );
}
