import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { useState } from "react";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { number } from "../formats";
import { DownloadIcon, MoreIcon } from "../icons";
import { type Act, ActMenu } from "../menu/ActMenu";
import { notify } from "../toasts/toasts";
import { useIsPhone } from "../useMediaQuery";
import { useListContext } from "./useList";

interface ExportButtonProps {
  /** What else can be done with the list, in a menu beside it. */
  more?: readonly Act[];
}

/**
 * Exports all that matches the filters of the surrounding list, not only the page shown, as CSV; on
 * phones from the menu.
 */
export function ExportButton({ more = [] }: ExportButtonProps) {
  const { matching, total: known, items = [] } = useListContext();
  const total = known ?? 0;
  const [busy, setBusy] = useState(false);
  const isPhone = useIsPhone();
  if (known === 0 && more.length === 0) return null;
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
  if (isPhone)
    return (
      <ListMenu
        acts={[...(known ? [{ label: t`Export CSV`, act: () => void save() }] : []), ...more]}
      />
    );
  return (
    <>
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
      {more.length > 0 && <ListMenu acts={more} />}
    </>
  );
}

/** What else can be done with a list. */
function ListMenu({ acts }: { acts: readonly Act[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <IconButton
        aria-label={t`Actions for the list`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon />
      </IconButton>
      <ActMenu open={anchor !== null} anchor={anchor} acts={acts} onClose={() => setAnchor(null)} />
    </>
  );
}
