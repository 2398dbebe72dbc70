import { plural, t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { PersonEmblem } from "../../../ui/Emblem";
import { type Fact, FactList } from "../../../ui/FactList";
import { entryText } from "../../../ui/featureValues";
import { date, relative } from "../../../ui/formats";
import { Column, Row } from "../../../ui/layout/layout";
import { paidText, refundedText, statusOf } from "../../../ui/orders";
import { PageLink } from "../../../ui/PageLink";
import { lengthText } from "../../../ui/quantities";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { TagChips } from "../../../ui/tags/TagChips";
import { TERM_LABELS, termFacts } from "../../../ui/terms/terms";
import { useCustomerOf, usePolicy } from "../../../ui/useProduct";
import { ownTextFactsOf } from "../../fields";
import { isAddress } from "../traits";
import type { Order } from "../useOrder";
import { LicenseFile } from "./LicenseFile";
import styles from "./overview.module.css";

interface LicenseFactsProps {
  license: License;
  /** What the license was bought with. */
  order: Order | undefined;
  /** Whether the verdict above says when the license ends. */
  tellsEnd: boolean;
}

/**
 * Who has the license, what was paid and until when it lasts; other terms are folded. Its product,
 * model and key stand above, and when it was issued or revoked in the verdict and the timeline.
 */
export function LicenseFacts({ license, order, tellsEnd }: LicenseFactsProps) {
  const setName = useSetName(license);
  const [first, others] = modesOf(license);
  const isRestricted =
    license.features !== null || Object.keys(license.entitlements ?? {}).length > 0;
  const facts: (Fact | false)[] = [
    order !== undefined && [t`Order`, <OrderFact key="" order={order} />],
    license.policyId !== null && [t`Policy`, <PolicyName key="" license={license} />],
    !tellsEnd && [t`Expires`, <Expiry key="" license={license} />],
    license.updatesUntil !== null && [
      t`Maintenance`,
      <Maintenance key="" license={{ ...license, updatesUntil: license.updatesUntil }} />,
    ],
    ...termFacts(license, ["fallback", "grace"]),
    ...first,
    isRestricted && [
      setName ? t`Entitlements: ${{ name: setName }}` : t`Entitlements`,
      <Entitlements key="" license={license} />,
    ],
    license.tags.length > 0 && [t`Tags`, <TagChips key="" tags={license.tags} />],
  ];
  const folded: (Fact | false)[] = [
    [t`Release`, license.releaseVersion],
    ...ownTextFactsOf(license).filter(([, value]) => value !== ""),
    ...others,
    ...termFacts(license, ["devices", "away"]),
    license.username !== null && [
      t`Credentials`,
      t`Username ${{ username: license.username }} and password`,
    ],
    !isRestricted && [t`Entitlements`, t`Not restricted`],
  ];
  return (
    <Section title={t`License`} help="models">
      <Holder license={license} />
      <FactList facts={facts} className={styles.facts} />
      <details className={styles.terms}>
        <summary>{t`Other terms`}</summary>
        <FactList facts={folded} className={styles.facts} />
      </details>
      <LicenseFile license={license} />
    </Section>
  );
}

/** How devices get and check the license: what is not as usual, and what is. */
function modesOf(license: License): [Fact[], Fact[]] {
  const isUsual = ([label]: Fact) =>
    label === TERM_LABELS.activationMode && license.activationMode === "Online";
  const facts = termFacts(license, ["modes"]);
  return [facts.filter((fact) => !isUsual(fact)), facts.filter(isUsual)];
}

/** Who has the license: a customer, by name as soon as it is known, with how many they have. */
function Holder({ license: { customerId, issuedTo } }: { license: License }) {
  const { data } = useCustomerOf(customerId);
  const name = data?.name ?? issuedTo;
  if (name === null) return null;
  const count = data && plural(data.licenseCount, { one: "# license", other: "# licenses" });
  return (
    <Row gap="m" className={styles.holder}>
      <PersonEmblem name={name} size="large" />
      <div>
        {customerId !== null ? (
          <PageLink to={`/customers/${customerId}`}>{name}</PageLink>
        ) : isAddress(name) ? (
          <Link href={`mailto:${name}`}>{name}</Link>
        ) : (
          name
        )}
        <div className={styles.second}>
          {[name === issuedTo ? null : issuedTo, count].filter(Boolean).join(" · ")}
        </div>
      </div>
    </Row>
  );
}

/** What was paid, and when; with what became of the order, where that is not all. */
const OrderFact = ({ order }: { order: Order }) => (
  <Row gap="s" wraps>
    <PageLink to={`/orders/${order.id}`}>{order.externalId}</PageLink>
    <span className={styles.quiet}>
      {[paidText(order), refundedText(order), date(order.createdAt)].filter(Boolean).join(" · ")}
    </span>
    {statusOf(order) !== "Fulfilled" && refundedText(order) === null && (
      <StatusChip status={statusOf(order)} />
    )}
  </Row>
);

function PolicyName({ license: { policyId, productId } }: { license: License }) {
  const { data: policy } = usePolicy(policyId);
  return <PageLink to={`/products/${productId}/policies`}>{policy?.name ?? "…"}</PageLink>;
}

function Expiry({
  license: {
    expirationDate: end,
    termDays,
    termMonths,
    inGraceUntil,
    inFallback,
    updatesUntil,
    createdAt,
  },
}: {
  license: License;
}) {
  const term = lengthText(termDays, termMonths);
  if (term !== null) return t`${term} after the first use`;
  if (end === null) return t`Never`;
  const words =
    inGraceUntil === null ? relative(end) : t`active until ${{ day: date(inGraceUntil) }}`;
  if (inFallback) return t`${{ day: date(end) }}; active for the releases that it keeps`;
  if (updatesUntil !== null)
    return <TimeBar label={t`Term`} start={createdAt} end={end} words={words} />;
  return (
    <>
      {date(end)}
      <span className={styles.quiet}> ({words})</span>
    </>
  );
}

/** The name of its entitlement set; undefined without one, and until it is known. */
function useSetName({ productId, entitlementSetId }: License): string | undefined {
  const { data: sets } = $api.useQuery(
    "get",
    "/api/products/{productId}/entitlement-sets",
    { params: { path: { productId }, query: { pageSize: 100 } } },
    { enabled: entitlementSetId !== null },
  );
  return sets?.items.find(({ id }) => id === entitlementSetId)?.name;
}

function Entitlements({ license: { features, entitlements } }: { license: License }) {
  const entries = Object.entries(entitlements ?? {});
  return (
    <>
      {features === null && t`Not restricted`}
      {features?.length === 0 && t`The set has no features.`}
      {entries.length > 0 && (
        <Row as="ul" gap="s" wraps>
          {entries.map(([feature, value]) => (
            <Chip
              key={feature}
              component="li"
              size="small"
              variant="outlined"
              label={entryText(feature, value)}
            />
          ))}
        </Row>
      )}
    </>
  );
}

/** The part of a time that is over, in percent. */
function shareOver(start: string, end: string, now = Date.now()): number {
  const [first, last] = [Date.parse(start), Date.parse(end)];
  if (last <= first) return 100;
  return Math.min(100, Math.max(0, ((now - first) / (last - first)) * 100));
}

interface TimeBarProps {
  label: string;
  start: string;
  end: string;
  words: string;
}

/** How much of a term or of a maintenance is over. */
const TimeBar = ({ label, start, end, words }: TimeBarProps) => (
  <Column gap="xs">
    <span>
      {date(end)}
      <span className={styles.quiet}> ({words})</span>
    </span>
    <LinearProgress variant="determinate" aria-label={label} value={shareOver(start, end)} />
  </Column>
);

/** Until when releases are covered. */
const Maintenance = ({ license }: { license: License & { updatesUntil: string } }) => (
  <TimeBar
    label={t`Maintenance`}
    start={license.createdAt}
    end={license.updatesUntil}
    words={relative(license.updatesUntil)}
  />
);
