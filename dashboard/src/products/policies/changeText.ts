import { t } from "@lingui/core/macro";
import { fieldWords } from "../../ui/fields";

/** Display names of the values of the two modes. */
const MODES: Record<string, string> = {
  Online: t`Online`,
  Offline: t`Offline`,
  AutoBind: t`AutoBind`,
  OwnerApproval: t`OwnerApproval`,
};

/** What a field of a license was and becomes: "Activation mode: none → Offline". */
export function changeText(field: string, change: unknown, setNames: ReadonlyMap<string, string>) {
  const [before, after] = Array.isArray(change) ? (change as unknown[]) : [null, change];
  const shown = (value: unknown) => {
    if (value === null || value === undefined) return t({ message: "none", context: "no value" });
    const text = typeof value === "object" ? JSON.stringify(value) : String(value as string);
    return (field.endsWith("Mode") ? MODES[text] : setNames.get(text)) ?? text;
  };
  return `${fieldWords(field.replace(/Id$/, ""))}: ${shown(before)} → ${shown(after)}`;
}
