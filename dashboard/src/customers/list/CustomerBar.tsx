import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { BulkBar } from "../../ui/bulk/BulkBar";
import { lazy } from "../../ui/lazy";
import { useListContext } from "../../ui/list/useList";
import { BULK_ACTIONS, type Listed, PART, saveSelected, sendEach } from "./customerBulk";

const CustomerBulkDialog = lazy(() => import("./CustomerBulkDialog"));

/** What can be done with the selected customers. */
export function CustomerBar() {
  const { selection } = useListContext<Listed>();
  return (
    selection && (
      <BulkBar
        selection={selection}
        actions={BULK_ACTIONS}
        shown={["addTag", "removeTag", "portalLink"]}
        send={sendEach}
        part={PART}
        Dialog={CustomerBulkDialog}
      >
        <Button size="small" variant="outlined" onClick={() => saveSelected(selection.items)}>
          {t`Export CSV`}
        </Button>
      </BulkBar>
    )
  );
}
