import { plural, t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { BulkLicensesRequest } from "../../api/checks";
import { Problem } from "../../api/problem";
import type { License } from "../../api/types";
import { ConfirmFormDialog } from "../../ui/ConfirmDialog";
import { dayAfter, dayOrNull, faultOfPastDay } from "../../ui/days";
import { FormField } from "../../ui/form/FormField";
import { type FieldProps, useApiForm } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { TagInput } from "../../ui/tags/TagInput";
import { ProblemAlert } from "../../ui/ProblemAlert";
import styles from "./bulk.module.css";
import {
  BULK_ACTIONS,
  type BulkInput,
  type BulkKind,
  type BulkResult,
  isTagging,
  revokePhrase,
  runBulk,
} from "./bulkActions";

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

interface Draft {
  reason: string;
  tag: string;
  expirationDate: string;
}

interface BulkDialogProps {
  kind: BulkKind;
  licenses: License[];
  onStart: (licenses: License[], given: BulkInput) => void;
  onClose: () => void;
}

/** Confirms a bulk action: what it does, to which licenses, and which the server would refuse. */
export default function BulkDialog({ kind, licenses, onStart, onClose }: BulkDialogProps) {
  const action = BULK_ACTIONS[kind];
  const form = useApiForm({
    values: { reason: "", tag: "", expirationDate: dayAfter({ months: 12 }) },
    checks: BulkLicensesRequest,
    send: ({ reason, tag }) => {
      if (!preview) return Promise.reject(new Error(t`The licenses are still being checked.`));
      if (included.length === 0) return Promise.reject(new Problem(0, { detail: action.none }));
      onStart(licenses, { reason, end, tag });
      return Promise.resolve();
    },
  });
  const { control, field } = form;
  const day = useWatch({ control, name: "expirationDate" });
  const end = kind === "extend" ? dayOrNull(day) : null;
  const tag = useWatch({ control, name: "tag" }).trim();
  const isReady = kind === "extend" ? end !== null : !isTagging(kind) || tag !== "";
  const { data: preview, error } = useBulkPreview(
    kind,
    licenses,
    { reason: "", end, tag },
    isReady,
  );
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
          {preview ? <Names licenses={included} /> : !error && isReady && <Skeleton height={72} />}
        </>
      }
      action={action.named(count)}
      danger={action.danger}
      disabled={!preview && isReady}
      {...(kind === "revoke" && { typed: revokePhrase(count) })}
      onClose={onClose}
    >
      {error && <ProblemAlert error={error} />}
      {(kind === "suspend" || kind === "revoke") && (
        <FormField
          {...field("reason")}
          label={t`Reason (optional)`}
          helperText={t`Recorded in the events of each license.`}
        />
      )}
      {isTagging(kind) && <TagField {...field("tag")} licenses={licenses} />}
      {kind === "extend" && (
        <FormField
          {...field("expirationDate")}
          type="date"
          label={t`Expiration date`}
          required
          fault={faultOfPastDay}
          input={{ min: dayAfter({}) }}
        />
      )}
      {left.length > 0 && (
        <div>
          <Typography variant="subtitle1" component="p">
            {plural(
              { count: left.length },
              { one: "Skipped: # license", other: "Skipped: # licenses" },
            )}
          </Typography>
          <ul className={styles.skipped}>
            {left.map(({ license, why }) => (
              <li key={license.id}>
                {license.licenseName}: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmFormDialog>
  );
}

type TagFieldProps = FieldProps<Draft, "tag"> & { licenses: License[] };

/** The tag to add or remove. */
function TagField({ licenses, ...field }: TagFieldProps) {
  const { value, set, message } = useField(field, {
    fault: (tag) => (tag === "" ? t`Enter a tag.` : undefined),
  });
  const institutions = new Set(licenses.map(({ institutionId }) => institutionId));
  const [institutionId] = institutions;
  return (
    <TagInput
      of="licenses"
      institutionId={institutions.size === 1 ? (institutionId ?? null) : null}
      label={t`Tag`}
      value={value}
      autoFocus
      error={message}
      onType={set}
    />
  );
}

const PART = 1_000;

/** What a bulk action would do to the licenses; nothing is changed. */
function useBulkPreview(kind: BulkKind, licenses: License[], given: BulkInput, isReady: boolean) {
  const { end, tag } = given;
  return useQuery({
    queryKey: ["licenses", "bulk", kind, end, tag, licenses.map(({ id }) => id)],
    enabled: isReady,
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const found: BulkResult = { done: [], refused: [] };
      for (let first = 0; first < licenses.length; first += PART) {
        const part = licenses.slice(first, first + PART);
        const { done, refused } = await runBulk(kind, part, given, true);
        found.done.push(...done);
        found.refused.push(...refused);
      }
      return found;
    },
  });
}
