/** The driver of the TypeScript SDK for the conformance suite: a line in, a line out. */

import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";

import { utf8 } from "../src/core/bytes.js";
import type { LicenseCore } from "../src/core/core.js";
import { proofOf, thumbprint } from "../src/core/deviceKey.js";
import { RejectedToken } from "../src/core/jose.js";
import { keyHash, normalForm } from "../src/core/keys.js";
import { readPublicKeys, trustKey } from "../src/core/publicKey.js";
import { checkUpdateAnswer } from "../src/core/release.js";
import { verdictResult, verifyVerdict } from "../src/core/verdict.js";
import { importKey } from "../src/node/deviceKey.js";
import { writeLicense } from "../src/node/files.js";
import {
  type BorrowedSeat,
  type ClientOptions,
  LicenseClient,
  type OpenLicense,
  type ReservedCredits,
  type Session,
  type UpdateFile,
  VERSION,
  type Watch,
} from "../src/node/index.js";
import { CAPABILITIES } from "./capabilities.js";
import { type Fields, find, type Operation, timeAt } from "./fields.js";
import { STATELESS } from "./stateless.js";
import {
  activationView,
  borrowedView,
  devicesView,
  deviceView,
  errorView,
  failureView,
  type Json,
  licenseView,
  requestView,
  reservedView,
  resultView,
  sessionView,
  updateView,
} from "./views.js";

interface Named {
  readonly borrowed: Map<string, BorrowedSeat>;
  readonly clients: Map<string, LicenseClient>;
  readonly licenses: Map<string, OpenLicense>;
  readonly reserved: Map<string, ReservedCredits>;
  readonly sessions: Map<string, { session: Session; events: Json[] }>;
  readonly watches: Map<string, { watch: Watch; statuses: string[] }>;
}

let now: Date | null = null;
let count = 0;
const named: Named = {
  borrowed: new Map(),
  clients: new Map(),
  licenses: new Map(),
  reserved: new Map(),
  sessions: new Map(),
  watches: new Map(),
};

/** The clock of all clients. It stands still at the time that was set, in that time's UTC offset. */
function clock(): Date {
  return now ?? new Date();
}

function name(prefix: string): string {
  count += 1;
  return `${prefix}-${count}`;
}

/** A borrowed seat, by a name of its own. */
function borrowedAs(seat: BorrowedSeat): Json {
  const key = name("borrowed");
  named.borrowed.set(key, seat);
  return borrowedView(key, seat);
}

/** Reserved credits, by a name of their own. */
function reservedAs(credits: ReservedCredits): Json {
  const key = name("reserved");
  named.reserved.set(key, credits);
  return reservedView(key, credits);
}

function clientOf({ client }: Fields): LicenseClient {
  return find(named.clients, client);
}

/** The insides of a client, which the suite may look at. */
function coreOf(fields: Fields): LicenseCore {
  return (clientOf(fields) as unknown as { core: LicenseCore }).core;
}

