import { t } from "@lingui/core/macro";
import { words } from "../labels";

const COMPONENTS: Partial<Record<string, string>> = {
  board: t`Mainboard`,
  disk: t`Disk`,
  hardwareId: t`Hardware ID`,
  model: t`Computer model`,
  osInstall: t`Installation of the system`,
  volume: t`System volume`,
};

/** The label of a component that SDKs send; an application may name its own. */
export const componentWords = (name: string): string => COMPONENTS[name] ?? words(name);
