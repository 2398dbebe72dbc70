/**
 * Offline requests, their answers, and releases: how a machine that never has a connection is activated.
 *
 * What is handed out is on the disk before, so that no number is used twice and nothing is used that was
 * released.
 */

import { type Bytes, fromUtf8, randomToken, utf8 } from "../core/bytes.js";
import { type DeviceKey, ES256, signedBy, thumbprint } from "../core/deviceKey.js";
import { ConfigurationError, LicenseFileError } from "../core/errors.js";
import { checkFile, requiredKey } from "../core/fileCheck.js";
import { claimedHeader, RejectedToken } from "../core/jose.js";
import { isObject } from "../core/json.js";
import { keyHash, MIN_PROTECTION_KEY_LENGTH } from "../core/keys.js";
import type { LicenseResult } from "../core/result.js";
import { writeFile } from "../core/storedFile.js";
import { SECOND } from "../core/time.js";
import { claimsOf, type NodeCore } from "./core.js";
import { OfflineCodeError, readCode, writeCode } from "./offlineCode.js";
import { findBaseFile, isAnswer, isUnusable, marksOf, type OfflineMarks } from "./offlineFiles.js";
import type { OfflineKind, OfflineState, PendingRequest } from "./offlineState.js";

const TYP = "licet-req+jwt";
const MAX_BYTES = 2048;
const MAX_CODE_SEQ = 2 ** 24 - 1;
const DEVICE_TOKEN = "dt_";

/** What a machine without a connection asks for. It contains no license key. */
export class OfflineRequest {
  constructor(
    /** A signed text, to be copied or shown as a QR code. */
    readonly text: string,
    readonly kind: OfflineKind,
    /** A name for a file with it. */
    readonly fileName: string,
  ) {}

  /** The content of a file with it. */
  get file(): Bytes {
    return utf8(this.text);
  }

  /**
   * The text of a QR code that opens the offline desk with this request.
   *
   * @param deskUrl The address of the offline desk, such as `https://licenses.example.com/o`.
   */
  qrText(deskUrl: string): string {
    return `${deskUrl.replace(/#.*$/s, "")}#${this.text}`;
  }
}

/** The proof that this machine does not use the license any more. */
export class OfflineRelease extends OfflineRequest {
  constructor(
    text: string,
    fileName: string,
    /** The same to be typed at the offline desk; `null` where only the text can be used. */
    readonly code: string | null,
  ) {
    super(text, "Release", fileName);
  }
}

/** This machine, its license key and its files, while nothing else changes them. */
interface Holder {
  readonly core: NodeCore;
  readonly licenseKey: string;
  readonly keyHash: string;
  readonly hardwareId: string;
  readonly deviceKey: DeviceKey;
  readonly result: LicenseResult;
  /** The file of an offline request that is in use, if one is. */
  readonly held: OfflineMarks | null;
  readonly kept: OfflineState;
  /** The number of the newest request that this machine knows of. */
  readonly seq: number;
}

/** The request that waits for an answer, or a new one. */
export function request(core: NodeCore, renew: boolean): Promise<OfflineRequest> {
  return holding(core, async (holder) => {
    const { kept, held, result } = holder;
    const base = marksOf((await findBaseFile(core))?.file ?? null)?.jti;
    const { pending } = kept;
    const isAnswered = pending !== null && pending.nonce === held?.request?.nonce;
    if (pending !== null && !isAnswered && !renew && isOf(holder, pending, base)) {
      return new OfflineRequest(pending.text, pending.kind, fileName(core));
    }
    const isInUse = held !== null && result.valid;
    const kind = isInUse ? "Refresh" : "Activate";
    const made = await sign(holder, kind, { base, file: isInUse ? held.jti : undefined });
    const { text, nonce, seq } = made;
    const next = { text, nonce, seq, kind, base } as const;
    await (await core.offlineFile()).write({ ...kept, seq, pending: next });
    return new OfflineRequest(text, kind, fileName(core));
  });
}

