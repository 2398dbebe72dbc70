import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { notify } from "../../ui/toasts/toasts";
import { useState } from "react";
import { DownloadIcon } from "../../ui/icons";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { number } from "../../ui/formats";
import { asked } from "./listViews";
import { useLicenseList } from "./useLicenseList";

/** Exports all licenses that match the filters, not only those shown, as CSV. */
export function ListExport({ institutionId }: { institutionId: string | null }) {
  const { filters, total = 0, items = [] } = useLicenseList();
  const [busy, setBusy] = useState(false);
  if (total === 0) return null;
  const save = async () => {
    setBusy(true);
    const given = Object.entries({ ...asked(filters), ...(institutionId && { institutionId }) });
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    try {
      await download(`/api/licenses?${query.toString()}`, "text/csv");
      const shown = number(items.length);
      const all = total > items.length;
      notify(
        all
          ? plural(total, {
              other: `Exported all # matching licenses, not only the ${shown} shown.`,
            })
          : t`Exported to licenses.csv.`,
      );
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="outlined"
      startIcon={<DownloadIcon />}
      loading={busy}
      loadingPosition="start"
      onClick={() => void save()}
    >
      {t`Export CSV`}
    </Button>
  );
}
