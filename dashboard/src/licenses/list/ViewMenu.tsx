import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { asProblem } from "../../api/problem";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { MoreIcon } from "../../ui/icons";
import { notify } from "../../ui/toasts/toasts";
import { useCan } from "../../ui/useInstitution";
import type { KeptView } from "./listViews";
import { useViewChanges } from "./useSavedViews";
import { ViewDialog } from "./ViewDialog";

type Asking = "rename" | "remove" | null;

/** What can be done with a saved view. */
export function ViewMenu({ view }: { view: KeptView }) {
  const { manage } = useCan();
  const { rename, share, remove } = useViewChanges();
  const [asking, setAsking] = useState<Asking>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const ask = (what: Asking) => {
    setAnchor(null);
    setAsking(what);
  };
  const close = () => {
    setAsking(null);
  };
  const change = () => {
    setAnchor(null);
    share(view, !view.isShared).catch((error: unknown) => {
      notify(asProblem(error).message, { type: "error" });
    });
  };
  return (
    <>
      <IconButton
        size="small"
        aria-label={t`Edit view ${{ view: view.label }}`}
        aria-haspopup="menu"
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        <MoreIcon />
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => {
          setAnchor(null);
        }}
      >
        <MenuItem
          onClick={() => {
            ask("rename");
          }}
        >
          {t`Rename`}
        </MenuItem>
        {manage && (
          <MenuItem onClick={change}>
            {view.isShared ? t`Stop sharing` : t({ message: "Share", context: "verb" })}
          </MenuItem>
        )}
        <MenuItem
          onClick={() => {
            ask("remove");
          }}
        >
          {t`Delete`}
        </MenuItem>
      </Menu>
      {asking === "rename" && (
        <ViewDialog
          title={t`Rename view`}
          name={view.label}
          onSave={(name) => rename(view, name)}
          onClose={close}
        />
      )}
      {asking === "remove" && (
        <ConfirmDialog
          title={t`Delete the view ${{ view: view.label }}?`}
          consequence={
            view.isShared
              ? t`The view is gone for everyone in the institution. Your licenses are not affected.`
              : t`Your licenses are not affected.`
          }
          action={t`Delete view`}
          onConfirm={() => remove(view)}
          onClose={close}
        />
      )}
    </>
  );
}
