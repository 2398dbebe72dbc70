import { t } from "@lingui/core/macro";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { folded } from "../../ui/folded";
import { DownloadIcon } from "../../ui/icons";
import { notify } from "../../ui/toasts/toasts";
import { useCan, useInstitution } from "../../ui/useInstitution";
import type { Offer } from "./found";
import { listed, wordsOf } from "./words";

const WORDS = t`export download csv spreadsheet excel`;
const ASKING = listed(WORDS);
const BEGINNING = 3;

/** Whether a text asks for a file: "orders csv". */
const asksForFile = (text: string): boolean =>
  wordsOf(text).some(
    (word) => word.length >= BEGINNING && ASKING.some((one) => one.startsWith(folded(word))),
  );

/** Saves all of a list as CSV, or says why not. */
async function save(path: string): Promise<void> {
  try {
    await download(path, "text/csv");
    notify(t`Exported as CSV.`);
  } catch (error) {
    notify(asProblem(error).message, { type: "error" });
  }
}

const exportOf = (label: string, to: Offer["to"]): Offer => ({
  key: `export ${label}`,
  label,
  kind: "Action",
  icon: DownloadIcon,
  to,
  words: WORDS,
});

/** What can be saved as a file, where a text asks for one: whole lists at once, sums on their page. */
export function useExports(text: string): Offer[] {
  const { institutionId } = useInstitution();
  const { manage, role, isSystemAdmin } = useCan();
  if (!institutionId || !asksForFile(text)) return [];
  const list = (label: string, path: string) => exportOf(label, () => void save(path));
  const ofAll = (label: string, name: string) =>
    list(label, `/api/${name}?institutionId=${institutionId}`);
  const seesCustomers = isSystemAdmin || role !== "Member";
  return [
    ofAll(t`Export licenses as CSV`, "licenses"),
    ...(seesCustomers
      ? [
          ofAll(t`Export customers as CSV`, "customers"),
          ofAll(t`Export orders as CSV`, "orders"),
          exportOf(t`Sales by month as CSV`, "/statistics/sales"),
        ]
      : []),
    ...(manage
      ? [list(t`Export the audit log as CSV`, `/api/institutions/${institutionId}/audit`)]
      : []),
  ];
}
