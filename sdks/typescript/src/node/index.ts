/**
 * License checks for applications of Node and for Electron's main process.
 *
 *     import { LicenseClient } from "licet";
 *
 *     const client = new LicenseClient({ productId, publicKeys, licenseKey, apiKey, ... });
 *     const license = await client.open();
 */

import { resolve } from "node:path";

import type { Progress } from "../core/chunks.js";
import { Client } from "../core/client.js";
import { makeConfig } from "../core/config.js";
import type { ClientOptions } from "../core/options.js";
import { load } from "../core/parts.js";
import { NO_SETTINGS } from "../core/settings.js";
import { givenWithSettings } from "../core/trust.js";
import type { UpdateFile } from "../core/updates.js";
import { applicationFolder, NODE } from "./platform.js";
import { loadSettings } from "./settings.js";

export * from "../core/public.js";

/**
 * Checks the license of this application. Most applications need `open()` alone. Close it at the
 * end.
 */
export class LicenseClient extends Client {
  /**
   * @param options What the application says of itself; the product ID and a public key are required.
   * @param settings What a settings file says; see `fromSettings()`.
   * @param folder What relative paths in the settings start from; by default that of the program.
   * @throws ConfigurationError An option is missing or invalid.
   */
  constructor(options: ClientOptions, settings = NO_SETTINGS, folder?: string) {
    super(makeConfig(givenWithSettings(options, settings), NODE, folder), NODE);
  }

  /**
   * Creates a client from these options, the settings file and the defaults, in that order.
   *
   * @param folder The folder of `licet.json` or `appsettings.json`; by default that of the program.
   * @throws ConfigurationError The file or an option is invalid; the message names it.
   */
  static async fromSettings(
    options: ClientOptions = {},
    folder: string = applicationFolder(),
  ): Promise<LicenseClient> {
    const place = resolve(folder);
    return new LicenseClient(options, await loadSettings(place), place);
  }

  /**
   * Downloads a file of an update, verifies its SHA-256, and returns its path.
   *
   * It is received into a hidden file next to `path`, which is renamed after it is complete and
   * verified. After an error or a crash, the next call resumes the download.
   *
   * @param path The file to write, or an existing folder to write the file to under its own name.
   * @throws DamagedDownloadError The SHA-256 does not match; the download was deleted.
   * @throws DownloadWithdrawnError The file is no longer offered.
   * @throws NetworkError The server did not respond; the bytes received so far are kept.
   */
  async download(file: UpdateFile, path: string, progress?: Progress): Promise<string> {
    const { download } = await load(import("./download.js"));
    return download(this.core, file, path, progress);
  }
}
