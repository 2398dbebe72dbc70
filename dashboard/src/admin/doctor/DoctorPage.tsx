import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { $api, api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { number } from "../../ui/formats";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { StatusChip } from "../../ui/StatusChip";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { CHECKS } from "./checks";
import styles from "./doctor.module.css";

type Finding = Schemas["DoctorFinding"];

const STATES: Record<Finding["state"], readonly [label: string, tone: "good" | "wait" | "bad"]> = {
  Sound: [t`Sound`, "good"],
  Found: [t`Found`, "bad"],
  Unknown: [t`Could not look`, "wait"],
};

/** What is wrong with the data and the surroundings of the service, for system Admins. */
export default function DoctorPage() {
  const [isAsking, setIsAsking] = useState(false);
  const { data, error, refetch, isFetching } = $api.useQuery("get", "/api/doctor");
  const canRepair = data?.findings.some((item) => item.repairable && item.count > 0) ?? false;
  return (
    <Page
      title={t`Doctor`}
      subtitle={t`Looks for rows that no rule allows, and for what endangers the service. Nothing is changed until you repair it.`}
      actions={
        <>
          <Button variant="outlined" disabled={isFetching} onClick={() => void refetch()}>
            {t`Check again`}
          </Button>
          {canRepair && (
            <Button variant="contained" onClick={() => setIsAsking(true)}>
              {t`Repair`}
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <ProblemAlert error={error} />
      ) : data ? (
        <Findings items={data.findings} />
      ) : (
        <Loading />
      )}
      {isAsking && <RepairDialog onClose={() => setIsAsking(false)} />}
    </Page>
  );
}

const Findings = ({ items }: { items: readonly Finding[] }) => (
  <table className={styles.table} aria-label={t`Checks`}>
    <thead>
      <tr>
        <th scope="col">{t`Check`}</th>
        <th scope="col">{t`State`}</th>
        <th scope="col" className={styles.count}>{t`Count`}</th>
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <FindingRow key={item.name} item={item} />
      ))}
    </tbody>
  </table>
);

function FindingRow({ item }: { item: Finding }) {
  const { title, meaning, remedy } = CHECKS[item.name];
  const [label, tone] = STATES[item.state];
  return (
    <tr>
      <th scope="row">
        {title}
        {item.state === "Unknown" && <p>{item.reason}</p>}
        {item.state === "Found" && (
          <>
            <p>
              {meaning} {remedy}
            </p>
            <ul>
              {item.examples.map((example) => (
                <li key={example}>{example}</li>
              ))}
            </ul>
          </>
        )}
      </th>
      <td>
        <StatusChip status={item.state} label={label} tone={tone} />
      </td>
      <td className={styles.count}>{number(item.count)}</td>
    </tr>
  );
}

/** Repairs what needs no decision of a person. */
function RepairDialog({ onClose }: { onClose: () => void }) {
  const notifyChanged = useNotifyChanged();
  const repair = async () => {
    const { data } = await api.POST("/api/doctor/repair");
    const count = data?.findings.reduce((sum, item) => sum + item.repaired, 0) ?? 0;
    notifyChanged(plural(count, { one: "# row repaired.", other: "# rows repaired." }));
  };
  return (
    <ConfirmDialog
      title={t`Repair what was found?`}
      action={t`Repair`}
      onConfirm={repair}
      onClose={onClose}
      consequence={t`Counters are counted again, lost wallets are rebuilt from their ledgers, orphaned wallets are closed, and unreadable values are stored as they are shown. The audit log names each row. This cannot be undone.`}
    />
  );
}
