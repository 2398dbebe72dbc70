/** Where an application keeps license.bin and its state, by the conventions of each system. */

import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse } from "node:path";

import type { ClientOptions } from "../core/options.js";
import type { Places } from "../core/config.js";
import { isShared } from "./ownership.js";

const FOLDER = "licet";
const DEFAULT_FILE = "license.bin";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where license.bin and the state are, which is never in a folder that all users share by default. */
export function findPlaces(given: ClientOptions, productId: string, application: string): Places {
  const { licenseFile, stateFolder } = given;
  const data = dataFolder(productId, false) ?? application;
  if (licenseFile == null) {
    const shared = given.allUsers === true ? dataFolder(productId, true) : null;
    return {
      licenseFile: join(shared ?? stateFolder ?? data, DEFAULT_FILE),
      isNamed: false,
      installedFile: join(application, DEFAULT_FILE),
      stateFolder: stateFolder ?? data,
    };
  }
  const beside = dirname(licenseFile);
  const state = stateFolder ?? (canWrite(beside) && !isShared(beside) ? beside : data);
  return { licenseFile, isNamed: true, installedFile: null, stateFolder: state };
}

/**
 * The folder of one product: of this user, or of all; `null` if the user has no home.
 *
 * This user's is below `$XDG_DATA_HOME` or `~/.local/share`, on macOS below
 * `~/Library/Application Support`, and on Windows below `%LOCALAPPDATA%`. That of all users is below
 * `/var/lib`, `/Library/Application Support` and `%PROGRAMDATA%`.
 */
export function dataFolder(
  productId: string,
  allUsers: boolean,
  platform: string = process.platform,
  env: Environment = process.env,
): string | null {
  const base = allUsers ? allUsersBase(platform, env) : userBase(platform, env);
  return base === null ? null : join(base, FOLDER, folderName(productId));
}

function userBase(platform: string, env: Environment): string | null {
  const { LOCALAPPDATA: local, XDG_DATA_HOME: data } = env;
  if (platform === "win32" && local) return local;
  if (!["win32", "darwin"].includes(platform) && data && isAbsolute(data)) return data;
  const home = homedir();
  if (!existsSync(home) || home === parse(home).root) return null;
  if (platform === "win32") return join(home, "AppData", "Local");
  return join(home, platform === "darwin" ? "Library/Application Support" : ".local/share");
}

function allUsersBase(platform: string, env: Environment): string {
  if (platform === "win32") return env["PROGRAMDATA"] || "C:\\ProgramData";
  return platform === "darwin" ? "/Library/Application Support" : "/var/lib";
}

function folderName(productId: string): string {
  if (/^[A-Za-z0-9][\w-]{0,63}$/.test(productId)) return productId;
  return createHash("sha256").update(productId).digest("hex").slice(0, 32);
}

/** Whether files can be created in a folder, which need not exist yet. */
function canWrite(folder: string): boolean {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}
