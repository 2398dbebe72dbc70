/** The certificate authorities that a connection trusts. */

import type { Config } from "../core/config.js";
import { ConfigurationError } from "../core/errors.js";
import { readInstalled } from "./files.js";

const MAX_BUNDLE_BYTES = 1 << 24;

/**
 * Node's own authorities, the operating system's, and those that the application or the environment
 * names; `undefined` if Node's are all.
 *
 * @throws ConfigurationError The bundle cannot be read.
 */
export async function authorities(config: Config): Promise<string[] | undefined> {
  const { getCACertificates, rootCertificates } = await import("node:tls");
  // Company authorities are in the operating system's store, which Node can read since 22.15.
  const listed = getCACertificates as typeof getCACertificates | undefined;
  const system = listed?.("system") ?? [];
  const extra = [...(await namedInEnvironment(config)), ...(await named(config.caBundle))];
  if (system.length === 0 && extra.length === 0) return undefined;
  // Node trusts the authorities of NODE_EXTRA_CA_CERTS, and an older one does not list them.
  const own = listed?.("default") ?? [
    ...rootCertificates,
    ...(await readable(process.env["NODE_EXTRA_CA_CERTS"])),
  ];
  return [...own, ...system, ...extra];
}

async function readText(path: string): Promise<string> {
  const content = await readInstalled(path, MAX_BUNDLE_BYTES);
  if (content === null) throw new Error("it does not exist");
  return Buffer.from(content).toString("utf8");
}

async function named(bundle: string | null): Promise<string[]> {
  if (bundle === null) return [];
  let text: string;
  try {
    text = await readText(bundle);
  } catch (error) {
    throw new ConfigurationError(
      `CaBundle ${bundle} cannot be read: ${(error as Error).message}. Check the path.`,
    );
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return [text];
  throw new ConfigurationError(`CaBundle ${bundle} contains no PEM certificates.`);
}

/** What SSL_CERT_FILE names. */
async function namedInEnvironment(config: Config): Promise<string[]> {
  if (!config.trustEnvironment || config.authoritiesNamedInCode) return [];
  return readable(process.env["SSL_CERT_FILE"]);
}

/** The file, or nothing if it cannot be read: that must not stop the application. */
async function readable(path: string | undefined): Promise<string[]> {
  if (!path) return [];
  return readText(path).then(
    (text) => [text],
    () => [],
  );
}
