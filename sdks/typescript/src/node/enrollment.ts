/**
 * Enrollment: a machine with an enrollment key gets a token, which is its license key from then on.
 *
 * The token works on this machine alone. It is kept in the state folder and ends with the seat of the
 * device. If it is lost or not known any more, the machine enrolls again: it gets its seat back, or
 * another one.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";

import { call } from "../core/api.js";
import { fromUtf8, hex, sha256, utf8 } from "../core/bytes.js";
import type { LicenseFile } from "../core/claims.js";
import type { Config } from "../core/config.js";
import type { Purpose } from "../core/core.js";
import { LicenseFileError, LicetError, NetworkError, ServerFaultError } from "../core/errors.js";
import { checkFile, isSufficient } from "../core/fileCheck.js";
import { isProtected } from "../core/jose.js";
import { keyHash, keyLabel, readKey } from "../core/keys.js";
import type { Platform } from "../core/platform.js";
import { LicenseRefusedError, RequestRefusedError } from "../core/refusals.js";
import { unexpectedReply } from "../core/reply.js";
import type { FileContext } from "../core/rules.js";
import type { Asked } from "../core/server.js";
import type { State } from "../core/state.js";
import type { LicenseStatus } from "../core/status.js";
import { validate, withoutServer } from "../core/validation.js";
import { NodeCore } from "./core.js";

const VARIABLE = "LICET_ENROLLMENT_KEY";
const MAX_TOKEN_BYTES = 1024;

/** The server has signed that it does not know the token of this device. */
class UnknownToken extends LicetError {
  constructor(
    readonly token: string,
    readonly remember: () => Promise<unknown>,
  ) {
    super("The server does not know the token of this device.");
  }
}

/** The core of a client: that of a machine with an enrollment key, unless there is a license key. */
export function coreOf(
  config: Config,
  platform: Platform,
  named: string | null | undefined,
): NodeCore {
  const hasKey = config.normalKey !== null || config.isNoKey;
  const key = hasKey ? null : named?.trim() || process.env[VARIABLE]?.trim();
  return key ? new EnrolledCore(config, platform, key) : new NodeCore(config, platform);
}

/** A core whose license key is the token that this machine gets for its enrollment key. */
export class EnrolledCore extends NodeCore {
  readonly #enrollmentKey: string;
  /** Whether the machine has just enrolled again, so that a refusal stands. */
  #isAgain = false;
  /** A token that has ended. It may still be on disk, in a folder that cannot be written to. */
  #ended: string | null = null;
  #enrolling: Promise<void> | null = null;

  /** The start that would enroll again has gone on. */
  override missed = async (error: unknown): Promise<unknown> =>
    error instanceof UnknownToken && validate(this, true);

  constructor(config: Config, platform: Platform, enrollmentKey: string) {
    super(config, platform);
    this.#enrollmentKey = enrollmentKey;
  }

  override get askingKey(): string {
    return this.config.normalKey ?? this.#enrollmentKey;
  }

  override async withKey<T>(purpose: Purpose, work: () => Promise<T>): Promise<T> {
    // Another process may have replaced the token.
    await this.#load();
    if (purpose === "look") return work();
    if (purpose === "leave") return this.#leave(work);
    if (purpose !== "validate") return this.#withToken(work);
    try {
      if (!this.hasServer || isSufficient(await checkFile(this))) return await work();
      return await this.#withToken(work);
    } catch (error) {
      const isUnasked = error instanceof NetworkError || error instanceof ServerFaultError;
      // That the server refused a token is another matter.
      if (!isUnasked || error instanceof RequestRefusedError) throw error;
      return this.learn(withoutServer(await checkFile(this), error)) as T;
    }
  }

  async #withToken<T>(work: () => Promise<T>): Promise<T> {
    if (this.config.normalKey === null) await this.#enroll();
    const used = this.config.normalKey;
    try {
      return await work();
    } catch (refusal) {
      if (!this.#isUnknown(refusal)) throw refusal;
      await this.#enrollAgain(refusal, refusal instanceof UnknownToken ? refusal.token : used);
    }
    this.#isAgain = true;
    try {
      return await work();
    } finally {
      this.#isAgain = false;
    }
  }

  override judge(status: LicenseStatus, key: string, take: () => Promise<Asked>): Promise<Asked> {
    const stands = this.#isAgain && key === this.config.normalKey;
    if (status === "LicenseNotFound" && !stands) throw new UnknownToken(key, take);
    return take();
  }

