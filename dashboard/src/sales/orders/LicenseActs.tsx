import { t } from "@lingui/core/macro";
import { ButtonLink } from "../../ui/PageLink";
import type { OrderDetails } from "../order";
import styles from "./orders.module.css";

type License = OrderDetails["licenses"][number];

const ACTS = {
  suspend: t`Suspend license`,
  reinstate: t`Reinstate license`,
  revoke: t`Revoke license`,
} as const;

const ACTS_ON: Partial<Record<License["status"], (keyof typeof ACTS)[]>> = {
  Active: ["suspend", "revoke"],
  Suspended: ["reinstate", "revoke"],
};

/** Whether somebody decides about the licenses of an order now: it is disputed or was refunded. */
export const isUndecided = ({ disputedAt, status }: OrderDetails): boolean =>
  disputedAt !== null || status === "Refunded";

/** What can be done with a license of an order; screen readers hear with which one, where there are several. */
export function LicenseActs({ license, isNamed = false }: { license: License; isNamed?: boolean }) {
  const acts = ACTS_ON[license.status] ?? [];
  return (
    <>
      {acts.map((act) => (
        <ButtonLink
          key={act}
          to={`/licenses/${license.id}?act=${act}`}
          color="inherit"
          size="small"
          className={styles.action}
          {...(isNamed && { "aria-label": `${ACTS[act]}: ${license.licenseName}` })}
        >
          {ACTS[act]}
        </ButtonLink>
      ))}
    </>
  );
}
