import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense, useState } from "react";
import { SaveViewIcon } from "../../ui/icons";
import { lazy } from "../../ui/lazy";
import { isView } from "./listViews";
import { useColumns } from "./useColumns";
import { useLicenseList } from "./useLicenseList";
import { useSavedViews, useViewChanges } from "./useSavedViews";

const ViewDialog = lazy(() => import("./ViewDialog"));

/** Saves the current filters as a view, if they are none yet. */
export function SaveView() {
  const { filters, sort } = useLicenseList();
  const views = useSavedViews();
  const { save } = useViewChanges();
  const { shown } = useColumns();
  const [isAsking, setAsking] = useState(false);
  if (views.some((view) => isView(view, filters, sort))) return null;
  const columns = shown.map(({ key }) => key);
  return (
    <>
      <Button size="small" startIcon={<SaveViewIcon />} onClick={() => setAsking(true)}>
        {t`Save view`}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <ViewDialog
            title={t`Save view`}
            name=""
            onSave={(label, isShared) => save({ label, filter: filters, sort, columns, isShared })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}
