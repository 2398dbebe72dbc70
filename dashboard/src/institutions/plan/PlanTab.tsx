import { $api } from "../../api/client";
import { ProblemAlert } from "../../ui/ProblemAlert";
import type { SettingsTabProps } from "../settings/settings";
import { PlanSection } from "./PlanSection";

/** The plan of the institution and its use. */
export function PlanTab({ institution, can }: SettingsTabProps) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/overview",
    { params: { path: { institutionId: institution.id } } },
  );
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  return <PlanSection institution={institution} overview={data} can={can} />;
}
