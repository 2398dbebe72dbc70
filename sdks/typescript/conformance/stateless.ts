/** The operations of the driver that need no client. */

import { encodeBase64Url } from "../src/core/bytes.js";
import { decodeSegment } from "../src/core/jose.js";
import { isGeneratedKey, keyHash, normalForm } from "../src/core/keys.js";
import { compareVersions } from "../src/core/precedence.js";
import { releaseAllows } from "../src/core/versionLine.js";
import { deriveFileKey } from "../src/core/sealed.js";
import { checkCodeGroup } from "../src/node/index.js";
import { findHardwareId } from "../src/node/hardware.js";
import { loadSettings } from "../src/node/settings.js";
import { sentence } from "../src/sentences/index.js";
import type { Operation } from "./fields.js";

export const STATELESS: Readonly<Record<string, Operation>> = {
  async normal_form({ licenseKey }) {
    const normal = normalForm(licenseKey);
    return { normalForm: normal, generated: isGeneratedKey(normal), hash: await keyHash(normal) };
  },
  async derive_key({ licenseKey, salt }) {
    const key = await deriveFileKey(normalForm(licenseKey), decodeSegment(salt));
    return { derivedKey: encodeBase64Url(key) };
  },
  compare_versions({ left, right }) {
    const order = compareVersions(left, right);
    return { order: order === null ? null : Math.sign(order) };
  },
  release_allows({ releaseVersion, appVersion }) {
    return { allowed: releaseAllows(releaseVersion ?? null, appVersion ?? null) };
  },
  check_code_group: ({ index, text }) => ({ right: checkCodeGroup(index, text ?? "") }),
  sentence({ code, language, values }) {
    const given = Object.entries(values).map(([name, value]) => [
      name,
      /(At|By)$/.test(name) ? new Date(value) : value,
    ]);
    return {
      sentence: sentence(code, language, { values: Object.fromEntries(given) as typeof values }),
    };
  },
  async hardware_id({ productId, facts, stateFolder, ciHardwareId }) {
    const { platform, files, environment, machineGuid, ioreg, hostName } = facts;
    const machine = {
      platform,
      env: environment ?? {},
      read: (path: string) => Promise.resolve(files?.[path] ?? null),
      exists: (path: string) => path in (files ?? {}),
      ioreg: () => Promise.resolve(ioreg ?? null),
      machineGuid: () => Promise.resolve(machineGuid ?? null),
      hostName: () => hostName ?? "",
    };
    const found = await findHardwareId(productId, stateFolder, machine, ciHardwareId !== false);
    return { hardwareId: found.value, source: found.source };
  },
  async load_settings({ folder }) {
    const { path, name: file, options } = await loadSettings(folder);
    const { apiKey, handleSignals, ...rest } = options;
    const spelled = {
      ...rest,
      ...(apiKey === undefined ? {} : { productApiKey: apiKey }),
      ...(handleSignals === undefined ? {} : { handleSigterm: handleSignals }),
    };
    return { file: path === null ? null : file, options: spelled };
  },
};
