import { useEffect } from "react";
import { $api } from "../api/client";
import { sessionUser } from "../api/session";
import type { Membership, Profile, Role } from "../api/types";
import { useTabStored } from "./useStored";

interface Working {
  profile: Profile | undefined;
  memberships: Membership[];
  /** The current institution; undefined while loading, null for an end user. */
  institutionId: string | null | undefined;
  institutionName: string;
  switchTo: (institutionId: string) => void;
}

/** ID of the institution that this tab switched to; the user may have left it since. */
export const useChosenInstitution = () => useTabStored<string>("institution");

/** What the session says of the user, so that the menu and the pages stand before the profile is there. */
function profileInSession(): Profile | undefined {
  const user = sessionUser();
  return user ? { ...user, recoveryCodesLeft: null, accountClosed: false } : undefined;
}

/** The signed-in user's profile and current institution. */
export function useInstitution(): Working {
  const { data: profile } = $api.useQuery(
    "get",
    "/api/auth/me",
    {},
    { staleTime: 60_000, placeholderData: profileInSession },
  );
  const [chosen, switchTo] = useChosenInstitution();
  const memberships = profile?.memberships ?? [];
  const isOpen = (item: Membership) => !item.closed || profile?.isSystemAdmin === true;
  const current =
    memberships.find((item) => item.institutionId === chosen && isOpen(item)) ??
    memberships.find(isOpen) ??
    memberships[0];
  return {
    profile,
    memberships,
    institutionId: profile && (current?.institutionId ?? null),
    institutionName: current?.institutionName ?? "",
    switchTo,
  };
}

/**
 * Switches the tab to the institution of what its page shows, if the user is a member: the menu,
 * the search and the lists around a thing are then of the same institution as the thing.
 */
export function useFollowed(institutionId: string | undefined): void {
  const { memberships, institutionId: current, switchTo } = useInstitution();
  const isElsewhere =
    institutionId !== current && memberships.some((one) => one.institutionId === institutionId);
  useEffect(() => {
    if (isElsewhere && institutionId) switchTo(institutionId);
  }, [isElsewhere, institutionId, switchTo]);
}

/** Whether the signed-in user is an end user: no institution and not a system Admin. */
export function useCustomer(): boolean {
  const { profile, institutionId } = useInstitution();
  return institutionId === null && profile?.isSystemAdmin === false;
}

/** Whether the session reaches none of the user's institutions: see `closed` in a membership. */
export function useIsShutOut(): boolean {
  const { profile, memberships } = useInstitution();
  const isClosed = memberships.length > 0 && memberships.every((item) => item.closed);
  return isClosed && profile?.isSystemAdmin === false;
}

export interface Can {
  role: Role | null;
  isSystemAdmin: boolean;
  /** May change products, licenses, devices, balances and members. */
  manage: boolean;
  /** May do what is reserved for Owners: manage Owners, delete the institution. */
  own: boolean;
}

/** What the user may do in an institution, by default the current one. */
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

/** Whether the user may manage any of their institutions, so that a page of one of its things may be theirs. */
export function useManagesAny(): boolean {
  const { profile, memberships } = useInstitution();
  return (
    profile?.isSystemAdmin === true ||
    memberships.some(({ role }) => role === "Owner" || role === "Admin")
  );
}
