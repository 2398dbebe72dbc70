import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Skeleton from "@mui/material/Skeleton";
import type { Schemas } from "../../api/types";
import { DoneIcon } from "../../ui/icons";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { useHome } from "../useHome";
import styles from "./inbox.module.css";
import { KIND_NAMES } from "./waiting";
import { WaitingGroup } from "./WaitingGroup";

/** What waits for the user, with the buttons that deal with it in place. */
export function Inbox({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = useHome(institutionId);
  return (
    <Section title={t`Needs attention`}>
      {error && !data ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : data ? (
        <Groups waiting={data.waiting} />
      ) : (
        <Skeleton variant="rounded" height={120} />
      )}
    </Section>
  );
}

function Groups({ waiting }: { waiting: Schemas["Waiting"] }) {
  const kinds = KIND_NAMES.filter((kind) => waiting.counts[kind]);
  if (kinds.length === 0)
    return (
      <p className={styles.well}>
        <DoneIcon aria-hidden />
        <span>
          <Trans>
            All good. <span className={styles.muted}>Nothing needs your attention.</span>
          </Trans>
        </span>
      </p>
    );
  return (
    <div className={styles.groups}>
      {kinds.map((kind) => (
        <WaitingGroup
          key={kind}
          kind={kind}
          count={waiting.counts[kind] ?? 0}
          items={waiting.items.filter((item) => item.kind === kind)}
        />
      ))}
    </div>
  );
}
