import { t } from "@lingui/core/macro";
import { Page } from "../../ui/Page";
import { AuditLog } from "./AuditLog";

/** The audit log of the instance, for system Admins. */
export default function InstanceAuditPage() {
  return (
    <Page
      title={t`Audit log of the service`}
      subtitle={t`What system Admins did, what commands on the server did, and created and deleted institutions.`}
    >
      <AuditLog resource="audit" institutionId={null} />
    </Page>
  );
}
