import { plural, t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Problem } from "../../api/problem";
import type { License } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { endOfDay, dayAfter } from "../../ui/days";
import { BULK_ACTIONS, revokePhrase, type BulkInput, type BulkKind } from "./bulkActions";
import { useBulkPreview } from "./useBulkPreview";

const SHOWN = 8;

const Names = ({ licenses }: { licenses: License[] }) => (
  <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5 }}>
    {licenses.slice(0, SHOWN).map((license) => (
      <Box component="li" key={license.id} sx={{ overflowWrap: "anywhere" }}>
        {license.licenseName}
      </Box>
    ))}
    {licenses.length > SHOWN && (
      <li>{plural({ rest: licenses.length - SHOWN }, { other: "and # more" })}</li>
    )}
  </Box>
);

interface BulkDialogProps {
  kind: BulkKind;
  licenses: License[];
  onStart: (licenses: License[], given: BulkInput) => void;
  onClose: () => void;
}

/** Confirms a bulk action: what it does, to which licenses, and which the server would refuse. */
export function BulkDialog({ kind, licenses, onStart, onClose }: BulkDialogProps) {
  const action = BULK_ACTIONS[kind];
  const [reason, setReason] = useState("");
  const [day, setDay] = useState(dayAfter({ months: 12 }));
  const given: BulkInput = { reason, end: kind === "extend" ? endOfDay(day) : null };
  const { data: preview, error } = useBulkPreview(kind, licenses, given.end);
  const included = preview?.done ?? [];
  const left = preview?.refused ?? [];
  const confirm = () => {
    if (kind === "extend" && given.end === null)
      return Promise.reject(new Problem(0, { detail: t`Choose an expiration date.` }));
    if (!preview) return Promise.reject(new Error(t`The licenses are still being checked.`));
    if (included.length === 0) return Promise.reject(new Problem(0, { detail: action.none }));
    onStart(licenses, given);
    return Promise.resolve();
  };
  const count = preview ? included.length : licenses.length;
  return (
    <ConfirmDialog
      title={action.asked(count)}
      consequence={
        <>
          {action.consequence}
          {preview ? <Names licenses={included} /> : !error && <Skeleton height={72} />}
        </>
      }
      action={action.named(count)}
      danger={action.danger}
      disabled={!preview && !(kind === "extend" && given.end === null)}
      {...(kind === "revoke" && { typed: revokePhrase(count) })}
      onConfirm={confirm}
      onClose={onClose}
    >
      {error && <ProblemAlert error={error} />}
      {(kind === "suspend" || kind === "revoke") && (
        <TextField
          label={t`Reason (optional)`}
          value={reason}
          helperText={t`Recorded in the events of each license.`}
          slotProps={{ htmlInput: { maxLength: 200 } }}
          onChange={(event) => {
            setReason(event.target.value);
          }}
        />
      )}
      {kind === "extend" && (
        <TextField
          type="date"
          label={t`Expiration date`}
          value={day}
          required
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: dayAfter({}) } }}
          onChange={(event) => {
            setDay(event.target.value);
          }}
        />
      )}
      {left.length > 0 && (
        <Box>
          <Typography sx={{ fontWeight: 600 }}>
            {plural(
              { count: left.length },
              { one: "Skipped: # license", other: "Skipped: # licenses" },
            )}
          </Typography>
          <Box component="ul" sx={{ m: 0, pl: 2.5, maxHeight: 140, overflow: "auto" }}>
            {left.map(({ license, why }) => (
              <Box component="li" key={license.id} sx={{ overflowWrap: "anywhere" }}>
                {license.licenseName}: {why}
              </Box>
            ))}
          </Box>
        </Box>
      )}
    </ConfirmDialog>
  );
}
