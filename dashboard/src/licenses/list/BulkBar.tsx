import Button from "@mui/material/Button";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { BULK_ACTIONS, counted, type BulkKind } from "./bulkActions";
import { BulkDialog } from "./BulkDialog";
import { BulkProgress } from "./BulkProgress";
import { useBulkRun } from "./useBulkRun";
import { useLicenseList } from "./useLicenseList";

const KINDS: BulkKind[] = ["suspend", "reinstate", "extend", "revoke"];

/** Actions on the selected licenses. */
export function BulkBar() {
  const { selectedIds, onSelect, onUnselectItems } = useLicenseList();
  const [asking, setAsking] = useState<BulkKind | null>(null);
  const { state, start, stop, close } = useBulkRun();
  return (
    <>
      {selectedIds.length > 0 && (
        <Paper
          role="region"
          aria-label="Selected licenses"
          sx={{
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 1,
            px: 2,
            py: 1,
            mb: 1.5,
            position: "sticky",
            top: 64,
            zIndex: 2,
          }}
        >
          <Typography sx={{ fontWeight: 600, mr: 1 }} aria-live="polite">
            {counted(selectedIds.length)} selected
          </Typography>
          {KINDS.map((kind) => (
            <Button
              key={kind}
              size="small"
              variant="outlined"
              color={BULK_ACTIONS[kind].danger ? "error" : "primary"}
              onClick={() => {
                setAsking(kind);
              }}
            >
              {BULK_ACTIONS[kind].verb}
            </Button>
          ))}
          <Button
            size="small"
            onClick={() => {
              onUnselectItems();
            }}
            sx={{ ml: { sm: "auto" } }}
          >
            Clear selection
          </Button>
        </Paper>
      )}
      {asking && (
        <BulkDialog
          kind={asking}
          ids={selectedIds}
          onStart={(licenses, given) => {
            void start(BULK_ACTIONS[asking], licenses, given);
          }}
          onClose={() => {
            setAsking(null);
          }}
        />
      )}
      {state && (
        <BulkProgress
          state={state}
          onStop={stop}
          onUndo={() => {
            const { undo } = state.action;
            if (undo) void start(BULK_ACTIONS[undo], state.undoable, { reason: "", end: null });
          }}
          onClose={() => {
            // Failed licenses stay selected so that the user can retry.
            const done = new Set(state.done.map((license) => license.id));
            onSelect(selectedIds.filter((id) => !done.has(id)));
            close();
          }}
        />
      )}
    </>
  );
}
