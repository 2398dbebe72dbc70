import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { list, money, number, percent } from "../ui/formats";
import { FallIcon, RiseIcon } from "../ui/icons";
import { netOf } from "../ui/orders";
import { countedLicensesPath } from "../ui/paths";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useCan } from "../ui/useInstitution";
import styles from "./figures.module.css";
import { useHome, useOverview } from "./useOverview";

type Name = Schemas["FigureName"];
type Period = ReadonlyMap<Name, { value: number; previous: number }>;

function usePeriod(institutionId: string): Period | undefined {
  const { data } = useHome(institutionId);
  return data && new Map(data.period.figures.map((figure) => [figure.name, figure]));
}

/** The two or three figures that say how the business goes; each only once it means something. */
export function Figures({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = useOverview(institutionId);
  const period = usePeriod(institutionId);
  const sales = useSales(institutionId);
  if (error && !data) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (data?.licenses === 0) return null;
  const of = (name: Name) => number(period?.get(name)?.value ?? 0);
  return (
    <section aria-label={t`Key figures`} className={styles.large}>
      <Large
        label={t`Active licenses`}
        value={data && number(data.activeLicenses)}
        hint={
          period &&
          t`${{ issued: of("LicensesIssued") }} issued, ${{ ended: of("LicensesExpired") }} expired in 30 days`
        }
        to={countedLicensesPath({ status: "Active" })}
      />
      <Large
        label={t`Expiring in 30 days`}
        value={data && number(data.expiringIn30Days)}
        hint={period && t`${{ renewed: of("LicensesRenewed") }} renewed in the last 30 days`}
        to={countedLicensesPath({ status: "Active", expiringWithin: 30 })}
      />
      {/* The last: whether there are any is known later, and nothing may move then. */}
      {sales !== null && (
        <Large
          label={t`Sales in 30 days`}
          value={sales?.value}
          change={sales?.change}
          hint={sales?.hint}
          to="/statistics/sales?days=30"
        />
      )}
    </section>
  );
}

interface LargeProps {
  label: string;
  /** Undefined while loading. */
  value: string | undefined;
  /** Beside the value, how it changed. */
  change?: ReactNode;
  hint: string | undefined;
  to: string;
}

const Large = ({ label, value, change, hint, to }: LargeProps) => (
  <div role="group" aria-label={label}>
    <Link to={to}>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {value ?? <Skeleton width="3ch" />}
        {change}
      </p>
      <p className={styles.hint}>{hint ?? <Skeleton width="18ch" />}</p>
    </Link>
  </div>
);

interface Sales {
  value: string;
  change: ReactNode;
  /** What came in other currencies, or how it was before. */
  hint: string;
}

/** What orders of the last 30 days brought in, first in the currency of most of them; null without one, undefined while loading. */
function useSales(institutionId: string): Sales | null | undefined {
  const { role, isSystemAdmin } = useCan();
  const isShown = isSystemAdmin || role !== "Member";
  const period = useHome(institutionId).data?.period;
  const now = useNet(institutionId, isShown, period?.from, period?.to);
  const before = useNet(institutionId, isShown, period?.previousFrom, period?.previousTo);
  if (!isShown) return null;
  if (!now) return undefined;
  const [first, ...others] = now;
  if (!first) return null;
  const [currency, net] = first;
  const [, previous = 0] = before?.find(([other]) => other === currency) ?? [];
  const rest = others.map(([other, amount]) => inWhole(amount, other));
  return {
    value: inWhole(net, currency),
    change: <Rate value={net} previous={previous} />,
    hint: rest.length > 0 ? t`and ${{ amounts: list(rest) }}` : salesHint(net, previous),
  };
}

/** How much more or less than in the 30 days before, as an arrow with a rate. */
function Rate({ value, previous }: { value: number; previous: number }) {
  if (previous <= 0 || value === previous) return null;
  const Icon = value > previous ? RiseIcon : FallIcon;
  return (
    <span className={styles.change} title={salesHint(value, previous)}>
      <Icon aria-hidden />
      {rateOf(value, previous)}
    </span>
  );
}

function useNet(institutionId: string, isShown: boolean, from?: string, to?: string) {
  const { data } = $api.useQuery(
    "get",
    "/api/statistics/sales",
    { params: { query: { institutionId, from: from ?? null, to: to ?? null } } },
    { enabled: isShown && from !== undefined },
  );
  return data && netOf(data.byMonth);
}

/** A large amount without its cents. */
const inWhole = (amount: number, currency: string) =>
  money(amount, currency, amount >= 100 ? 0 : undefined);

const rateOf = (value: number, previous: number) =>
  percent(Math.round(Math.abs(value / previous - 1) * 100) / 100);

function salesHint(net: number, previous: number): string {
  if (previous <= 0) return t`None in the 30 days before`;
  if (net === previous) return t`As in the 30 days before`;
  const change = rateOf(net, previous);
  return net > previous
    ? t`${change} more than in the 30 days before`
    : t`${change} less than in the 30 days before`;
}

const LINE: readonly (readonly [name: Name, label: string, to: string])[] = [
  ["DevicesAdded", t`New devices`, "/statistics/activations"],
  ["SessionsStarted", t`Sessions started`, "/statistics/sessions"],
];

/** How much it is used, in one quiet line; what is zero is left out. */
export function UseFigures({ institutionId }: { institutionId: string }) {
  const { data } = useOverview(institutionId);
  const period = usePeriod(institutionId);
  if (!data || !period) return null;
  const shown = [
    {
      label: t`Live sessions`,
      value: data.liveSessions,
      previous: null,
      to: "/statistics/sessions",
    },
    {
      label: t`Active devices`,
      value: data.activations,
      previous: null,
      to: "/statistics/activations",
    },
    ...LINE.map(([name, label, to]) => ({
      label,
      to,
      value: 0,
      previous: null,
      ...period.get(name),
    })),
  ].filter(({ value }) => value > 0);
  if (shown.length === 0) return null;
  return (
    <section aria-label={t`Use`} className={styles.line}>
      {shown.map(({ label, to, ...figure }) => (
        <div key={label} role="group" aria-label={label}>
          <Link to={to}>
            {label} <b>{number(figure.value)}</b>
          </Link>
          <Change {...figure} />
        </div>
      ))}
    </section>
  );
}

/** More or less than in the 30 days before, which says nothing of good or bad. */
function Change({ value, previous }: { value: number; previous: number | null }) {
  if (!previous || value === previous) return null;
  const before = number(previous);
  const Icon = value > previous ? RiseIcon : FallIcon;
  return (
    <span className={styles.change} title={t`${before} in the 30 days before`}>
      <Icon aria-hidden />
      {value > previous
        ? t`${{ change: number(value - previous) }} more`
        : t`${{ change: number(previous - value) }} less`}
    </span>
  );
}
