import { plural, t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";
import { KeyFigure } from "../../ui/KeyFigure";
import { useInstitution } from "../../ui/useInstitution";
import styles from "./overview.module.css";

interface OverviewFiguresProps {
  institutionId: string;
  /** Undefined while loading. */
  overview: Schemas["InstitutionOverview"] | undefined;
}

/** Key figures; linked only for the current institution, because the lists show that one. */
export function OverviewFigures({ institutionId, overview }: OverviewFiguresProps) {
  const worked = useInstitution().institutionId === institutionId;
  const here = `/institutions/${institutionId}`;
  const there = (to: string) => (worked ? { to } : {});
  const active = overview?.activeLicenses;
  const pending = overview?.pendingActivations;
  return (
    <div className={styles.figures}>
      <KeyFigure label={t`Products`} value={overview?.products} to={`${here}/products`} />
      <KeyFigure
        label={t`Licenses`}
        value={overview?.licenses}
        hint={active === undefined ? "…" : plural(active, { other: "# active" })}
        {...there("/licenses")}
      />
      <KeyFigure label={t`Expiring in 30 days`} value={overview?.expiringIn30Days} />
      <KeyFigure
        label={t`Devices`}
        value={overview?.activations}
        hint={pending === undefined ? "…" : plural(pending, { other: "# pending" })}
        {...there("/statistics/activations")}
      />
      <KeyFigure
        label={t`Live sessions`}
        value={overview?.liveSessions}
        {...there("/statistics/sessions")}
      />
      <KeyFigure label={t`Members`} value={overview?.members} to={`${here}/members`} />
    </div>
  );
}
