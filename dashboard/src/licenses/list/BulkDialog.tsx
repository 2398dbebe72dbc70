import { plural, t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { BulkLicensesRequest } from "../../api/checks";
import { textOrNull } from "../../api/fields";
import { Problem } from "../../api/problem";
import type { License } from "../../api/types";
import { ConfirmFormDialog } from "../../ui/ConfirmDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { ProblemAlert } from "../../ui/ProblemAlert";
import styles from "./bulk.module.css";
import {
  BULK_ACTIONS,
  BULK_MAX,
  type BulkBatch,
  type BulkGiven,
  type BulkKind,
  type BulkResult,
  reasonsOf,
  revokePhrase,
  runBulk,
} from "./bulkActions";
import { ASKED, newDraft } from "./bulkFields";

const SHOWN = 8;

const Names = ({ licenses }: { licenses: License[] }) => (
  <ul className={styles.included}>
    {licenses.slice(0, SHOWN).map((license) => (
      <li key={license.id}>{license.licenseName}</li>
    ))}
    {licenses.length > SHOWN && (
      <li>{plural({ rest: licenses.length - SHOWN }, { other: "and # more" })}</li>
    )}
  </ul>
);

interface BulkDialogProps {
  kind: BulkKind;
  licenses: License[];
  onStart: (batch: BulkBatch) => void;
  onClose: () => void;
}

/** Confirms a bulk action: what it does, to which licenses, and which the server would refuse. */
export default function BulkDialog({ kind, licenses, onStart, onClose }: BulkDialogProps) {
  const action = BULK_ACTIONS[kind];
  const asked = ASKED[kind];
  const [values] = useState(() => newDraft(kind, licenses));
  const form = useApiForm({
    values,
    checks: BulkLicensesRequest,
    send: ({ reason }) => {
      if (!preview || !given)
        return Promise.reject(new Error(t`The licenses are still being checked.`));
      if (included.length === 0) return Promise.reject(new Problem(0, { detail: action.none }));
      onStart({
        licenses,
        given: action.takesReason ? { ...given, reason: textOrNull(reason) } : given,
      });
      return Promise.resolve();
    },
  });
  const draft = { ...values, ...useWatch({ control: form.control }) };
  const given = asked ? asked.given(draft) : NOTHING;
  const { data: preview, error } = useBulkPreview(kind, licenses, given);
  const included = preview?.done ?? [];
  const left = preview?.refused ?? [];
  const count = preview ? included.length : licenses.length;
  return (
    <ConfirmFormDialog
      form={form}
      title={action.asked(count)}
      consequence={
        <>
          {action.consequence}
          {preview ? <Names licenses={included} /> : !error && given && <Skeleton height={72} />}
        </>
      }
      action={action.named(count)}
      danger={action.danger}
      disabled={!preview && given !== null}
      {...(kind === "revoke" && { typed: revokePhrase(count) })}
      onClose={onClose}
    >
      {error && <ProblemAlert error={error} />}
      {action.takesReason && (
        <FormField
          {...form.field("reason")}
          label={t`Reason (optional)`}
          helperText={t`Recorded in the events of each license.`}
        />
      )}
      {asked && <asked.Fields form={form} licenses={licenses} />}
      {left.length > 0 && (
        <div>
          <Typography variant="subtitle1" component="p">
            {plural(
              { count: left.length },
              { one: "Skipped: # license", other: "Skipped: # licenses" },
            )}
          </Typography>
          <ul className={styles.skipped}>
            {reasonsOf(left).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmFormDialog>
  );
}

const NOTHING: BulkGiven = {};

/** What a bulk action would do to the licenses; nothing is changed. */
function useBulkPreview(kind: BulkKind, licenses: License[], given: BulkGiven | null) {
  return useQuery({
    queryKey: ["licenses", "bulk", kind, given, licenses.map(({ id }) => id)],
    enabled: given !== null,
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const found: BulkResult = { done: [], refused: [] };
      for (let first = 0; first < licenses.length; first += BULK_MAX) {
        const part = licenses.slice(first, first + BULK_MAX);
        const { done, refused } = await runBulk(kind, part, given ?? NOTHING, true);
        found.done.push(...done);
        found.refused.push(...refused);
      }
      return found;
    },
  });
}
