/** Downloads into memory. */

import { hex, sha256 } from "../core/bytes.js";
import { chunksOf, damaged, type Progress } from "../core/chunks.js";
import type { LicenseCore } from "../core/core.js";
import { join } from "../core/fetch.js";
import type { UpdateFile } from "../core/updates.js";

export async function download(
  core: LicenseCore,
  file: UpdateFile,
  progress?: Progress,
): Promise<Blob> {
  const parts = [];
  let received = 0;
  for await (const chunk of chunksOf(core, file, 0)) {
    parts.push(chunk);
    received += chunk.length;
    progress?.(received, file.size);
  }
  const whole = join(parts, received);
  if (hex(await sha256(whole)) !== file.sha256) throw damaged(file);
  return new Blob([whole], { type: "application/octet-stream" });
}
