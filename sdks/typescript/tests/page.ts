/** What the tests of the browser call in a page. */

import { type ClientOptions, LicenseClient, type OpenLicense } from "licet";

import type { Expected } from "./vectors.js";

/** A client whose insides a test can reach. */
class OpenClient extends LicenseClient {
  async store(file: string, verdict: string | null): Promise<void> {
    const { config, platform } = this.core;
    await platform.files.write(config.licenseFile, new TextEncoder().encode(file));
    const store = await this.core.store();
    await store.update((state) => ({ ...state, verdict }));
  }
}

interface FileCase {
  readonly name: string;
  readonly file: string;
  readonly keptVerdict: string | null;
  readonly at: string;
  readonly expected: Expected;
  readonly entitlements?: Readonly<Record<string, unknown>>;
}

/** The names of the cases with another outcome than expected. */
export async function wrongFiles(publicKey: string, cases: readonly FileCase[]): Promise<string[]> {
  const wrong = [];
  for (const [number, found] of cases.entries()) {
    const { name, file, keptVerdict, at, expected, entitlements, ...options } = found;
    const clock = () => new Date(at);
    const more = { publicKey, clock, licenseFile: `case-${number}/license.bin` };
    const client = new OpenClient({ ...(options as ClientOptions), ...more });
    await client.store(file, keptVerdict);
    const { valid, status, license } = await client.validateOffline();
    if (valid !== expected.valid || status !== expected.status) wrong.push(`${name}: ${status}`);
    for (const [feature, value] of Object.entries(entitlements ?? {}))
      if (license?.entitlements?.[feature] !== value) wrong.push(`${name}: ${feature}`);
  }
  return wrong;
}

export async function validate(options: ClientOptions): Promise<Record<string, unknown>> {
  const client = new LicenseClient(options);
  const { status, source, warnings, cause } = await client.validate();
  const identity = await client.identity();
  await client.close();
  return { status, source, warnings, cause: cause?.code ?? null, ...identity };
}

/** The message of the error that a client cannot be created with. */
export function refused(options: ClientOptions): string {
  try {
    void new LicenseClient(options).close();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "";
}

/** Puts values into the SDK's store, as the user of a page can. */
export async function plant(values: Readonly<Record<string, unknown>>): Promise<void> {
  const database = await raw();
  const store = database.transaction("files", "readwrite").objectStore("files");
  for (const [name, value] of Object.entries(values)) store.put(value, name);
  await new Promise((done) => (store.transaction.oncomplete = done));
  database.close();
}

/** Puts a key in place of the device key that cannot sign. */
export async function plantKey(): Promise<void> {
  const algorithm = { name: "AES-GCM", length: 256 };
  await plant({ "device-key": await crypto.subtle.generateKey(algorithm, false, ["encrypt"]) });
}

/** Replaces the SDK's database by one of a later version, or without its store. */
export async function replaceDatabase(version: number): Promise<void> {
  await remove();
  (await raw(version)).close();
}

/** Deletes the SDK's database. */
export function remove(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("licet");
    request.onsuccess = resolve;
    request.onblocked = () => reject(new Error("blocked"));
  });
}

/** Keeps the SDK's database open without ever giving way to a deletion. */
export async function occupy(): Promise<void> {
  Object.assign(globalThis, { occupied: await raw() });
}

function raw(version?: number): Promise<IDBDatabase> {
  const request = indexedDB.open("licet", version);
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("not open"));
  });
}

/** Lets long waits pass at once. */
export function hurry(): void {
  const wait = globalThis.setTimeout;
  const shortened = (action: () => void, ms = 0, ...more: []) =>
    wait(action, ms >= 5_000 ? 200 : ms, ...more);
  Object.assign(globalThis, { setTimeout: shortened });
}

let license: OpenLicense | null = null;

/** Opens a license that stays open until the page goes away. */
export async function open(options: ClientOptions): Promise<unknown> {
  license = await new LicenseClient(options).open();
  return license.seat;
}

export async function charge(options: ClientOptions, feature: string): Promise<string> {
  return (await new LicenseClient(options).consume(feature)).balance;
}

export async function download(options: ClientOptions): Promise<string> {
  const client = new LicenseClient({ ...options, appVersion: "1.0.0" });
  const [file] = (await client.checkForUpdate()).files;
  if (file === undefined) throw new Error("no update is offered");
  return (await client.download(file)).text();
}

/** The parts of the SDK that this page has loaded. */
export function loadedParts(): string[] {
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  return files.map((name) => name.replace(/.*\/|\.js$/g, ""));
}

export function track(options: ClientOptions): Promise<void> {
  const client = new LicenseClient({ ...options, telemetry: true });
  client.track("opened", { page: 1 });
  return client.close();
}
