import type { Can } from "../../ui/useInstitution";

/** Props of each tab of an institution's page. */
export interface TabProps {
  institutionId: string;
  /** What the user may do there. */
  can: Can;
}
