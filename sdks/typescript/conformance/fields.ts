/** The fields of a request. Which of them an operation has, the protocol says. */

import type { Json } from "./views.js";

export interface Fields {
  readonly op: string;
  readonly client: string;
  readonly license: string;
  readonly session: string;
  readonly watch: string;
  readonly borrowed: string;
  readonly reserved: string;
  readonly credits: string;
  readonly days: number;
  readonly device: string;
  readonly renew?: boolean | null;
  readonly deskUrl?: string | null;
  readonly index: number;
  readonly intervalSeconds: number;
  readonly now?: string | null;
  readonly licenseKey: string;
  readonly salt: string;
  readonly left: string;
  readonly right: string;
  readonly code: string;
  readonly language: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly releaseVersion?: string | null;
  readonly appVersion?: string | null;
  readonly productId: string;
  readonly facts: {
    readonly platform: string;
    readonly files?: Readonly<Record<string, string>> | null;
    readonly environment?: Readonly<Record<string, string>> | null;
    readonly machineGuid?: string | null;
    readonly ioreg?: string | null;
    readonly hostName?: string | null;
  };
  readonly stateFolder: string;
  readonly ciHardwareId?: boolean | null;
  readonly folder: string;
  readonly config: Json & { readonly productId: string; readonly publicKey: string };
  readonly settingsFolder?: string | null;
  readonly request: {
    readonly productId: string;
    readonly licenseKey: string;
    readonly hardwareId: string | null;
    readonly nonce: string;
    readonly currentVersion: string | null;
    readonly releasedAt: string | null;
    readonly channel: string;
    readonly platform: string | null;
  };
  readonly response: Json;
  readonly token: unknown;
  readonly text?: string | null;
  readonly keptVerdict?: string | null;
  readonly deviceName?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly instanceId?: string | null;
  readonly featureName: string;
  readonly quantity?: number | null;
  readonly idempotencyKey?: string | null;
  readonly activationId?: string | null;
  readonly channel?: string | null;
  readonly platform?: string | null;
  readonly file: unknown;
  readonly path: string;
  readonly name: string;
  readonly key: JsonWebKey;
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly properties?: Json | null;
}

/** What the driver does for a request: its result, or nothing. */
export type Operation = (fields: Fields) => unknown;

/** What has a name that the driver gave. */
export function find<T>(things: ReadonlyMap<string, T>, key: string): T {
  const found = things.get(key);
  if (found === undefined) throw new Error(`unknown name ${key}`);
  return found;
}

/** A time that also knows its UTC offset, which then is the machine's. */
export function timeAt(text: string): Date {
  const offset = /([+-])(\d\d):?(\d\d)$/.exec(text);
  const minutes = offset === null ? 0 : Number(offset[2]) * 60 + Number(offset[3]);
  const date = new Date(text);
  date.getTimezoneOffset = () => (offset?.[1] === "-" ? minutes : -minutes);
  return date;
}
