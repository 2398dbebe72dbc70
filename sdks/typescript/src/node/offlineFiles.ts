/**
 * The files of machines that never have a connection: answers to offline requests, and base files, which
 * are valid only with a code that was made for this machine.
 */

import { utf8 } from "../core/bytes.js";
import {
  type LicenseFile,
  malformed,
  readFileClaims,
  readObject,
  readString,
} from "../core/claims.js";
import { ES256 } from "../core/deviceKey.js";
import { MAX_TOKEN_BYTES, reject, requireThat, verifyToken } from "../core/jose.js";
import type { Json } from "../core/json.js";
import type { FileContext } from "../core/rules.js";
import { DAY } from "../core/time.js";
import { BASE_TYP, isBaseFile, type NodeCore } from "./core.js";
import { OfflineCodeError, readCode } from "./offlineCode.js";
import type { AcceptedCode, OfflineState } from "./offlineState.js";

/** What tells a file of a machine without a connection from others. */
export interface OfflineMarks {
  readonly jti: string;
  /** The request that a file answers; `null` for a base file. */
  readonly request: { readonly nonce: string; readonly seq: number } | null;
  /** The key that signs codes for a base file. */
  readonly codeKey: CryptoKey | null;
  /** Whether a base file has an accepted code. */
  readonly isBound: boolean;
}

interface MarkedFile extends LicenseFile {
  readonly marks: OfflineMarks;
}

/** What is particular to a file of an offline request; `null` for any other. */
export function marksOf(file: LicenseFile | null): OfflineMarks | null {
  return (file as Partial<MarkedFile> | null)?.marks ?? null;
}

/**
 * The file with the request that it answers, as its verified claims say.
 *
 * @throws RejectedToken They are not those of an answer.
 */
export function withRequest(file: LicenseFile, claims: Json): LicenseFile {
  const { nonce, seq } = readObject(claims, "request");
  requireThat(typeof nonce === "string" && Number.isSafeInteger(seq), malformed("request"));
  const isWhole = file.keyHash !== null && file.jkt !== null && file.refreshBy !== null;
  requireThat(isWhole, "it is not a whole answer to an offline request");
  const request = { nonce, seq: seq as number };
  const marks = { jti: readString(claims, "jti"), request, codeKey: null, isBound: false };
  // The machine cannot ask the server, whatever the mode of the license.
  return { ...file, online: false, marks } as MarkedFile;
}

/**
 * Verifies a base file, which is one for this machine if it has an accepted code.
 *
 * @throws RejectedToken It cannot be trusted.
 */
export async function openBaseFile(core: NodeCore, text: string): Promise<LicenseFile> {
  const claims = await verifyToken(text, await core.keys(), BASE_TYP, true);
  requireThat(claims["aud"] === core.config.productId, "it belongs to another product");
  const read = await readFileClaims(claims, false);
  const file = { ...read, online: false, hardwareIds: [], jkt: null };
  requireThat(file.keyHash !== null, malformed("license.key"));
  // Where the code is kept depends on the license key.
  if (core.config.normalKey === null) core.foundKeyHash = file.keyHash;
  const codeKey = await importCodeKey(readObject(claims, "codeKey"));
  const marks = { jti: readString(claims, "jti"), request: null, codeKey, isBound: false };
  const { answer } = await (await core.offlineFile()).read();
  const unbound = { ...file, marks } as MarkedFile;
  const isBound = answer?.base === marks.jti && (await isAnswer(core, unbound, answer));
  if (!isBound) return unbound;
  const codeEnds = (readCode(answer.code).number + 1) * DAY;
  return {
    ...file,
    hardwareIds: [await core.hardwareId()],
    refreshBy: Math.min(file.refreshBy ?? codeEnds, codeEnds),
    marks: { ...marks, isBound },
  } as MarkedFile;
}

/** Whether a code was signed for this machine, this base file and the request with its nonce. */
export async function isAnswer(
  core: NodeCore,
  file: LicenseFile,
  { code, nonce }: Pick<AcceptedCode, "code" | "nonce">,
): Promise<boolean> {
  const marks = marksOf(file);
  const jkt = await core.proofs.jkt();
  if (!marks?.codeKey || jkt === null) return false;
  const lines = [
    "licet-answer-code",
    core.config.productId,
    file.keyHash,
    await core.hardwareId(),
    jkt,
    nonce,
    marks.jti,
  ];
  try {
    const { number, signature } = readCode(code);
    const signed = utf8([...lines, number].join("\n"));
    return await crypto.subtle.verify(ES256, marks.codeKey, signature, signed);
  } catch (error) {
    // What is kept was damaged.
    if (error instanceof OfflineCodeError) return false;
    throw error;
  }
}

/** Whether this machine may not use a file: a base file without a code, or one that was released. */
export function isUnusable({ request, isBound }: OfflineMarks, kept: OfflineState): boolean {
  if (request === null) return !isBound;
  return kept.released !== null && request.seq <= kept.released.seq;
}

/** What decides about a file that this machine may not use. */
export function withoutSeat(context: FileContext, file: LicenseFile): FileContext {
  // The status of the license says more.
  if (file.license.status !== "Active") return context;
  const keyHash = file.keyHash ?? ""; // each of these files has a license key
  return { ...context, refused: { keyHash, status: "ActivationRequired", at: file.issuedAt } };
}

/** The text of a base file of this license key, and its content; `null` without one. */
export async function findBaseFile(
  core: NodeCore,
  jti: string | null = null,
): Promise<{ readonly text: string; readonly file: LicenseFile } | null> {
  const open = async (text: string) => {
    const file = isBaseFile(text) ? await core.openFile(text, null).catch(() => null) : null;
    if (file === null || (jti !== null && marksOf(file)?.jti !== jti)) return null;
    const { normalKey } = core.config;
    return normalKey === null || file.normalKey === normalKey ? file : null;
  };
  const text = await core.findLicense(
    MAX_TOKEN_BYTES,
    async (found) => (await open(found)) !== null,
  );
  const file = text && (await open(text));
  return text && file ? { text, file } : null;
}

/** The text of a file that this machine may use, in the place of a base file without a code. */
export async function findBeside(core: NodeCore, base: string): Promise<string> {
  const { normalKey } = core.config;
  const suits = async (text: string) => {
    const file = await core.openFile(text, normalKey).catch(() => null);
    const isOther = normalKey !== null && (file?.normalKey ?? normalKey) !== normalKey;
    return file !== null && !isOther && (!isBaseFile(text) || marksOf(file)?.isBound === true);
  };
  if (await suits(base)) return base;
  const found = await core.findLicense(MAX_TOKEN_BYTES, suits);
  return found !== null && (await suits(found)) ? found : base;
}

async function importCodeKey({ kty, crv, x, y }: Json): Promise<CryptoKey> {
  requireThat(crv === ES256.namedCurve, malformed("codeKey"));
  const jwk = { kty, crv, x, y } as JsonWebKey;
  return crypto.subtle
    .importKey("jwk", jwk, ES256, false, ["verify"])
    .catch(() => reject(malformed("codeKey")));
}
