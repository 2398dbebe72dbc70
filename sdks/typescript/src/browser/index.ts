/**
 * License checks for web pages and for Electron's renderer.
 *
 * Files are kept in IndexedDB, and a device key there takes the place of the hardware ID.
 */

import { hex, sha256 } from "../core/bytes.js";
import { chunksOf, damaged, type Progress } from "../core/chunks.js";
import { Client } from "../core/client.js";
import { makeConfig } from "../core/config.js";
import { fetchTransport, join } from "../core/fetch.js";
import type { ClientOptions } from "../core/options.js";
import type { Platform } from "../core/platform.js";
import type { UpdateFile } from "../core/updates.js";
import { acquireTab, deviceId } from "./device.js";
import { watchPage } from "./exit.js";
import { STORED_FILES } from "./storage.js";

export * from "../core/public.js";

const BROWSER: Platform = {
  agent: null,
  files: STORED_FILES,
  places: ({ licenseFile, stateFolder }, productId) => ({
    licenseFile: licenseFile ?? `${productId}/license.bin`,
    installedFile: null,
    stateFolder: stateFolder ?? (licenseFile?.replace(/\/?[^/]*$/, "") || productId),
  }),
  newest: (own) => Promise.resolve(own),
  join: (folder, name) => `${folder}/${name}`,
  operatingSystem: () => navigator.userAgent.slice(0, 100),
  hardwareId: (config) => deviceId(config.productId),
  isShortLived: () => Promise.resolve(false),
  acquireInstance: acquireTab,
  connect: () => fetchTransport((url, init) => fetch(url, init)),
  report: reportError,
  watchExit: watchPage,
};

/** Checks the license of this application. */
export class LicenseClient extends Client {
  /** @throws ConfigurationError An option is missing or invalid. */
  constructor(options: ClientOptions) {
    super(makeConfig(options, BROWSER), BROWSER);
  }

  /**
   * Downloads a file of an update and verifies its SHA-256.
   *
   * @throws DamagedDownloadError The SHA-256 does not match.
   * @throws DownloadWithdrawnError The file is no longer offered.
   */
  async download(file: UpdateFile, progress?: Progress): Promise<Blob> {
    const parts = [];
    let received = 0;
    for await (const chunk of chunksOf(this.core, file, 0)) {
      parts.push(chunk);
      received += chunk.length;
      progress?.(received, file.size);
    }
    const whole = join(parts, received);
    if (hex(await sha256(whole)) !== file.sha256) throw damaged(file);
    return new Blob([whole], { type: "application/octet-stream" });
  }
}