  override async readFile(): Promise<string | null> {
    let text: string | null;
    try {
      text = await super.readFile();
    } catch (error) {
      if (!(error instanceof LicenseFileError) || !this.hasServer) throw error;
      this.refusedFile = error.message;
      return null;
    }
    const { normalKey } = this.config;
    this.hasSealedFile =
      text !== null &&
      isProtected(text) &&
      (normalKey === null || (await this.openFile(text, normalKey).catch(() => null)) === null);
    if (!this.hasSealedFile) return text;
    this.refusedFile = `${this.config.licenseFile} was made for an earlier enrollment.`;
    return null;
  }

  /** Tokens change, so the files of a machine that enrolls are those of its enrollment key. */
  override async label(): Promise<string> {
    return this.config.isNamed ? "" : `-${keyLabel(await keyHash(this.#enrollmentKey))}`;
  }

  override fileOf(): Promise<string> {
    return super.fileOf(this.#enrollmentKey);
  }

  protected override ownFile(): Promise<string> {
    return this.fileOf();
  }

  /** The file of an enrolled device has no license key: it is that of its token. */
  override async openFile(text: string, normalKey: string | null): Promise<LicenseFile> {
    const file = await super.openFile(text, normalKey);
    const token = normalKey ?? this.config.normalKey;
    if (file.normalKey !== null || token === null) return file;
    return { ...file, normalKey: token, keyHash: await keyHash(token) };
  }

  /** A token says nothing of the license, so the last verdict has to be about that of the file. */
  override async fileContext(state: State, file: LicenseFile): Promise<FileContext> {
    const context = await super.fileContext(state, file);
    const kept = state.verdict === null ? null : await this.readKept(state.verdict);
    const isAnother = kept?.license != null && kept.license.id !== file.license.id;
    return isAnother && !file.license.key ? { ...context, confirmed: null } : context;
  }

  #isUnknown(refusal: unknown): boolean {
    if (refusal instanceof UnknownToken) return true;
    const isNotFound =
      refusal instanceof LicenseRefusedError && refusal.errorCode === "LicenseNotFound";
    return isNotFound && refusal.httpStatus === 404 && this.config.normalKey !== null;
  }

  /** Gets a token in place of a refused one: that of another process, or a new one. */
  #enroll(refused: string | null = null): Promise<void> {
    this.#enrolling ??= this.#enrollNow(refused).finally(() => (this.#enrolling = null));
    return this.#enrolling;
  }

  async #enrollNow(refused: string | null): Promise<void> {
    await this.#load();
    const { config, platform } = this;
    if (config.normalKey !== null && config.normalKey !== refused) return;
    const fields = {
      enrollmentKey: this.#enrollmentKey,
      hardwareId: await this.hardwareId(),
      deviceName: config.deviceName,
      os: platform.operatingSystem(),
      appVersion: config.appVersion,
      components: await this.components(),
    };
    const { body, requestId } = await call(this, "/activations/enroll", fields, {
      success: [200, 201],
    });
    const { deviceToken } = body;
    const token = typeof deviceToken === "string" ? readKey(deviceToken) : null;
    if (token === null) throw unexpectedReply("the enrollment", requestId);
    this.#replace(token);
    // Without a place for it, the machine enrolls again after a restart.
    await platform.files.write(await this.#place(), utf8(token)).catch(() => undefined);
  }

  async #enrollAgain(refusal: unknown, refused: string | null): Promise<void> {
    try {
      await this.#enroll(refused);
    } catch (error) {
      if (error instanceof RequestRefusedError) {
        if (refusal instanceof UnknownToken) await refusal.remember();
        await this.#forget();
      }
      throw error;
    }
  }

  async #leave<T>(work: () => Promise<T>): Promise<T> {
    // Without a token there is no seat to give back.
    if (this.config.normalKey === null) return undefined as T;
    let left: T | undefined;
    try {
      left = await work();
    } catch (refusal) {
      if (!this.#isUnknown(refusal)) throw refusal;
    }
    await this.#forget();
    return left as T;
  }

  async #load(): Promise<void> {
    const read = this.platform.files.read(await this.#place(), MAX_TOKEN_BYTES);
    const raw = await read.catch(() => null);
    const token = raw === null ? null : readKey(fromUtf8(raw) ?? "");
    if (token !== null && token !== this.#ended) this.#adopt(token);
  }

  async #forget(): Promise<void> {
    this.#replace(null);
    await rm(await this.#place(), { force: true }).catch(() => undefined);
  }

  #replace(token: string | null): void {
    this.#ended = this.config.normalKey ?? this.#ended;
    this.#adopt(token);
  }

  #adopt(token: string | null): void {
    this.config = { ...this.config, normalKey: token };
  }

  async #place(): Promise<string> {
    const material = `licet/enrollment/v1\0${this.#enrollmentKey}\0${await this.hardwareId()}`;
    const name = hex(await sha256(utf8(material))).slice(0, 16);
    return join(this.config.stateFolder, `device-${name}.token`);
  }
}
