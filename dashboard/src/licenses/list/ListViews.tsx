import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { MoreIcon } from "../../ui/icons";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { BUILT_IN_VIEWS, isView, type LicenseView } from "./listViews";
import styles from "./licenseList.module.css";
import { NameDialog } from "./NameDialog";
import { useLicenseList } from "./useLicenseList";
import { useSavedViews } from "./useSavedViews";

type Asking = "rename" | "remove" | null;

/** Built-in and saved views. */
export function ListViews() {
  const { filters, sort, show } = useLicenseList();
  const { views, rename, remove } = useSavedViews();
  const [asking, setAsking] = useState<Asking>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const own = views.find((view) => isView(view, filters, sort));
  const ask = (what: Asking) => {
    setAnchor(null);
    setAsking(what);
  };
  const close = () => {
    setAsking(null);
  };
  const chip = (view: LicenseView, selected: boolean) => (
    <button
      type="button"
      className={styles.view}
      aria-pressed={selected}
      onClick={() => {
        show(view.filter, view.sort);
      }}
    >
      {view.label}
    </button>
  );
  return (
    <div role="group" aria-label="Views" className={styles.views}>
      {BUILT_IN_VIEWS.map((view) => (
        <span key={view.label}>{chip(view, isView(view, filters, sort) && !own)}</span>
      ))}
      {views.map((view) => (
        <span key={`own ${view.label}`}>
          {chip(view, view === own)}
          {view === own && (
            <IconButton
              size="small"
              aria-label={`Edit view ${view.label}`}
              aria-haspopup="menu"
              onClick={(event) => {
                setAnchor(event.currentTarget);
              }}
            >
              <MoreIcon />
            </IconButton>
          )}
        </span>
      ))}
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
          Rename
        </MenuItem>
        <MenuItem
          onClick={() => {
            ask("remove");
          }}
        >
          Delete
        </MenuItem>
      </Menu>
      {asking === "rename" && own && (
        <NameDialog
          title="Rename view"
          name={own.label}
          taken={views.filter((view) => view !== own).map((view) => view.label)}
          onName={(label) => {
            rename(own.label, label);
          }}
          onClose={close}
        />
      )}
      {asking === "remove" && own && (
        <ConfirmDialog
          title={`Delete the view ${own.label}?`}
          consequence="The view is removed from this browser. Your licenses are not affected."
          action="Delete view"
          onConfirm={() => {
            remove(own.label);
            return Promise.resolve();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
