/** Clients in folders of their own. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { type ClientOptions, LicenseClient } from "../src/node/index.js";

// In CI, folders are restored from caches and machines are short-lived, so the SDK is different there.
for (const marker of ["GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "TF_BUILD", "JENKINS_URL"]) {
  process.env[marker] = "";
}

// Nothing is written to the user's own data folder.
process.env["XDG_DATA_HOME"] = mkdtempSync(join(tmpdir(), "licet-data-"));
process.on("exit", () => {
  rmSync(process.env["XDG_DATA_HOME"] ?? "", { recursive: true, force: true });
});

/** A client whose insides a test can reach. */
export class OpenClient extends LicenseClient {
  /** Stores a token as the last verdict that this client has received. */
  async keep(verdict: string): Promise<void> {
    const store = await this.core.store();
    await store.update((state) => ({ ...state, verdict }));
  }
}

/** A folder that is removed after the test. */
export function temporaryFolder(t: { after: TestContext["after"] }): string {
  const folder = mkdtempSync(join(tmpdir(), "licet-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A client with this license.bin in a folder. */
export function clientIn(folder: string, file: string | null, options: ClientOptions): OpenClient {
  if (file !== null) writeFileSync(join(folder, "license.bin"), file);
  return new OpenClient({ licenseFile: join(folder, "license.bin"), ...options });
}
