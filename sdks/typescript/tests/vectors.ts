/** The test vectors that all SDKs share. */

import { readFileSync } from "node:fs";

export const ROOT = new URL("../../../../", import.meta.url);

interface Signed<Case> {
  readonly publicKey: string;
  readonly publicKeyPem: string;
  readonly cases: readonly Case[];
}

export interface Expected {
  readonly valid: boolean;
  readonly status: string;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`vectors/${name}.json`, ROOT), "utf8"));
}

export const KEYS = read("keys") as {
  characters: Record<string, [number, number][]>;
  valid: { input: string; normalForm: string; hash: string }[];
  checkSymbols: { payload: string; check: string }[];
  invalidCheck: string[];
  imported: { input: string; normalForm: string; canBeProtected: boolean }[];
  malformed: string[];
};

export const DERIVED = read("derive-key") as {
  licenseKey: string;
  normalForm: string;
  salt: string;
  derivedKey: string;
}[];

export const FILES = read("files") as Signed<{
  name: string;
  file: string;
  productId: string;
  licenseKey: string | null;
  hardwareId: string;
  appVersion: string | null;
  gracePeriodDays: number;
  testMode?: boolean;
  keptVerdict: string | null;
  at: string;
  expected: Expected;
}>;

export const COVERAGE = read("coverage") as Signed<{
  name: string;
  file: string;
  productId: string;
  hardwareId: string;
  appVersion: string | null;
  appReleasedAt: string;
  at: string;
  expected: Expected;
  updatesUntil: string | null;
  inFallback: boolean;
}>;

export const VERDICTS = read("verdicts") as Signed<{
  name: string;
  request: { productId: string; licenseKey: string; hardwareId: string | null; nonce: string };
  testMode?: boolean;
  at: string;
  token: string;
  expected: Expected;
}>;

export const PROOFS = read("proofs") as {
  publicKey: string;
  keys: { name: string; privateKey: object; jkt: string }[];
  sent: {
    name: string;
    key: string;
    method: string;
    url: string;
    body: string | null;
    at: string;
    header: { jwk: JsonWebKey };
    claims: object;
  }[];
  files: {
    name: string;
    productId: string;
    licenseKey: string;
    hardwareId: string;
    at: string;
    deviceKey: object | null;
    file: string;
    expected: Expected;
  }[];
};

/** A client with reserved credits, and what it answers. */
export interface Reserved {
  name: string;
  productId: string;
  licenseKey: string;
  hardwareId: string;
  appVersion: string | null;
  testMode?: boolean;
  at: string;
  deviceKey: object | null;
  token: string;
  journal: string | null;
  reported?: number;
  expected: Expected & { leaseEndsAt: string | null; reserved: object | null };
}

export const LEASES = read("leases") as {
  publicKey: string;
  credits: Reserved[];
  tokens: {
    name: string;
    productId: string;
    licenseKey: string;
    hardwareId: string;
    appVersion: string | null;
    testMode?: boolean;
    at: string;
    deviceKey: object | null;
    token: string;
    expected: Expected & { leaseEndsAt: string | null };
  }[];
};

export const JOURNALS = read("journals") as {
  publicKey: string;
  chains: (Omit<Reserved, "journal" | "expected"> & {
    genesis: string;
    charges: { at: string; featureName: string; quantity: number; idempotencyKey: string }[];
    lines: string[];
    spent: string;
  })[];
  files: Reserved[];
};

export const RELEASES = read("releases") as Signed<{
  name: string;
  productId: string;
  nonce: string;
  licenseKey: string | null;
  releasedAt: string | null;
  currentVersion: string | null;
  channel: string;
  platform: string | null;
  response: Record<string, unknown>;
  accepted: boolean;
}>;

interface OfflineClient {
  readonly name: string;
  readonly productId: string;
  readonly licenseKey: string | null;
  readonly hardwareId: string;
  readonly deviceName: string | null;
  readonly appVersion: string | null;
  readonly at: string;
  readonly deviceKey: object | null;
  /** The content of the file in which offline requests are kept. */
  readonly kept: string | null;
  readonly file: string | null;
}

type OfflineAnswered = Partial<Expected> & { error?: string; group?: number | null };

interface OfflineSigned {
  readonly header?: object;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly code?: string;
  readonly status?: string;
  readonly error?: string;
}

export const OFFLINE = read("offline_requests") as {
  publicKey: string;
  letters: { bytes: string; code: string }[];
  groups: { typed: { index: number; text: string; right: boolean }[] }[];
  mistyped: (OfflineClient & { typed: { code: string; group: number }[] })[];
  sent: (OfflineClient & { renew: boolean; expected: OfflineSigned })[];
  answers: (OfflineClient & { answer: string; expected: OfflineAnswered })[];
  codes: (OfflineClient & { code: string; expected: OfflineAnswered })[];
  stored: (OfflineClient & { expected: Expected })[];
  releases: (OfflineClient & { withoutCode?: boolean; expected: OfflineSigned })[];
};
