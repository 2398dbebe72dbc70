import { plural, t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
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
import type { BulkDialogProps } from "../../ui/bulk/BulkBar";
import { BulkNames, BulkReasons } from "../../ui/bulk/BulkLists";
import { BULK_MAX } from "../../ui/bulk/SelectMatching";
import { type BulkResult, partsOf, reasonsOf } from "../../ui/bulk/useBulkRun";
import {
  BULK_ACTIONS,
  type BulkGiven,
  type BulkKind,
  nameOf,
  revokePhrase,
  runBulk,
} from "./bulkActions";
import { ASKED, newDraft } from "./bulkFields";

/** Confirms a bulk action: what it does, to which licenses, and which the server would refuse. */
export default function BulkDialog({
  kind,
  items: licenses,
  beyond,
  onStart,
  onClose,
}: BulkDialogProps<License, BulkGiven, BulkKind>) {
  const action = BULK_ACTIONS[kind];
  const asked = ASKED[kind];
  const [values] = useState(() => newDraft(kind, licenses));
  const form = useApiForm({
    values,
    checks: BulkLicensesRequest,
    send: ({ reason }) => {
      if (!preview || !given)
        return Promise.reject(new Error(t`The licenses are still being checked.`));
      if (included.length === 0)
        return Promise.reject(
          new Problem(0, { detail: t`Nothing to do for the selected licenses: see the reasons.` }),
        );
      onStart({
        items: licenses,
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
      title={t`${{ act: action.named(count) }}?`}
      consequence={
        <>
          {action.consequence}
          {preview ? (
            <BulkNames names={included.map(nameOf)} />
          ) : (
            !error && given && <Skeleton height={72} />
          )}
        </>
      }
      action={action.named(count)}
      danger={action.danger ?? false}
      disabled={!preview && given !== null}
      {...(kind === "revoke" && { typed: revokePhrase(count) })}
      onClose={onClose}
    >
      {beyond}
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
        <BulkReasons
          title={plural(
            { count: left.length },
            { one: "Skipped: # license", other: "Skipped: # licenses" },
          )}
          reasons={reasonsOf(left, nameOf)}
        />
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
      const found: BulkResult<License> = { done: [], refused: [] };
      for (const { items } of partsOf([{ items: licenses, given }], BULK_MAX)) {
        const { done, refused } = await runBulk(kind, items, given ?? NOTHING, true);
        found.done.push(...done);
        found.refused.push(...refused);
      }
      return found;
    },
  });
}
