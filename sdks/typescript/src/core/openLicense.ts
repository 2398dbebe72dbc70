/** An open license, as `client.open()` gives it to the application. */

import type { LicenseCore } from "./core.js";
import type { Balance, Consumption, ConsumeOptions } from "./metering.js";
import { needsDevice, type Traits } from "./models.js";
import { metering, seats } from "./parts.js";
import type {
  EntitlementValue,
  License,
  LicenseModel,
  LicenseResult,
  LicenseSeat,
  OrNewer,
} from "./result.js";
import type { Claimed } from "./seat.js";
import type { SessionOptions } from "./session.js";
import type { LicenseStatus } from "./status.js";
import type { Watch } from "./watch.js";

/** The result of the validation, and what was claimed. */
export interface Opened extends Claimed {
  readonly result: LicenseResult;
  readonly traits: Traits;
  /** Of a metered license; `null` without the server. */
  readonly balance: Balance | null;
  /** What calls `onChange`, if it was given. */
  readonly watch: Watch | null;
}

/** Who is told of changes of an open license, and of the loss of its seat. */
export interface OpenOptions extends SessionOptions {
  /**
   * Called with each result whose status, terms or warnings are not those of the one before. The
   * license is then checked every hour, as by `watch()`.
   */
  readonly onChange?:
    ((result: LicenseResult, previous: LicenseResult | null) => unknown) | undefined;
}

/** A license in use. */
export class OpenLicense {
  #balance: Balance | null;
  #terms: License | null;
  #released = false;

  constructor(
    protected readonly core: LicenseCore,
    protected readonly opened: Opened,
  ) {
    this.#balance = opened.balance;
    this.#terms = opened.result.license;
  }

  /** The client's latest result: of the opening, a watch, or any other check since then. */
  get result(): LicenseResult {
    return this.core.latest ?? this.opened.result;
  }

  /** Whether the application may go on running. */
  get valid(): boolean {
    return this.result.valid;
  }

  /** The latest status: `GracePeriod` if the server could not be asked. */
  get status(): LicenseStatus {
    return this.result.status;
  }

  /** The status in a sentence for the user. */
  get message(): string {
    return this.result.message;
  }

  /** Problems that do not stop the application. */
  get warnings(): readonly string[] {
    return this.result.warnings;
  }

  /** When the application has to reach the server again; `null` outside a grace period. */
  get graceEndsAt(): Date | null {
    return this.status === "GracePeriod" ? this.result.graceEndsAt : null;
  }

  /** The latest terms; `null` if neither file nor server told them. */
  get terms(): License | null {
    return (this.#terms = this.result.license ?? this.#terms);
  }

  get id(): string {
    return this.terms?.id ?? "";
  }

  get type(): OrNewer<LicenseModel> {
    return this.terms?.type ?? "";
  }

  get name(): string | null {
    return this.terms?.name ?? null;
  }

  get issuedTo(): string | null {
    return this.terms?.issuedTo ?? null;
  }

  /** The end of the term and its grace; `null` if the license does not expire. */
  get expirationDate(): Date | null {
    return this.terms?.expirationDate ?? null;
  }

  get metadata(): Readonly<Record<string, string>> {
    return this.terms?.metadata ?? {};
  }

  /** The names of the granted features; `null` means not restricted. */
  get features(): readonly string[] | null {
    return this.result.features;
  }

  /** Whether the license grants a feature. Ignores case. */
  hasFeature(name: string): boolean {
    return this.result.hasFeature(name);
  }

  /** The value of a feature, `true` without a value; `null` if it is not granted. Ignores case. */
  entitlement(name: string): EntitlementValue | null {
    return this.result.entitlement(name);
  }

  /** The seat that this copy of the application holds, with the numbers of the latest verdict. */
  get seat(): LicenseSeat {
    const { traits, session, activation } = this.opened;
    const kind = traits.seatKind;
    const claimed = this.result === this.opened.result ? (activation ?? session) : null;
    const told = this.terms?.seat ?? { held: null, used: null, total: null };
    if (kind === "None") return { ...told, kind };
    const { used, total } =
      claimed === null ? told : { used: claimed.seatsUsed, total: claimed.seatsTotal };
    if (kind === "Session" && session !== null) return { kind, held: session.alive, used, total };
    const refused = this.result !== this.opened.result && told.held === false;
    const held = !this.#released && !refused && session?.alive !== false;
    return { kind, held, used, total };
  }

  /** Of a metered license, after the last charge made through this object. */
  get balance(): Balance | null {
    return this.#balance;
  }

  /** Charges a metered license exactly once; see `LicenseClient.consume`. */
  async consume(feature: string, quantity = 1, options: ConsumeOptions = {}): Promise<Consumption> {
    const charge = await this.charge(feature, quantity, options);
    if (this.#balance !== null && !charge.replayed && !charge.reserved) {
      this.#balance = { ...this.#balance, balance: charge.balance };
    }
    return charge;
  }

  protected async charge(
    feature: string,
    quantity: number,
    options: ConsumeOptions,
  ): Promise<Consumption> {
    return (await metering()).consume(this.core, feature, quantity, options);
  }

  /**
   * Gives the seat back now, including that of a device, which `close()` keeps.
   *
   * @throws NetworkError The server did not respond.
   * @throws ServerFaultError The server responded with an error.
   */
  async release(): Promise<void> {
    await this.close();
    if (!needsDevice(this.opened.traits)) return;
    const { deactivate } = await seats();
    await deactivate(this.core);
    this.#released = true;
  }

  /** Gives back the seat of a session. A device keeps its seat. May be repeated. */
  async close(): Promise<void> {
    await this.opened.watch?.close();
    await this.opened.session?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The class of open licenses, or one of its subclasses. */
export type Opens<Open extends OpenLicense> = new (core: LicenseCore, opened: Opened) => Open;
