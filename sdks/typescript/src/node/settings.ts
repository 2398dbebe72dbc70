/** Finding the settings file of an application. */

import { join, resolve } from "node:path";

import type { Bytes } from "../core/bytes.js";
import { ConfigurationError } from "../core/errors.js";
import {
  MAX_SETTINGS_BYTES,
  NO_SETTINGS,
  readSettings,
  type Settings,
  SETTINGS_FILES,
} from "../core/settings.js";
import { readInstalled } from "./files.js";

/**
 * Reads the first settings file in a folder; empty if there is none.
 *
 * @throws ConfigurationError The file cannot be read, or a value has the wrong type.
 */
export async function loadSettings(folder: string): Promise<Settings> {
  for (const name of SETTINGS_FILES) {
    const path = join(folder, name);
    let raw: Bytes | null;
    try {
      raw = await readInstalled(path, MAX_SETTINGS_BYTES);
    } catch (error) {
      throw new ConfigurationError(`${path} cannot be read: ${(error as Error).message}`);
    }
    if (raw !== null) return readSettings(raw, path, name, (part) => resolve(folder, part));
  }
  return NO_SETTINGS;
}