function optionsOf(config: Json): ClientOptions {
  const { productApiKey, appReleasedAt, ...options } = config;
  return {
    ...options,
    ...(appReleasedAt == null ? {} : { appReleasedAt: timeAt(appReleasedAt as string) }),
    apiKey: productApiKey as string | null,
    clock,
  };
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...STATELESS,
  async reset() {
    for (const { session } of named.sessions.values()) await session.close();
    for (const license of named.licenses.values()) await license.close();
    for (const client of named.clients.values()) await client.close();
    for (const things of Object.values(named) as Map<string, unknown>[]) things.clear();
    now = null;
  },
  set_clock({ now: given }) {
    now = given == null ? null : timeAt(given);
  },
  async verify_verdict({ config, request, token }) {
    const { publicKey, publicKeys } = config;
    const keys = await Promise.all(readPublicKeys(publicKeys ?? [publicKey]).map(trustKey));
    const testMode = config["testMode"] === true;
    const question = { ...request, normalKey: normalForm(request.licenseKey), testMode };
    const time = clock().getTime();
    try {
      const result = verdictResult(await verifyVerdict(token, keys, question, time), time, null);
      return { valid: result.valid, status: result.status };
    } catch (error) {
      if (error instanceof RejectedToken) return { valid: false, status: "SignatureMismatch" };
      throw error;
    }
  },
  async verify_update({ config, request, response }) {
    const keys = await Promise.all(readPublicKeys([config.publicKey]).map(trustKey));
    const { releasedAt, ...asked } = request;
    const licenseKey = request.licenseKey as string | null;
    const question = {
      ...asked,
      productId: config.productId,
      keyHash: licenseKey === null ? null : await keyHash(normalForm(licenseKey)),
      releasedAt: releasedAt === null ? null : new Date(releasedAt),
    };
    try {
      await checkUpdateAnswer(response, keys, question);
      return { accepted: true };
    } catch (error) {
      if (error instanceof RejectedToken) return { accepted: false };
      throw error;
    }
  },
  async prove_request({ key, method, url, body }) {
    const found = await importKey(key);
    const proof = await proofOf(found, { method, url, body }, clock().getTime());
    return { proof, jkt: await thumbprint(found) };
  },
  async create_client({ config, settingsFolder }) {
    const options = optionsOf(config);
    const client =
      settingsFolder == null
        ? new LicenseClient(options)
        : await LicenseClient.fromSettings(options, settingsFolder);
    const key = name("client");
    named.clients.set(key, client);
    return { client: key, hardwareId: await client.hardwareId() };
  },
  async install_file(fields) {
    const core = coreOf(fields);
    const path = await core.fileOf(core.config.normalKey);
    const { text, keptVerdict: verdict } = fields;
    if (text == null) await rm(path, { force: true });
    else await writeLicense(path, utf8(text));
    if (verdict != null) await (await core.store()).update((state) => ({ ...state, verdict }));
  },
  identity: (fields) => clientOf(fields).identity(),
  stored_file: async (fields) => ({ text: await coreOf(fields).readFile() }),
  verify_offline: async (fields) => resultView(await clientOf(fields).validateOffline()),
  validate: async (fields) => resultView(await clientOf(fields).validate()),
  validate_online: async (fields) => resultView(await clientOf(fields).validateOnline()),
  refresh: async (fields) => resultView(await clientOf(fields).refresh()),
  async activate(fields) {
    const deviceName = fields.deviceName ?? undefined;
    const metadata = fields.metadata ?? undefined;
    return activationView(await clientOf(fields).activate({ deviceName, metadata }));
  },
  devices: async (fields) => devicesView(await clientOf(fields).devices()),
  release_device: async (fields) =>
    deviceView(await clientOf(fields).releaseDevice({ id: fields.device })),
  deactivate: (fields) => clientOf(fields).deactivate(),
  async connect(fields) {
    const events: Json[] = [];
    const session = clientOf(fields).session({
      instanceId: fields.instanceId ?? undefined,
      onLost: (error) => events.push({ event: "lost", error: errorView(error) }),
      onRegained: () => events.push({ event: "regained" }),
    });
    await session.open();
    const key = name("session");
    named.sessions.set(key, { session, events });
    return { session: key, ...sessionView(session, events) };
  },
  async open(fields) {
    const license = await clientOf(fields).open();
    const key = name("license");
    named.licenses.set(key, license);
    return licenseView(key, license);
  },
  async borrow({ session, license, days }) {
    const held = session ? find(named.sessions, session).session : find(named.licenses, license);
    return borrowedAs(await held.borrow(days));
  },
  async borrowed_seat(fields) {
    const seat = await clientOf(fields).borrowedSeat();
    return seat === null ? borrowedView(null, null) : borrowedAs(seat);
  },
  async renew({ borrowed, days }) {
    return borrowedView(borrowed, await find(named.borrowed, borrowed).renew(days));
  },
  return_seat: ({ borrowed }) => find(named.borrowed, borrowed).return(),
  async reserve(fields) {
    const { credits, days } = fields;
    return reservedAs(await clientOf(fields).reserve(credits, { days }));
  },
  async reserved_credits(fields) {
    const credits = await clientOf(fields).reservedCredits();
    return credits === null ? reservedView(null, null) : reservedAs(credits);
  },
  async report_credits({ reserved }) {
    return reservedView(reserved, await find(named.reserved, reserved).report());
  },
  async renew_credits({ reserved, days }) {
    return reservedView(reserved, await find(named.reserved, reserved).renew(days));
  },
  return_credits: ({ reserved }) => find(named.reserved, reserved).return(),
  async offline_request(fields) {
    const { renew, deskUrl } = fields;
    const made = await clientOf(fields).offlineRequest({ renew: renew === true });
    return requestView(made, deskUrl);
  },
  async apply_offline_answer(fields) {
    const { code, file } = fields as { readonly code?: string; readonly file: unknown };
    const answer = code ?? utf8(file as string);
    return resultView(await clientOf(fields).applyOfflineAnswer(answer));
  },
  async release_offline(fields) {
    const made = await clientOf(fields).releaseOffline();
    return { ...requestView(made, fields.deskUrl), code: made.code };
  },
  consume(fields) {
    const { license, featureName, quantity, idempotencyKey, activationId } = fields;
    const things = license ? find(named.licenses, license) : clientOf(fields);
    const options = {
      idempotencyKey: idempotencyKey ?? undefined,
      activationId: activationId ?? undefined,
    };
    return things.consume(featureName, quantity ?? 1, options);
  },
  balance: (fields) => clientOf(fields).balance(),
  async check_update(fields) {
    const { channel, platform } = fields;
    const options = { channel: channel ?? undefined, platform: platform ?? null };
    return updateView(await clientOf(fields).checkForUpdate(options));
  },
  async download(fields) {
    const { sizeBytes, ...file } = fields.file as Json;
    const update = { ...file, size: sizeBytes } as unknown as UpdateFile;
    return { path: await clientOf(fields).download(update, fields.path) };
  },
  track(fields) {
    clientOf(fields).track(fields.name, fields.properties ?? {});
  },
  watch(fields) {
    const statuses: string[] = [];
    const watch = clientOf(fields).watch({
      onChange: ({ status }) => statuses.push(status),
      everySeconds: fields.intervalSeconds,
    });
    const key = name("watch");
    named.watches.set(key, { watch, statuses });
    return { watch: key };
  },
  async close(fields) {
    await clientOf(fields).close();
    named.clients.delete(fields.client);
  },
  license_state: ({ license }) => licenseView(license, find(named.licenses, license)),
  release: ({ license }) => find(named.licenses, license).release(),
  close_license: ({ license }) => find(named.licenses, license).close(),
  session_state({ session: key }) {
    const { session, events } = find(named.sessions, key);
    return sessionView(session, events);
  },
  disconnect: ({ session }) => find(named.sessions, session).session.close(),
  watch_state: ({ watch }) => ({ statuses: find(named.watches, watch).statuses }),
  close_watch: ({ watch }) => find(named.watches, watch).watch.stop(),
};

async function respond(request: Json): Promise<Json> {
  const operation = OPERATIONS[String(request["op"])];
  if (operation === undefined) return { error: { code: "UnknownOp" } };
  try {
    return { ok: (await operation(request as unknown as Fields)) ?? {} };
  } catch (error) {
    return { error: failureView(error) };
  }
}

function write(line: Json): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const hello = { protocol: 1, sdk: "licet", language: "TypeScript", version: VERSION };
write({ ...hello, capabilities: CAPABILITIES });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Json;
  write({ id: request["id"], ...(await respond(request)) });
}
