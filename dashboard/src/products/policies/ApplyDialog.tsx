import Alert from "@mui/material/Alert";
import LinearProgress from "@mui/material/LinearProgress";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { FormDialog } from "../../ui/FormDialog";
import { number } from "../../ui/formats";
import { words } from "../../ui/labels";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Policy } from "./policy";
import { useApply, type Applied } from "./useApply";

interface ApplyDialogProps {
  policy: Policy;
  setNames: ReadonlyMap<string, string>;
  onClose: () => void;
}

const licenses = (count: number) => `${number(count)} ${count === 1 ? "license" : "licenses"}`;

/** Shows license by license what applying a policy changes, and applies it. */
export function ApplyDialog({ policy, setNames, onClose }: ApplyDialogProps) {
  const { applied, run, stop } = useApply(policy.id);
  const [preview, setPreview] = useState<"loading" | "done" | { error: unknown }>("loading");
  const notifyChanged = useNotifyChanged();
  useEffect(() => {
    run(true).then(
      () => {
        setPreview("done");
      },
      (error: unknown) => {
        setPreview({ error });
      },
    );
    return stop;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the dialog opens
  }, []);
  const apply = async () => {
    const { count } = await run(false);
    notifyChanged(`Policy ${policy.name} applied: ${licenses(count)} changed.`);
  };
  const count = applied?.count ?? 0;
  return (
    <FormDialog
      title={`Apply policy ${policy.name}`}
      action={preview === "done" && count > 0 ? `Change ${licenses(count)}` : "Apply"}
      disabled={preview !== "done" || count === 0}
      onSubmit={apply}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        Every license that was issued under the policy gets its seats, modes, entitlement set and
        metadata. Terms, grace and balances stay.
      </Typography>
      {preview === "loading" && <LinearProgress aria-label="Comparing the licenses" />}
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
          ? `No license changes; ${licenses(unchanged)} already have the terms of the policy.`
          : `${licenses(count)} change; ${number(unchanged)} already have the terms of the policy.`}
      </Typography>
      {refused.length > 0 && (
        <Alert severity="warning">
          {licenses(refused.length)} cannot change: {refused[0]?.detail}
        </Alert>
      )}
      {changed.length > 0 && (
        <TableContainer sx={{ maxHeight: 320 }} tabIndex={0}>
          <Table size="small" stickyHeader aria-label="Changes">
            <TableHead>
              <TableRow>
                <TableCell>License</TableCell>
                <TableCell>Changes</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {changed.map((license) => (
                <TableRow key={license.id}>
                  <TableCell>{license.licenseName}</TableCell>
                  <TableCell>
                    {Object.entries(license.changes).map(([field, change]) => (
                      <div key={field}>{sentenceOf(field, change, setNames)}</div>
                    ))}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
      {count > changed.length && (
        <Typography color="textSecondary">The first {number(changed.length)} are shown.</Typography>
      )}
    </>
  );
}

function sentenceOf(field: string, change: unknown, setNames: ReadonlyMap<string, string>) {
  const [before, after] = Array.isArray(change) ? (change as unknown[]) : [null, change];
  const shown = (value: unknown) => {
    if (value === null || value === undefined) return "none";
    const text = typeof value === "object" ? JSON.stringify(value) : String(value as string);
    return setNames.get(text) ?? text;
  };
  return `${words(field.replace(/Id$/, ""))}: ${shown(before)} → ${shown(after)}`;
}
