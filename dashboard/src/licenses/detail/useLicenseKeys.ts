import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router";
import type { License } from "../../api/types";
import { copyAndSay } from "../../ui/clipboard";
import { type PageKey, tabKey, usePageKeys } from "../../ui/pageKeys";
import { useWayOn } from "../../ui/table/wayOn";
import { useUrlParams } from "../../ui/useUrlParams";
import { type Action, availableActions, labelOf } from "../../ui/license/available";

const ACTIONS: readonly (readonly [key: string, action: Action])[] = [
  ["e", "edit"],
  ["x", "term"],
  ["s", "suspend"],
  ["s", "reinstate"],
];

/** The keys of the page of a license; `paths` are its tabs. */
export function useLicenseKeys(license: License, manage: boolean, paths: readonly string[]): void {
  const navigate = useNavigate();
  const { change } = useUrlParams();
  const base = `/licenses/${license.id}`;
  const wayOn = useWayOn(base);
  const available = manage ? availableActions(license) : [];
  usePageKeys([
    ...ACTIONS.filter(([, action]) => available.includes(action)).map(([key, action]): PageKey => ({
      keys: [key],
      meaning: labelOf(action, license),
      act: () => change({ act: action }, true),
    })),
    {
      keys: ["c"],
      meaning: t`Copy license key`,
      act: () => void copyAndSay(license.licenseKey, t`License key copied.`),
    },
    manage && { keys: ["n"], meaning: t`Add a note`, act: () => void navigate(`${base}?act=note`) },
    tabKey(paths, (path) => void navigate(`${base}${path && `/${path}`}`)),
    ...wayOn,
  ]);
}
