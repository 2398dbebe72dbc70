import { useStore } from "ra-core";
import { $api } from "../api/client";
import type { Membership, Profile, Role } from "../api/types";

interface Working {
  profile: Profile | undefined;
  memberships: Membership[];
  /** The institution that is worked in; undefined while it is asked for, null for an end user. */
  institutionId: string | null | undefined;
  institutionName: string;
  switchTo: (institutionId: string) => void;
}

/** The id of the institution that was switched to, which may be one left since. */
export const useChosenInstitution = () => useStore<string | null>("institution", null);

/** The profile of who is signed in, and the institution that he works in at present. */
export function useInstitution(): Working {
  const { data: profile } = $api.useQuery("get", "/api/auth/me", {}, { staleTime: 60_000 });
  const [chosen, switchTo] = useChosenInstitution();
  const memberships = profile?.memberships ?? [];
  const current = memberships.find((item) => item.institutionId === chosen) ?? memberships[0];
  return {
    profile,
    memberships,
    institutionId: profile && (current?.institutionId ?? null),
    institutionName: current?.institutionName ?? "",
    switchTo,
  };
}

/** Whether somebody is signed in who works in no institution, and does not look after the service. */
export function useCustomer(): boolean {
  const { profile, institutionId } = useInstitution();
  return institutionId === null && profile?.isSystemAdmin === false;
}

export interface Can {
  role: Role | null;
  isSystemAdmin: boolean;
  /** Change products, licenses, devices, balances, members. */
  manage: boolean;
  /** What only an Owner may: other Owners, the end of the institution. */
  own: boolean;
}

/** What the caller may do in an institution, by default in the one that he works in. */
export function useCan(institutionId?: string): Can {
  const { profile, memberships, institutionId: current } = useInstitution();
  const asked = institutionId ?? current;
  const role = memberships.find((item) => item.institutionId === asked)?.role ?? null;
  const isSystemAdmin = profile?.isSystemAdmin ?? false;
  return {
    role,
    isSystemAdmin,
    manage: isSystemAdmin || role === "Owner" || role === "Admin",
    own: isSystemAdmin || role === "Owner",
  };
}
