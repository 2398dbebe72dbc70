import { Trans } from "@lingui/react/macro";
import { HelpLink } from "../../ui/help";
import { Column, Row } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { Muted } from "../../ui/Muted";
import type { TabProps } from "../parts/TabProps";
import styles from "./audit.module.css";
import { auditFilters, useAuditFilter } from "./auditFilters";
import { AuditFilters } from "./AuditFilters";
import { AuditTable } from "./AuditTable";

interface AuditLogProps {
  /** The path below `/api`. */
  resource: string;
  /** Null for the log of the instance, whose entries name theirs. */
  institutionId: string | null;
}

/** An audit log: who changed what, when and from where. */
export function AuditLog({ resource, institutionId }: AuditLogProps) {
  const [filter, setFilter] = useAuditFilter();
  return (
    <Column gap="l">
      <Row gap="l" wraps>
        <Muted className={styles.seal}>
          <Trans>
            Every entry is sealed into a chain. Run <code>licet-server audit verify</code> on the
            server to detect entries that were changed or removed.{" "}
            <HelpLink topic="audit-log">How to check the audit log</HelpLink>
          </Trans>
        </Muted>
      </Row>
      <AuditFilters filter={filter} onChange={setFilter} />
      <DataList
        // The filters of the audit log stand in the URL already.
        key={JSON.stringify(filter)}
        inUrl={false}
        path={resource}
        fixed={auditFilters(filter)}
        sort="-occurredAt"
        hasCsv
      >
        <AuditTable institutionId={institutionId} onFilter={setFilter} />
      </DataList>
    </Column>
  );
}

/** The audit log of an institution. */
export const AuditTab = ({ institutionId }: TabProps) => (
  <AuditLog resource={`institutions/${institutionId}/audit`} institutionId={institutionId} />
);
