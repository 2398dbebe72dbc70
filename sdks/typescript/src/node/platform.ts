/** Node, and Electron's main process. */

import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import type { Platform } from "../core/platform.js";
import { VERSION } from "../core/version.js";
import { KEY_FILES } from "./deviceKey.js";
import { FILES, writeLicense } from "./files.js";
import { findHardwareId, inEphemeralContainer } from "./hardware.js";
import { readLicense } from "./licenseFiles.js";
import { HttpTransport } from "./http.js";
import { findPlaces } from "./places.js";
import { ciProject, operatingSystem, THIS_MACHINE } from "./machine.js";

export const NODE: Platform = {
  agent: `licet-typescript/${VERSION}`,
  files: FILES,
  places: (options, productId, folder = applicationFolder()) =>
    findPlaces(options, productId, folder),
  deviceKeys: KEY_FILES,
  readLicense,
  writeLicense,
  join,
  operatingSystem,
  hardwareId: (config) =>
    findHardwareId(config.productId, config.stateFolder, THIS_MACHINE, config.ciHardwareId),
  isShortLived: async (config) =>
    ciProject(THIS_MACHINE) !== null ||
    (config.hardwareId === null && (await inEphemeralContainer(THIS_MACHINE))),
  connect: (config) => new HttpTransport(config),
  report: (error) => {
    process.emitWarning(error instanceof Error ? error : String(error));
  },
  sessions: () => import("./sessions.js"),
};

/** The folder of the running program: of a packaged Electron application, else of the script. */
export function applicationFolder(): string {
  const packaged = "electron" in process.versions && !("defaultApp" in process);
  if (packaged) return dirname(process.execPath);
  const script = process.argv[1];
  if (script === undefined) return process.cwd();
  try {
    return dirname(realpathSync(script));
  } catch {
    return dirname(resolve(script));
  }
}
