/** What the SDK needs from the place where it runs: Node or a browser. */

import type { Bytes } from "./bytes.js";
import type { Config, Places } from "./config.js";
import type { DeviceKeys } from "./deviceKey.js";
import type { ClientOptions } from "./options.js";
import type { Transport } from "./transport.js";

/** The small files of this user, or what takes their place. */
export interface Files {
  /**
   * The content of a file; `null` if it does not exist.
   *
   * @throws Error It cannot be read, or is larger than `limit` bytes.
   */
  read(path: string, limit: number): Promise<Bytes | null>;
  /**
   * Replaces a file atomically; creates missing folders.
   *
   * @throws Error The write failed; an existing file is unchanged.
   */
  write(path: string, content: Bytes): Promise<void>;
}

/** license.bin as it was found. */
export interface StoredLicense {
  /** `null` if it does not exist or is refused. */
  readonly content: Bytes | null;
  /** Why a license.bin that exists is not used, in a sentence. */
  readonly refused: string | null;
}

/** The hardware ID, and the letter of its source. */
export interface HardwareId {
  readonly value: string;
  readonly source: string;
}

/** An instance ID: one for each running copy of an application, reused after a restart. */
export interface Instance {
  readonly value: string;
  /** Stores another ID for the next start, as far as possible, and returns it. */
  renew(): Promise<string>;
  /** Releases the ID for another copy. */
  release(): void;
}

/** An open session as seen by the exit hooks. */
export interface ExitTarget {
  /** Releases the seat; never rejects. */
  release(): Promise<void>;
  /** The request that releases the seat, for a process that cannot wait; `null` if none is due. */
  lastRequest(): { readonly url: string; readonly headers: Record<string, string>; body: string }[];
  /** The process that was about to end goes on: a page was restored. */
  resume(): void;
}

export interface Platform {
  /** The User-Agent; `null` where it cannot be set. */
  readonly agent: string | null;
  readonly files: Files;
  readonly deviceKeys: DeviceKeys;
  /**
   * Where license.bin and the state are.
   *
   * @param folder The application's folder, if it is not that of the running program.
   */
  places(options: ClientOptions, productId: string, folder?: string): Places;
  /**
   * Reads the newest license.bin that suits; the newest of all if none does.
   *
   * @param own Where the license.bin of the client's key is stored; without a key those of all are read.
   * @throws Error It cannot be read.
   */
  readLicense(
    places: Places,
    own: string | null,
    limit: number,
    suits: (content: Bytes) => Promise<boolean>,
  ): Promise<StoredLicense>;
  /**
   * Replaces license.bin. Returns why not, if what is in its place cannot be replaced.
   *
   * @throws Error The write failed; an existing file is unchanged.
   */
  writeLicense(path: string, content: Bytes): Promise<string | null>;
  join(folder: string, name: string): string;
  /** The operating system in a few words, such as `Linux 6.8 x86_64`. */
  operatingSystem(): string;
  hardwareId(config: Config): Promise<HardwareId>;
  /** Whether this machine lives for one job: CI, or a container without a machine ID. */
  isShortLived(config: Config): Promise<boolean>;
  connect(config: Config): Transport;
  /** Reports what a callback of the application has thrown. */
  report(error: unknown): void;
  /** What sessions need, loaded for the first of them. */
  sessions(): Promise<SessionPlatform>;
}

export interface SessionPlatform {
  readonly acquireInstance: (folder: string, label: string) => Promise<Instance>;
  /** Releases the seat at process exit; returns a function that ends this. */
  readonly watchExit: (target: ExitTarget, signals: boolean) => () => void;
}
