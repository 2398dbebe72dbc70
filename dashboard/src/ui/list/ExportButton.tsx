import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { number } from "../formats";
import { DownloadIcon } from "../icons";
import { notify } from "../toasts/toasts";
import { useListContext } from "./useList";

/** Exports all that matches the filters of the surrounding list, not only the page shown, as CSV. */
export function ExportButton() {
  const { matching, total: known, items = [] } = useListContext();
  const total = known ?? 0;
  const [busy, setBusy] = useState(false);
  if (known === 0) return null;
  const save = async () => {
    setBusy(true);
    const shown = number(items.length);
    try {
      await download(matching, "text/csv");
      notify(
        total > items.length
          ? plural(total, { other: `Exported all # that match, not only the ${shown} shown.` })
          : t`Exported as CSV.`,
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
      // It has its place from the start, so that nothing beside it moves.
      disabled={known === undefined}
      loading={busy}
      loadingPosition="start"
      onClick={() => void save()}
    >
      {t`Export CSV`}
    </Button>
  );
}