/** Installs the answer to the request that waits: a license.bin, or a code. */
export function apply(core: NodeCore, answer: Uint8Array | string): Promise<LicenseResult> {
  if (typeof answer === "string") return holding(core, (holder) => applyCode(holder, answer));
  const text = fromUtf8(Uint8Array.from(answer)) ?? "";
  return holding(core, (holder) => applyFile(holder, text));
}

/** Stops using the license on this machine, and returns the proof of that. */
export function release(core: NodeCore): Promise<OfflineRelease> {
  return holding(core, async (holder) => {
    const { kept, held } = holder;
    if (held === null) {
      if (kept.released === null) {
        throw new LicenseFileError("This machine has no license that was activated offline.");
      }
      const { text, code = null } = kept.released;
      return new OfflineRelease(text, fileName(core), code);
    }
    const file = held.jti;
    const base = held.isBound ? file : undefined;
    const { text, seq } = await sign(holder, "Release", { base, file });
    const code = seq > MAX_CODE_SEQ ? null : await releaseCode(holder, file, seq);
    const released = { seq, file, text, code };
    await (await core.offlineFile()).write({ seq, pending: null, answer: null, released });
    return new OfflineRelease(text, fileName(core), code);
  });
}

function fileName({ config }: NodeCore): string {
  return `${config.productId}.licetreq`;
}

function holding<T>(core: NodeCore, work: (holder: Holder) => Promise<T>): Promise<T> {
  return core.withKey("look", async () => {
    const isEnrolled = core.config.normalKey === null && core.askingKey !== null;
    const licenseKey = isEnrolled ? DEVICE_TOKEN : await requiredKey(core);
    if (licenseKey.startsWith(DEVICE_TOKEN)) {
      throw new ConfigurationError(
        "A machine with an enrollment key cannot be activated offline. Set LicenseKey instead.",
      );
    }
    return core.change(async () => {
      await core.proofs.level();
      const deviceKey = await core.platform.deviceKeys.find(core.proofs.path).catch(() => null);
      if (deviceKey === null) {
        const problem = core.proofs.problem ?? `${core.proofs.path} does not exist.`;
        throw new LicenseFileError(`Nothing can be signed on this machine. ${problem}`);
      }
      const kept = await (await core.offlineFile()).read();
      const { file, result } = await checkFile(core);
      const marks = marksOf(file);
      const hardwareId = await core.hardwareId();
      const isOwn =
        marks?.isBound === true ||
        (file?.hardwareIds.includes(hardwareId) && file.jkt === (await thumbprint(deviceKey)));
      return work({
        core,
        licenseKey,
        keyHash: await keyHash(licenseKey),
        hardwareId,
        deviceKey,
        result,
        held: marks !== null && isOwn && !isUnusable(marks, kept) ? marks : null,
        kept,
        // A damaged state must not let a number be used again that a file has.
        seq: Math.max(kept.seq, kept.released?.seq ?? 0, marks?.request?.seq ?? 0),
      });
    });
  });
}

/** What a request says of this machine. */
function identityOf({ core, licenseKey, keyHash, hardwareId }: Holder) {
  const isLong = licenseKey.length >= MIN_PROTECTION_KEY_LENGTH;
  const licenseKeyHash = isLong ? keyHash : undefined;
  return { aud: core.config.productId, licenseKeyHash, hardwareId };
}

/** Whether a request is still one of this machine, its license key and its base file. */
function isOf(holder: Holder, pending: PendingRequest, base: string | undefined): boolean {
  const claims = claimsOf(pending.text);
  const expected = Object.entries({ ...identityOf(holder), base });
  const jwk = claimedHeader(pending.text, 3)?.["jwk"];
  const isKey = Object.entries(holder.deviceKey.jwk).every(
    ([name, value]) => isObject(jwk) && jwk[name] === value,
  );
  return isKey && expected.every(([name, value]) => claims?.[name] === value);
}

