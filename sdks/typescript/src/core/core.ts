/**
 * What all calls of a client share: this machine, its files, and signed verdicts.
 *
 * Invariant: a result is valid only if the product's private key signed it, either as license.bin or
 * as a verdict for this very request.
 */

import { type Bytes, fromUtf8, hex, sha256, utf8 } from "./bytes.js";
import type { LicenseFile } from "./claims.js";
import { openLicenseFile } from "./claims.js";
import type { Config } from "./config.js";
import { Proofs } from "./deviceKey.js";
import { LicenseFileError } from "./errors.js";
import { MAX_TOKEN_BYTES } from "./jose.js";
import { keyHash, keyLabel } from "./keys.js";
import type { HardwareId, Platform, StoredLicense } from "./platform.js";
import { type TrustedKey, trustKey } from "./publicKey.js";
import { LicenseResult } from "./result.js";
import type { Confirmation, FileContext, SignedRefusal } from "./rules.js";
import type { Asked } from "./server.js";
import { refusalOf, type State } from "./state.js";
import { StateStore } from "./stateStore.js";
import { type LicenseStatus, runs } from "./status.js";
import { asDate, readClock, type Reading } from "./time.js";
import type { Transport } from "./transport.js";
import { type KeptVerdict, readKept } from "./verdict.js";

/** What needs the license key: only license.bin, a validation, another request, or the end of use. */
export type Purpose = "look" | "validate" | "use" | "leave";

export class LicenseCore {
  /** The monotonic time before which a failed refresh is not repeated. */
  noRefreshBefore = 0;
  /** Why license.bin could not be written, if it could not. */
  unwrittenFile: string | null = null;
  /** Why a license.bin that exists is not used, if it is not. */
  refusedFile: string | null = null;
  /** Whether license.bin is protected with a token that has ended, and cannot be opened. */
  hasSealedFile = false;
  /** The ID of the license, as far as it is known. */
  licenseId: string | null = null;
  /** The hash of the license key of the last license.bin, if none is set. */
  foundKeyHash: string | null = null;
  /** The client's latest result. */
  latest: LicenseResult | null = null;
  /** Called when there is another result. */
  readonly followers = new Set<() => void>();
  /** The requests whose answers are awaited in the background. */
  readonly running = new Set<Promise<unknown>>();
  /** The ID of a live session of the client, if it has one. */
  liveSession: () => string | null = () => null;
  /** Told of a request that failed after the start had gone on without it. */
  missed: (error: unknown) => Promise<unknown> = () => Promise.resolve();
  readonly proofs: Proofs;
  /** The components of this machine, for requests that may make or find a device; none in a page. */
  declare readonly components?: () => Promise<Readonly<Record<string, string>> | null>;
  #transport: Transport | null = null;
  #hardware: Promise<HardwareId> | null = null;
  #keys: Promise<readonly TrustedKey[]> | null = null;
  readonly #stores = new Map<string, Promise<StateStore>>();
  #closed = false;

  constructor(
    public config: Config,
    readonly platform: Platform,
  ) {
    const path = platform.join(config.stateFolder, "device-key.json");
    this.proofs = new Proofs(platform.deviceKeys, path, () => this.read().now);
  }

