import type { Can } from "../../ui/useInstitution";

/** What each tab of an institution's page is given. */
export interface TabProps {
  institutionId: string;
  /** What the caller may do there. */
  can: Can;
}
