/** The client of a page. */

import type { Progress } from "../core/chunks.js";
import { Client } from "../core/client.js";
import { makeConfig } from "../core/config.js";
import { LicenseCore } from "../core/core.js";
import { ConfigurationError } from "../core/errors.js";
import { fetchTransport } from "../core/fetch.js";
import { givenInCode } from "../core/given.js";
import type { ClientOptions } from "../core/options.js";
import { load, reasonOf } from "../core/parts.js";
import type { Platform } from "../core/platform.js";
import { Session } from "../core/session.js";
import type { UpdateFile } from "../core/updates.js";
import { deviceId, STORED_KEYS } from "./device.js";
import { STORED_FILES } from "./storage.js";

const OF_A_KEY = /license-[0-9a-f]{8}\.bin$/;

const BROWSER: Platform = {
  agent: null,
  files: STORED_FILES,
  deviceKeys: STORED_KEYS,
  places: ({ licenseFile, stateFolder }, productId) => ({
    licenseFile: licenseFile ?? `${stateFolder ?? productId}/license.bin`,
    isNamed: licenseFile != null,
    installedFile: null,
    stateFolder: stateFolder ?? (licenseFile?.replace(/\/?[^/]*$/, "") || productId),
  }),
  async readLicense({ licenseFile }, own, limit) {
    try {
      const content = await STORED_FILES.read(own ?? licenseFile, limit);
      if (own !== null && content !== null) {
        const last = await STORED_FILES.read(licenseFile, limit);
        if (String(last) !== String(content)) await STORED_FILES.write(licenseFile, content);
      }
      return { content, refused: null };
    } catch (error) {
      const refused = `Nothing can be stored in this browser: ${reasonOf(error)}.`;
      return { content: null, refused };
    }
  },
  async writeLicense(path, content) {
    await STORED_FILES.write(path, content);
    // A page without a key goes on with the license that was used last.
    await STORED_FILES.write(path.replace(OF_A_KEY, "license.bin"), content);
    return null;
  },
  join: (folder, name) => `${folder}/${name}`,
  operatingSystem: () => navigator.userAgent.slice(0, 100),
  hardwareId: (config) => deviceId(config.productId),
  isShortLived: () => Promise.resolve(false),
  connect: () => fetchTransport((url, init) => fetch(url, init)),
  report: reportError,
  sessions: () => load(import("./sessions.js")),
};

/** Checks the license of this application. Most applications need `open()` alone. */
export class LicenseClient extends Client {
  /** @throws ConfigurationError An option is missing or invalid, or the page has no WebCrypto. */
  constructor(options: ClientOptions) {
    if (!("subtle" in crypto))
      throw new ConfigurationError("To verify licenses, a page needs https.");
    super(new LicenseCore(makeConfig(givenInCode(options), BROWSER), BROWSER), { Session });
  }

  /**
   * Downloads a file of an update and verifies its SHA-256.
   *
   * @throws DamagedDownloadError The SHA-256 does not match.
   * @throws DownloadWithdrawnError The file is no longer offered.
   */
  async download(file: UpdateFile, progress?: Progress): Promise<Blob> {
    const { download } = await load(import("./download.js"));
    return download(this.core, file, progress);
  }
}