  /** Does something that needs the license key. An enrolled machine gets one first. */
  withKey<T>(_purpose: Purpose, work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** Takes a verdict. An enrolled machine first tries to mend that its token is not known. */
  judge(_status: LicenseStatus, _key: string, take: () => Promise<Asked>): Promise<Asked> {
    return take();
  }

  /** The key that is set; that of the enrollment for a machine without a token. */
  get askingKey(): string | null {
    return this.config.normalKey;
  }

  /** Whether the server can be contacted. */
  get hasServer(): boolean {
    return this.config.endpoint !== null && this.config.apiKey !== null;
  }

  /** The connection; made at its first use. */
  get transport(): Transport {
    if (this.#closed) throw new Error("This client is closed. Create a new one.");
    return (this.#transport ??= this.config.transport ?? this.platform.connect(this.config));
  }

  close(): void {
    this.#closed = true;
    if (this.config.transport === null) this.#transport?.close();
  }

  read(): Reading {
    return readClock(this.config.clock);
  }

  hardware(): Promise<HardwareId> {
    const { hardwareId } = this.config;
    this.#hardware ??=
      hardwareId === null
        ? this.platform.hardwareId(this.config)
        : Promise.resolve({ value: hardwareId, source: "" });
    return this.#hardware;
  }

  async hardwareId(): Promise<string> {
    return (await this.hardware()).value;
  }

  keys(): Promise<readonly TrustedKey[]> {
    return (this.#keys ??= Promise.all(this.config.publicKeys.map(trustKey)));
  }

  /** What names of files have of the license key: the one set, or that of the last license.bin. */
  async label(): Promise<string> {
    const { isNamed, normalKey } = this.config;
    const hash = normalKey === null ? this.foundKeyHash : await keyHash(normalKey);
    return isNamed || hash === null ? "" : `-${keyLabel(hash)}`;
  }

  /** The state of the license key. */
  async store(): Promise<StateStore> {
    const label = await this.label();
    const opened = this.#stores.get(label) ?? this.#openStore(label);
    this.#stores.set(label, opened);
    return opened;
  }

  async #openStore(label: string): Promise<StateStore> {
    const { productId, licenseFile, stateFolder } = this.config;
    const product = hex(await sha256(utf8(productId))).slice(0, 8);
    const stem = (licenseFile.split(/[/\\]/).pop() ?? "").replace(/(?<=.)\.[^.]*$/, "");
    const [path, shared] = [label, ""].map((of) =>
      this.platform.join(stateFolder, `${stem}${of}-${product}.state`),
    ) as [string, string];
    const identity = `${productId}\0${await this.hardwareId()}`;
    return new StateStore(this.platform.files, path, shared, identity);
  }

  /** Where the license.bin of a key is stored: in a file of its own, unless the file is named. */
  async fileOf(key: string | null): Promise<string> {
    const { licenseFile, isNamed } = this.config;
    if (key === null || isNamed) return licenseFile;
    return licenseFile.replace(/[^/\\]*$/, `license-${keyLabel(await keyHash(key))}.bin`);
  }

  /** Where the license.bin of this client is stored; `null` if it may be that of any key. */
  protected async ownFile(): Promise<string | null> {
    const { normalKey } = this.config;
    return normalKey === null ? null : this.fileOf(normalKey);
  }

  /** The user name and the password, as fields of every request about the license. */
  get credentials(): Record<string, string | null> {
    return { username: this.config.username, password: this.config.password };
  }

  /** The same as headers of requests without a body. */
  get credentialHeaders(): Record<string, string | null> {
    const { username, password } = this.config;
    return { "X-License-Username": username, "X-License-Password": password };
  }

  /**
   * The text of license.bin; `null` if it does not exist or is refused.
   *
   * @throws LicenseFileError It cannot be read, and the server cannot be asked instead.
   */
  async readFile(): Promise<string | null> {
    let found: StoredLicense;
    try {
      const own = await this.ownFile();
      found = await this.platform.readLicense(this.config, own, MAX_TOKEN_BYTES, (content) =>
        this.#isOfKey(textOf(content)),
      );
    } catch (error) {
      const problem = `${(error as Error).message}. Check its permissions.`;
      if (!this.hasServer || this.config.normalKey === null) {
        throw new LicenseFileError(problem, { cause: error });
      }
      found = { content: null, refused: problem };
    }
    this.refusedFile = found.refused;
    return found.content && textOf(found.content);
  }

  /** Whether a file is one of the license key that is set; if none is, any is. */
  async #isOfKey(text: string): Promise<boolean> {
    const { normalKey, isNamed } = this.config;
    if (normalKey === null || isNamed) return true;
    const kept = await this.readKept(text);
    if (kept !== null) return kept.keyHash === (await keyHash(normalKey));
    const file = await this.openFile(text, normalKey).catch(() => null);
    return file !== null && (file.normalKey ?? normalKey) === normalKey;
  }

  /**
   * Verifies the text of a license.bin of this product.
   *
   * @throws RejectedToken It cannot be trusted.
   */
  async openFile(text: string, normalKey: string | null): Promise<LicenseFile> {
    return openLicenseFile(text, await this.keys(), this.config.productId, normalKey);
  }

  async readKept(token: string): Promise<KeptVerdict | null> {
    return readKept(token, await this.keys(), this.config.productId, await this.hardwareId());
  }

  /** What the verdict on a file depends on. */
  async fileContext(state: State, file: LicenseFile): Promise<FileContext> {
    return {
      ...this.config,
      hardwareId: await this.hardwareId(),
      jkt: file.jkt && (await this.proofs.jkt()),
      state,
      confirmed: await this.#confirmation(state),
      refused: await this.#refusal(state, file),
      reading: this.read(),
    };
  }

  /** What the last verdict confirmed, if the server signed it for this machine. */
  async #confirmation(state: State): Promise<Confirmation | null> {
    const kept = state.verdict === null ? null : await this.readKept(state.verdict);
    return kept !== null && runs(kept.status) ? { keyHash: kept.keyHash, at: kept.issuedAt } : null;
  }

  /** The last refusal of the file's license key, if the server signed it for this machine. */
  async #refusal(state: State, { keyHash }: LicenseFile): Promise<SignedRefusal | null> {
    const refusal = refusalOf(state, keyHash);
    const kept = refusal === null ? null : await this.readKept(refusal.token);
    if (kept === null || runs(kept.status)) return null;
    return { keyHash: kept.keyHash, status: kept.serverStatus, at: kept.issuedAt };
  }

  /** Makes this the client's latest result, and returns it. */
  learn(result: LicenseResult): LicenseResult {
    this.latest = result;
    for (const follower of this.followers) follower();
    return result;
  }

  /** Whether a response is about the license; true if its ID is not known yet. */
  isThisLicense(licenseId: string): boolean {
    return this.licenseId === null || this.licenseId === licenseId;
  }

  /** The result without the server: that of license.bin, unless the machine has a lease. */
  decide(result: LicenseResult): Promise<LicenseResult> {
    return this.withWarnings(result);
  }

  /** The result with what the settings file should not say, and what cannot be stored. */
  async withWarnings(result: LicenseResult): Promise<LicenseResult> {
    const { failure, path } = await this.store();
    const unwritten =
      failure === null
        ? null
        : `${path} cannot be written (${failure}): after a restart there is no grace period. ` +
          "Check the permissions of the folder.";
    const unproven = result.status === "DeviceProofRequired" ? this.proofs.problem : null;
    const problems = [unwritten, this.unwrittenFile, this.refusedFile, unproven];
    const found = [...this.config.warnings, ...problems];
    const warnings = [...result.warnings, ...found.filter((item) => item !== null)];
    return result.with({ warnings: [...new Set(warnings)] });
  }

  /** The result for something that the product's key did not sign for this request. */
  mismatch(message: string, source: "file" | "server"): Promise<LicenseResult> {
    const checkedAt = asDate(this.read().now);
    return this.withWarnings(
      new LicenseResult({ status: "SignatureMismatch", message, source, checkedAt }),
    );
  }
}

function textOf(content: Bytes): string {
  return fromUtf8(content) ?? "\ufffd";
}
