/**
 * The settings file in the application's folder: `licet.json`, else `appsettings.json`.
 *
 * Settings may be in a section `Licet`, also as .NET nests it (`"Licet:ProductId"`). Comments and
 * trailing commas are allowed, as in .NET. Names ignore case.
 */

import { type Bytes, fromUtf8 } from "./bytes.js";
import { ConfigurationError } from "./errors.js";
import { isObject, type Json } from "./json.js";

export const SETTINGS_FILES = ["licet.json", "appsettings.json"] as const;
export const MAX_SETTINGS_BYTES = 1 << 20;
const SECTION = "licet";

type Kind = "text" | "texts" | "number" | "flag" | "path";

/** Setting -> client option and kind of value. */
const SETTINGS = {
  ProductId: ["productId", "text"],
  PublicKey: ["publicKey", "text"],
  PublicKeys: ["publicKeys", "texts"],
  LicenseKey: ["licenseKey", "text"],
  EnrollmentKey: ["enrollmentKey", "text"],
  ProductApiKey: ["apiKey", "text"],
  ApiKey: ["apiKey", "text"],
  ServerBaseEndpoint: ["serverBaseEndpoint", "text"],
  LicenseFile: ["licenseFile", "path"],
  StateFolder: ["stateFolder", "path"],
  AllUsers: ["allUsers", "flag"],
  AppVersion: ["appVersion", "text"],
  DeviceName: ["deviceName", "text"],
  GracePeriodDays: ["gracePeriodDays", "number"],
  TimeoutSeconds: ["timeoutSeconds", "number"],
  ProtectFile: ["protectFile", "flag"],
  CaBundle: ["caBundle", "path"],
  TrustEnvironment: ["trustEnvironment", "flag"],
  SeatMode: ["seatMode", "text"],
  HandleSigterm: ["handleSignals", "flag"],
  Telemetry: ["telemetry", "flag"],
} as const satisfies Record<string, readonly [string, Kind]>;

const BY_LOWER_CASE = new Map(
  Object.entries(SETTINGS).map(([name, setting]) => [name.toLowerCase(), setting]),
);
const EXPECTED: Readonly<Record<Kind, string>> = {
  text: "a string in quotes",
  texts: "a list of strings",
  number: "a number",
  flag: "true or false",
  path: "a path in quotes",
};
const SECRETS: readonly string[] = ["licenseKey", "enrollmentKey", "apiKey"];

/** The options that a settings file sets; `path` is `null` if there is no file. */
export interface Settings {
  readonly path: string | null;
  /** The file's name for messages. */
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export const NO_SETTINGS: Settings = { path: null, name: SETTINGS_FILES[0], options: {} };

/**
 * Reads a settings file.
 *
 * @param resolve Makes a path of the file absolute.
 * @throws ConfigurationError A value has the wrong type, or the file is not JSON.
 */
export function readSettings(
  raw: Bytes,
  path: string,
  name: string,
  resolve: (relative: string) => string,
): Settings {
  const text = fromUtf8(raw);
  if (text === null) throw new ConfigurationError(`${path} must contain JSON encoded as UTF-8.`);
  let content: unknown;
  try {
    content = JSON.parse(plainJson(text.replace(/^\ufeff/, "")));
  } catch (error) {
    throw new ConfigurationError(`${path} is not valid JSON: ${(error as Error).message}.`);
  }
  if (!isObject(content)) {
    throw new ConfigurationError(`${path} must contain a JSON object: { ... }.`);
  }
  return { path, name, options: readOptions(section(content, path), path, resolve) };
}

const COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
const LAST_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

/** Plain JSON: without comments, and without a comma after the last member. */
function plainJson(text: string): string {
  const plain = text.replace(COMMENT, (found) => (found.startsWith('"') ? found : " "));
  return plain.replace(LAST_COMMA, (found, position: number) => {
    const follows = /[^\s[{,:]\s*$/.test(plain.slice(Math.max(0, position - 1000), position));
    return found === "," && follows ? " " : found;
  });
}

function section(content: Json, path: string): Json {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(content)) {
    const lower = name.toLowerCase();
    if (lower.startsWith(`${SECTION}:`)) nested[name.slice(SECTION.length + 1)] = value;
    if (lower !== SECTION) continue;
    if (!isObject(value)) {
      throw new ConfigurationError(`${path}: the section ${name} must be a JSON object.`);
    }
    Object.assign(nested, value);
  }
  return Object.keys(nested).length > 0 || hasSection(content) ? nested : content;
}

function hasSection(content: Json): boolean {
  return Object.keys(content).some((name) => name.toLowerCase() === SECTION);
}

function readOptions(
  given: Json,
  path: string,
  resolve: (relative: string) => string,
): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const givenAs = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const setting = BY_LOWER_CASE.get(name.toLowerCase());
    if (setting === undefined || value === null) continue;
    const [option, kind] = setting;
    const other = givenAs.get(option);
    if (other !== undefined) {
      throw new ConfigurationError(
        `${path}: ${name} and ${other} set the same option; remove one of them.`,
      );
    }
    if (!hasKind(value, kind)) {
      const shown = SECRETS.includes(option) ? "" : `, not ${JSON.stringify(value).slice(0, 60)}`;
      throw new ConfigurationError(`${path}: ${name} must be ${EXPECTED[kind]}${shown}.`);
    }
    options[option] = kind === "path" ? resolve(value as string) : value;
    givenAs.set(option, name);
  }
  return options;
}

function hasKind(value: unknown, kind: Kind): boolean {
  if (kind === "texts") return Array.isArray(value) && value.every((item) => hasKind(item, "text"));
  if (kind === "number") return typeof value === "number";
  return typeof value === (kind === "flag" ? "boolean" : "string");
}
