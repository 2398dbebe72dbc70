import DownloadIcon from "@mui/icons-material/Download";
import Button from "@mui/material/Button";
import { useNotify } from "ra-core";
import { useState } from "react";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { number } from "../../ui/formats";
import { asked } from "./listViews";
import { useLicenseList } from "./useLicenseList";

/** Saves all licenses that match the filters as the server's CSV, not only those shown. */
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
          ? `The file holds all ${number(total)} licenses that match, not only the ${number(data.length)} shown.`
          : "The licenses are in licenses.csv.",
      );
    } catch (refusal) {
      notify(asProblem(refusal).message, { type: "error" });
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
