/** Everything read from the machine, in one place so that tests can replace it. */

import { existsSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { hostname, machine, release, type } from "node:os";

const COMMAND_MILLISECONDS = 5000;
const MAX_SYSTEM_FILE = 1 << 20;

/** The possible sources of a hardware ID and of components. None of the methods throws. */
export interface Machine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a small system file. */
  read(path: string): Promise<string | null>;
  exists(path: string): boolean;
  /** The names in a system folder. */
  names(path: string): Promise<string[]>;
  /** What `ioreg` prints about this Mac. */
  ioreg(): Promise<string | null>;
  /** What `diskutil` prints about the data volume of this Mac. */
  diskutil(): Promise<string | null>;
  /** The registry value MachineGuid. */
  machineGuid(): Promise<string | null>;
  /** Another value below HKEY_LOCAL_MACHINE; bytes as hex digits. */
  registry(key: string, name: string): Promise<string | null>;
  hostName(): string;
}

/** The machine that this process runs on. */
export const THIS_MACHINE: Machine = {
  platform: process.platform,
  env: process.env,
  async read(path) {
    try {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SYSTEM_FILE));
        return buffer.toString("utf8", 0, bytesRead);
      } finally {
        await file.close();
      }
    } catch {
      return null;
    }
  },
  exists: existsSync,
  names: (path) => readdir(path).catch(() => []),
  ioreg: () => run("/usr/sbin/ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]),
  diskutil: () => run("/usr/sbin/diskutil", ["info", "-plist", "/System/Volumes/Data"]),
  machineGuid: () => readRegistry("SOFTWARE\\Microsoft\\Cryptography", "MachineGuid"),
  registry: readRegistry,
  hostName: hostname,
};

async function readRegistry(key: string, name: string): Promise<string | null> {
  const root = process.env["SystemRoot"] ?? "C:\\Windows";
  // Without /reg:64 a 32-bit process reads another registry view that lacks MachineGuid.
  const args = ["query", `HKLM\\${key}`, "/v", name, "/reg:64"];
  const printed = await run(`${root}\\System32\\reg.exe`, args);
  return registryValue(printed ?? "", name);
}

/** The value in what `reg query` prints. */
export function registryValue(printed: string, name: string): string | null {
  const line = printed.split(/\r?\n/).find((item) => item.trimStart().startsWith(`${name} `));
  return line === undefined ? null : (/\sREG_(?:SZ|BINARY)\s+(.*)$/.exec(line)?.[1] ?? null);
}

async function run(command: string, args: readonly string[]): Promise<string | null> {
  const { execFile } = await import("node:child_process");
  return new Promise((resolve) => {
    const options = { timeout: COMMAND_MILLISECONDS, windowsHide: true };
    execFile(command, args, options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

/** A short description of the operating system, such as `Linux 6.8 x86_64`. */
export function operatingSystem(): string {
  const name = type() === "Windows_NT" ? "Windows" : type();
  const version = /^\d+(\.\d+)?/.exec(release())?.[0] ?? release().slice(0, 20);
  return `${name} ${version} ${machine()}`;
}

/** Whether this Linux process runs in a container. */
export async function inContainer(machine: Machine): Promise<boolean> {
  if (!machine.platform.startsWith("linux")) return false;
  if (["/.dockerenv", "/run/.containerenv"].some((path) => machine.exists(path))) return true;
  if (machine.env["container"] || machine.env["KUBERNETES_SERVICE_HOST"] !== undefined) return true;
  const groups = (await machine.read("/proc/1/cgroup")) ?? "";
  return /docker|kubepods|containerd|libpod|\/lxc\//.test(groups);
}

/** Whether a file is mounted into the container from outside. */
export async function isMounted(machine: Machine, path: string): Promise<boolean> {
  const mounts = (await machine.read("/proc/self/mountinfo")) ?? "";
  return mounts.split("\n").some((line) => line.trim().split(/\s+/)[4] === path);
}

/** The project of a CI job, the same for all its jobs and runners; `null` outside CI. */
export function ciProject(machine: Machine): string | null {
  for (const [marker, ...names] of CI_SYSTEMS) {
    if (!machine.env[marker]) continue;
    const parts = names.map((name) => machine.env[name] ?? "");
    if (parts.some((part) => part !== "")) return [marker, ...parts].join("/");
  }
  return null;
}

const CI_SYSTEMS: readonly (readonly [string, ...string[]])[] = [
  ["GITHUB_ACTIONS", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY"],
  ["GITLAB_CI", "CI_SERVER_URL", "CI_PROJECT_PATH"],
  ["CIRCLECI", "CIRCLE_PROJECT_USERNAME", "CIRCLE_PROJECT_REPONAME"],
  ["TF_BUILD", "SYSTEM_COLLECTIONURI", "SYSTEM_TEAMPROJECT"],
  ["BITBUCKET_BUILD_NUMBER", "BITBUCKET_REPO_FULL_NAME"],
  ["BUILDKITE", "BUILDKITE_ORGANIZATION_SLUG", "BUILDKITE_PIPELINE_SLUG"],
  ["TRAVIS", "TRAVIS_REPO_SLUG"],
  ["JENKINS_URL", "JENKINS_URL"],
];
