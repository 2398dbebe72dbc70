import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router";
import { copyAndSay } from "../ui/clipboard";
import { type PageKey, tabKey, usePageKeys } from "../ui/pageKeys";
import { useWayOn } from "../ui/table/wayOn";
import { useUrlParams } from "../ui/useUrlParams";
import type { Customer } from "./customer";

/** The keys of the page of a customer; `paths` are its tabs. */
export function useCustomerKeys(
  customer: Customer,
  manage: boolean,
  paths: readonly string[],
): void {
  const navigate = useNavigate();
  const { change } = useUrlParams();
  const base = `/customers/${customer.id}`;
  const wayOn = useWayOn(base);
  const opening = (key: string, meaning: string, act: string): PageKey | false =>
    manage && { keys: [key], meaning, act: () => change({ act }, true) };
  usePageKeys([
    opening("e", t`Edit`, "edit"),
    opening("p", t`Send portal link`, "portal-link"),
    opening("v", t`View portal as customer`, "portal-view"),
    {
      keys: ["c"],
      meaning: t`Copy email`,
      act: () => void copyAndSay(customer.email, t`Email copied.`),
    },
    tabKey(paths, (path) => void navigate(`${base}${path && `/${path}`}`)),
    ...wayOn,
  ]);
}
