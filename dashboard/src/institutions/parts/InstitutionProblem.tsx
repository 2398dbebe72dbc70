import { asProblem } from "../../api/problem";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useCan } from "../../ui/useInstitution";
import { IpAllowListSection } from "../settings/IpAllowListSection";

interface InstitutionProblemProps {
  institutionId: string;
  error: unknown;
}

/** Why an institution cannot be shown; lets a system Admin fix an IP allow-list that locks out everybody. */
export function InstitutionProblem({ institutionId, error }: InstitutionProblemProps) {
  const { isSystemAdmin } = useCan(institutionId);
  const mends = asProblem(error).code === "Forbidden" && isSystemAdmin;
  return (
    <>
      <ProblemAlert error={error} />
      {mends && <IpAllowListSection institutionId={institutionId} />}
    </>
  );
}
