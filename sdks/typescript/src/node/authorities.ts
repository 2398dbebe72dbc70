/** The certificate authorities that a connection trusts. */

import { readFile } from "node:fs/promises";

import type { Config } from "../core/config.js";
import { ConfigurationError } from "../core/errors.js";

/**
 * Node's own authorities, the operating system's, and those that the application or the environment
 * names; `undefined` if Node's are all.
 *
 * @throws ConfigurationError The bundle cannot be read.
 */
export async function authorities(config: Config): Promise<string[] | undefined> {
  const { getCACertificates, rootCertificates } = await import("node:tls");
  // Company authorities are in the operating system's store, which Node can read since 22.15.
  const readable = getCACertificates as typeof getCACertificates | undefined;
  const system = readable?.("system") ?? [];
  const extra = [...(await namedInEnvironment(config)), ...(await named(config.caBundle))];
  if (system.length === 0 && extra.length === 0) return undefined;
  const own = readable?.("default") ?? rootCertificates;
  return [...own, ...system, ...extra];
}

async function named(bundle: string | null): Promise<string[]> {
  if (bundle === null) return [];
  let text: string;
  try {
    text = await readFile(bundle, "utf8");
  } catch (error) {
    throw new ConfigurationError(
      `CaBundle ${bundle} cannot be read: ${(error as Error).message}. Check the path.`,
    );
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return [text];
  throw new ConfigurationError(`CaBundle ${bundle} contains no PEM certificates.`);
}

/** What SSL_CERT_FILE names; a file that is missing must not stop the application. */
async function namedInEnvironment(config: Config): Promise<string[]> {
  const path = process.env["SSL_CERT_FILE"];
  if (!path || !config.trustEnvironment || config.authoritiesNamedInCode) return [];
  return readFile(path, "utf8").then(
    (text) => [text],
    () => [],
  );
}
