import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import LinearProgress from "@mui/material/LinearProgress";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { fieldWords } from "../../ui/fields";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { number } from "../../ui/formats";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { termWords } from "../../ui/terms/terms";
import styles from "./policies.module.css";
import type { Policy } from "./PolicyDialog";

interface ApplyDialogProps {
  policy: Policy;
  setNames: ReadonlyMap<string, string>;
  onClose: () => void;
}

/** Shows license by license what applying a policy changes, and applies it. */
export function ApplyDialog({ policy, setNames, onClose }: ApplyDialogProps) {
  const { applied, run, stop } = useApply(policy.id);
  const [preview, setPreview] = useState<"loading" | "done" | { error: unknown }>("loading");
  useEffect(() => {
    run(true).then(
      () => setPreview("done"),
      (error: unknown) => setPreview({ error }),
    );
    return stop;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the dialog opens
  }, []);
  const form = useApiForm({
    values: {},
    send: () => run(false),
    done: (_, { count }) =>
      t`Policy ${policy.name} applied: ${plural(count, { one: "# license", other: "# licenses" })} changed.`,
  });
  const count = applied?.count ?? 0;
  return (
    <FormDialog
      form={form}
      title={t`Apply policy ${policy.name}`}
      action={
        preview === "done" && count > 0
          ? t`Change ${plural(count, { one: "# license", other: "# licenses" })}`
          : t`Apply`
      }
      disabled={preview !== "done" || count === 0}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`Every license that was issued under the policy gets its seats, modes, entitlement set and metadata. Terms, grace and balances stay.`}
      </Typography>
      {preview === "loading" && <LinearProgress aria-label={t`Comparing the licenses`} />}
      {typeof preview === "object" && <ProblemAlert error={preview.error} />}
      {applied && <Outcome applied={applied} count={count} setNames={setNames} />}
    </FormDialog>
  );
}

interface OutcomeProps {
  applied: Applied;
  count: number;
  setNames: ApplyDialogProps["setNames"];
}

function Outcome({ applied, count, setNames }: OutcomeProps) {
  const { changed, refused, unchanged } = applied;
  return (
    <>
      <Typography>
        {count === 0
          ? t`No license changes; ${plural(unchanged, { one: "# license already has", other: "# licenses already have" })} the terms of the policy.`
          : t`${plural(count, { one: "# license changes", other: "# licenses change" })}; ${plural(unchanged, { one: "# already has", other: "# already have" })} the terms of the policy.`}
      </Typography>
      {refused.length > 0 && (
        <Alert severity="warning">
          {t`${plural({ refusals: refused.length }, { one: "# license", other: "# licenses" })} cannot change: ${{ reason: refused[0]?.detail ?? "" }}`}
        </Alert>
      )}
      {applied.over > 0 && (
        <Alert severity="warning">
          {plural(applied.over, {
            one: "# license will be over its limit: it has more devices than seats, and the newest lose theirs.",
            other:
              "# licenses will be over their limit: they have more devices than seats, and the newest lose theirs.",
          })}{" "}
          {t`To choose which devices stay, lower the seats of the license on its own page.`}
        </Alert>
      )}
      {changed.length > 0 && (
        <TableContainer className={styles.changes} tabIndex={0}>
          <Table size="small" stickyHeader aria-label={t`Changes`}>
            <TableHead>
              <TableRow>
                <TableCell>{t`License`}</TableCell>
                <TableCell>{t`Changes`}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {changed.map((license) => (
                <TableRow key={license.id}>
                  <TableCell>{license.licenseName}</TableCell>
                  <TableCell>
                    {Object.entries(license.changes).map(([field, change]) => (
                      <div key={field}>{changeText(field, change, setNames)}</div>
                    ))}
                    {license.devicesOverLimit > 0 && (
                      <div>
                        {plural(license.devicesOverLimit, {
                          one: "# device over the limit",
                          other: "# devices over the limit",
                        })}
                      </div>
                    )}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
      {count > changed.length && (
        <Typography color="textSecondary">
          {t`The first ${{ shown: number(changed.length) }} are shown.`}
        </Typography>
      )}
    </>
  );
}

/** What a field of a license was and becomes: "Activation mode: none → Offline". */
function changeText(field: string, change: unknown, setNames: ReadonlyMap<string, string>) {
  const [before, after] = Array.isArray(change) ? (change as unknown[]) : [null, change];
  const shown = (value: unknown) => {
    if (value === null || value === undefined) return t({ message: "none", context: "no value" });
    const text = typeof value === "object" ? JSON.stringify(value) : String(value as string);
    return termWords(field, value) ?? setNames.get(text) ?? text;
  };
  return `${fieldWords(field.replace(/Id$/, ""))}: ${shown(before)} → ${shown(after)}`;
}

/** What applying a policy changes, so far. */
interface Applied {
  changed: Schemas["AppliedLicense"][];
  refused: Schemas["BulkRefusal"][];
  unchanged: number;
  /** How many licenses have more devices than seats. */
  over: number;
}

const NOTHING: Applied = { changed: [], refused: [], unchanged: 0, over: 0 };
const KEPT = 200;

/** Applies a policy to all its licenses in steps, or tells what that would change. */
function useApply(policyId: string) {
  const [applied, setApplied] = useState<Applied & { count: number }>();
  const stopped = useRef(false);
  const queries = useQueryClient();
  const run = async (dryRun: boolean) => {
    stopped.current = false;
    const total = { ...NOTHING, changed: [] as Applied["changed"], count: 0 };
    let after: string | null = null;
    do {
      const { data }: { data?: Schemas["ApplyPolicyResponse"] } = await api.POST(
        "/api/policies/{policyId}/apply",
        { ...at({ policyId }), body: { all: true, dryRun, after } },
      );
      if (!data) break;
      total.count += data.changed.length;
      total.changed = [...total.changed, ...data.changed].slice(0, KEPT);
      total.refused = [...total.refused, ...data.refused].slice(0, KEPT);
      total.unchanged += data.unchanged;
      total.over += data.changed.filter((license) => license.devicesOverLimit > 0).length;
      setApplied({ ...total });
      after = data.nextAfter;
    } while (after !== null && !stopped.current);
    if (!dryRun) void queries.invalidateQueries();
    return total;
  };
  return {
    applied,
    run,
    stop: () => {
      stopped.current = true;
    },
  };
}
