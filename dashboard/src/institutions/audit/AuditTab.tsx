import type { TabProps } from "../parts/TabProps";
import { AuditLog } from "./AuditLog";

/** The audit log of an institution. */
export const AuditTab = ({ institutionId }: TabProps) => (
  <AuditLog resource={`institutions/${institutionId}/audit`} institutionId={institutionId} />
);
