import SaveIcon from "@mui/icons-material/BookmarkAddOutlined";
import MoreIcon from "@mui/icons-material/MoreHoriz";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { BUILT_IN_VIEWS, isView, type LicenseView } from "./listViews";
import { NameDialog } from "./NameDialog";
import { useLicenseList } from "./useLicenseList";
import { useSavedViews } from "./useSavedViews";

type Asking = "save" | "rename" | "remove" | null;

/** Built-in and saved views, and saving the current filters as a view. */
export function ListViews() {
  const { filters, sort, setFilters, setSort } = useLicenseList();
  const { views, keep, rename, remove } = useSavedViews();
  const [asking, setAsking] = useState<Asking>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const own = views.find((view) => isView(view, filters, sort));
  const isKnown = own ?? BUILT_IN_VIEWS.find((view) => isView(view, filters, sort));
  const show = (view: LicenseView) => {
    setFilters(view.filter, {});
    setSort(view.sort);
  };
  const ask = (what: Asking) => {
    setAnchor(null);
    setAsking(what);
  };
  const close = () => {
    setAsking(null);
  };
  const chip = (view: LicenseView, selected: boolean) => (
    <Chip
      component="button"
      clickable
      label={view.label}
      aria-pressed={selected}
      color={selected ? "primary" : "default"}
      variant={selected ? "filled" : "outlined"}
      sx={{ maxWidth: 260 }}
      onClick={() => {
        show(view);
      }}
    />
  );
  return (
    <Stack
      direction="row"
      role="group"
      aria-label="Views"
      sx={{ gap: 1, flexWrap: "wrap", alignItems: "center", mb: 2 }}
    >
      {BUILT_IN_VIEWS.map((view) => (
        <span key={view.label}>{chip(view, isView(view, filters, sort) && !own)}</span>
      ))}
      {views.map((view) => (
        <Stack key={`own ${view.label}`} direction="row" sx={{ alignItems: "center" }}>
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
              <MoreIcon fontSize="small" />
            </IconButton>
          )}
        </Stack>
      ))}
      {!isKnown && (
        <Button
          size="small"
          startIcon={<SaveIcon />}
          onClick={() => {
            ask("save");
          }}
        >
          Save view
        </Button>
      )}
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
      {asking === "save" && (
        <NameDialog
          title="Save view"
          hint="Saves the current filters and sort order in this browser."
          taken={views.map((view) => view.label)}
          onName={(label) => {
            keep({ label, filter: filters, sort });
          }}
          onClose={close}
        />
      )}
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
    </Stack>
  );
}