async function sign(
  holder: Holder,
  kind: OfflineKind,
  files: { readonly base?: string | undefined; readonly file?: string | undefined },
) {
  const { core, deviceKey } = holder;
  const { deviceName, appVersion } = core.config;
  const nonce = randomToken(16);
  const seq = holder.seq + 1;
  const iat = Math.max(0, Math.floor(core.read().now / SECOND));
  const named = { deviceName: deviceName ?? undefined, appVersion: appVersion ?? undefined };
  const claims = { ...identityOf(holder), ...named, kind, nonce, seq, iat, ...files };
  let text = await signedBy(deviceKey, TYP, claims);
  for (const unneeded of ["deviceName", "appVersion"] as const) {
    if (text.length <= MAX_BYTES) break;
    claims[unneeded] = undefined;
    text = await signedBy(deviceKey, TYP, claims);
  }
  return { text, nonce, seq };
}

async function releaseCode(
  { core, keyHash, hardwareId, deviceKey }: Holder,
  file: string,
  seq: number,
): Promise<string> {
  const { productId } = core.config;
  const jkt = await thumbprint(deviceKey);
  const lines = ["licet-release-code", productId, keyHash, hardwareId, jkt, file, seq];
  const signed = await crypto.subtle.sign(ES256, deviceKey.privateKey, utf8(lines.join("\n")));
  return writeCode({ number: seq, signature: new Uint8Array(signed) });
}

async function applyFile(holder: Holder, text: string): Promise<LicenseResult> {
  const { core, licenseKey, held, kept } = holder;
  const { pending } = kept;
  const marks = await readAnswer(holder, text);
  const { request } = marks;
  const isPending = pending?.nonce === request?.nonce && pending?.seq === request?.seq;
  if (held?.jti !== marks.jti) {
    if (!isPending) {
      throw notAccepted("it answers another request than the last one of this machine");
    }
    await writeFile(core, text, licenseKey);
    if (core.unwrittenFile !== null) throw new LicenseFileError(core.unwrittenFile);
  }
  if (isPending) await (await core.offlineFile()).write({ ...kept, pending: null, answer: null });
  return (await checkFile(core)).result;
}

/** What is particular to a license.bin that answers a request of this machine. */
async function readAnswer(holder: Holder, text: string): Promise<OfflineMarks> {
  const { core, licenseKey, hardwareId, deviceKey, kept } = holder;
  const file = await core.openFile(text, licenseKey).catch((reason: unknown) => {
    if (reason instanceof RejectedToken) throw notAccepted(reason.message);
    throw reason;
  });
  const marks = marksOf(file);
  if (!marks?.request) throw notAccepted("it is not made for an offline request");
  if (file.normalKey !== licenseKey) throw notAccepted("it belongs to another license key");
  const isOwn = file.hardwareIds.length === 1 && file.hardwareIds[0] === hardwareId;
  if (!isOwn || file.jkt !== (await thumbprint(deviceKey))) {
    throw notAccepted("it is for another machine");
  }
  if (isUnusable(marks, kept)) throw notAccepted("it was released on this machine");
  return marks;
}

async function applyCode(holder: Holder, text: string): Promise<LicenseResult> {
  const { core, licenseKey, kept } = holder;
  const { number: endsDay, signature } = readCode(text);
  const code = writeCode({ number: endsDay, signature });
  if ((await findBaseFile(core)) === null) {
    throw new LicenseFileError(
      "There is no base file on this machine that a code could be for. Install it, or the answer as a file.",
    );
  }
  const { pending, answer } = kept;
  const isAgain = answer?.code === code;
  const { nonce, base } = (isAgain ? answer : pending) ?? {};
  const found = base === undefined ? null : await findBaseFile(core, base);
  if (!nonce || !base || !found || !(await isAnswer(core, found.file, { code, nonce }))) {
    throw new OfflineCodeError(null);
  }
  if (!isAgain) {
    const accepted = { code, nonce, base, endsDay };
    await (await core.offlineFile()).write({ ...kept, pending: null, answer: accepted });
  }
  // A newer application may bring another base file.
  await writeFile(core, found.text, licenseKey);
  if (core.unwrittenFile !== null) throw new LicenseFileError(core.unwrittenFile);
  return (await checkFile(core)).result;
}

function notAccepted(reason: string): LicenseFileError {
  return new LicenseFileError(`This answer cannot be used: ${reason}.`);
}
