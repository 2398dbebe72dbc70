/** Seats as in every SDK, which in Node can also be borrowed: then they need no server for days. */

import type { ConsumeOptions, Consumption } from "../core/metering.js";
import { OpenLicense as CoreOpenLicense } from "../core/openLicense.js";
import { Seat as CoreSeat } from "../core/seat.js";
import { Session as CoreSession } from "../core/session.js";
import { SessionLostError } from "../core/refusals.js";
import { asDate } from "../core/time.js";
import type { BorrowedSeat } from "./borrowing.js";
import type { NodeCore } from "./core.js";
import type { SeatLease } from "./leaseToken.js";

/** A seat that is held while the session is open. Heartbeats are sent in the background. */
export class Session extends CoreSession {
  declare protected readonly core: NodeCore;
  /** The borrowed seat that this session holds. */
  #lease: SeatLease | null = null;

  override get id(): string {
    return this.#lease?.sessionId ?? super.id;
  }

  override get alive(): boolean {
    return this.#lease === null ? super.alive : this.core.holds(this.#lease.id);
  }

  /** When the seat expires without another heartbeat, or when the lease of a borrowed one ends. */
  override get expiresAt(): Date | null {
    if (this.#lease === null) return super.expiresAt;
    return this.alive ? asDate(this.core.lease?.endsAt ?? null) : null;
  }

  /**
   * Claims a seat and starts heartbeats, or takes the seat that this machine has borrowed. Does
   * nothing if the session is open.
   *
   * @throws RequestRefusedError The server refused, for the reason named by the subclass.
   * @throws NetworkError The server did not respond.
   */
  override async open(): Promise<this> {
    if (this.alive || this.live?.isOpen === true) return this;
    this.#lease = await this.core.withKey("look", () => this.core.borrowed());
    if (this.#lease !== null) return this;
    await this.core.reportReturn();
    return super.open();
  }

  /**
   * Borrows the seat for some days, in which this machine needs no server. The session holds it from
   * now on, without heartbeats, and closing the session does not return it.
   *
   * @param days From 1 to 366, as many as the license allows.
   * @throws LeaseRefusedError Seats of the license are not borrowed, not for so long, or enough are.
   * @throws NetworkError The server did not respond. The next call asks for the same again.
   */
  async borrow(days = 14): Promise<BorrowedSeat> {
    const { borrow, BorrowedSeat, checkDays, requireNone } = await import("./borrowing.js");
    checkDays(days);
    const { id, live } = this;
    if (this.#lease !== null && this.alive) requireNone(this.core.lease);
    if (!this.alive || live === null) {
      throw new SessionLostError("The session is not open.", { httpStatus: 0 });
    }
    const lease = await borrow(this.core, days, id, live.instanceId);
    // What an earlier start has asked for may have been another seat.
    await (lease.sessionId === id ? live.leave() : live.release());
    this.#lease = lease;
    return new BorrowedSeat(this.core, lease);
  }

  /** Releases the seat, unless it is borrowed. Takes two seconds at most, and never rejects. */
  override async close(): Promise<void> {
    this.#lease = null;
    await super.close();
  }
}

/** A seat of this device, until it is closed. */
export class Seat extends CoreSeat {
  override get session(): Session | null {
    return super.session as Session | null;
  }

  /** Borrows the seat of a session, as its `borrow()` does. */
  borrow(days = 14): Promise<BorrowedSeat> {
    return borrowFrom(this.session, days);
  }
}

/** A license in use. */
export class OpenLicense extends CoreOpenLicense {
  declare protected readonly core: NodeCore;

  /** Borrows the seat of a session, as its `borrow()` does. */
  borrow(days = 14): Promise<BorrowedSeat> {
    return borrowFrom(this.opened.session as Session | null, days);
  }

  protected override async charge(
    feature: string,
    quantity: number,
    options: ConsumeOptions,
  ): Promise<Consumption> {
    return (await import("./spending.js")).charge(this.core, feature, quantity, options);
  }
}

async function borrowFrom(session: Session | null, days: number): Promise<BorrowedSeat> {
  if (session !== null) return session.borrow(days);
  const { checkDays, refused } = await import("./borrowing.js");
  checkDays(days);
  throw refused("LeaseLimitReached");
}
