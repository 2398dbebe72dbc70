import Button from "@mui/material/Button";
import { useState } from "react";
import { SaveViewIcon } from "../../ui/icons";
import { isView } from "./listViews";
import { NameDialog } from "./NameDialog";
import { useLicenseList } from "./useLicenseList";
import { useSavedViews } from "./useSavedViews";

/** Saves the current filters as a view, if they are none yet. */
export function SaveView() {
  const { filters, sort } = useLicenseList();
  const { views, keep } = useSavedViews();
  const [isAsking, setAsking] = useState(false);
  if (views.some((view) => isView(view, filters, sort))) return null;
  return (
    <>
      <Button
        size="small"
        startIcon={<SaveViewIcon />}
        onClick={() => {
          setAsking(true);
        }}
      >
        Save view
      </Button>
      {isAsking && (
        <NameDialog
          title="Save view"
          hint="Saves the current filters and sort order in this browser."
          taken={views.map((view) => view.label)}
          onName={(label) => {
            keep({ label, filter: filters, sort });
          }}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
}
