import { t } from "@lingui/core/macro";
import { words } from "../labels";

const COMPONENTS: Partial<Record<string, string>> = {
  board: t`Mainboard`,
  cpu: t`Processor`,
  disk: t`Disk`,
  firmware: t`Firmware`,
  hardwareId: t`Hardware ID`,
  network: t`Network adapter`,
  osInstall: t`Installation of the system`,
  tpm: t`Security chip`,
  user: t`User`,
};

/** The label of a component of a device; an application may name its own. */
export const componentWords = (name: string): string => COMPONENTS[name] ?? words(name);
