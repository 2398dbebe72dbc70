import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router";
import type { License } from "../api/types";
import { RowMenu } from "./table/RowMenu";

/** What is most often done to a license; its page asks for the rest. */
const ACTS: Partial<Record<License["status"], readonly (readonly [act: string, label: string])[]>> =
  {
    Active: [
      ["term", t`Extend`],
      ["send", t`Send by email`],
      ["suspend", t`Suspend`],
    ],
    Suspended: [["reinstate", t`Reinstate`]],
    Expired: [["term", t`Extend`]],
  };

/** The menu of a license in a list, for those who may change it. */
export function LicenseMenu({ license }: { license: License }) {
  const navigate = useNavigate();
  const to = `/licenses/${license.id}`;
  const acts = [
    ...(ACTS[license.status] ?? []).map(([act, label]) => ({ label, to: `${to}?act=${act}` })),
    { label: t`Diagnose`, to: `${to}/diagnose` },
  ];
  return (
    <RowMenu
      name={license.licenseName}
      acts={acts.map((one) => ({ label: one.label, act: () => void navigate(one.to) }))}
    />
  );
}
