import DownloadIcon from "@mui/icons-material/Download";
import Button from "@mui/material/Button";
import { useNotify } from "ra-core";
import { useState } from "react";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { number } from "../../ui/formats";
import { asked } from "./listViews";
import { useLicenseList } from "./useLicenseList";

/** Exports all licenses that match the filters, not only those shown, as CSV. */
export function ListExport() {
  const { filters, filter, total = 0, data = [] } = useLicenseList();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  if (total === 0) return null;
  const save = async () => {
    setBusy(true);
    const given = Object.entries({ ...asked(filters), ...filter });
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    try {
      await download(`/api/licenses?${query.toString()}`, "text/csv");
      const all = total > data.length;
      notify(
        all
          ? `Exported all ${number(total)} matching licenses, not only the ${number(data.length)} shown.`
          : "Exported to licenses.csv.",
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
      Export CSV
    </Button>
  );
}
