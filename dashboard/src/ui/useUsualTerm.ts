import type { License } from "../api/types";
import type { Distance } from "./days";
import { usePolicy } from "./useProduct";

/**
 * How long a term of a license usually is: as its policy says, else a year, or a month of a trial;
 * undefined while that is unknown.
 */
export function useUsualTerm(license: License | undefined): Distance | undefined {
  const { data: policy, isLoading } = usePolicy(license?.policyId);
  if (license === undefined || isLoading) return undefined;
  const { durationDays: days, durationMonths: months } = policy ?? {};
  if (months != null) return { months };
  return days != null ? { days } : { months: license.type === "Trial" ? 1 : 12 };
}
