import { plural, t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { $api, at } from "../../../api/client";
import type { License } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { nameOf } from "../../../ui/devices/deviceActions";
import { PersonEmblem } from "../../../ui/Emblem";
import { entryText } from "../../../ui/featureValues";
import { date, relative } from "../../../ui/formats";
import { WithAside, Column, Row } from "../../../ui/layout/layout";
import { eventsOf } from "../../../ui/licenseEvents";
import { ButtonLink, PageLink } from "../../../ui/PageLink";
import { lengthText } from "../../../ui/quantities";
import { RelativeTime } from "../../../ui/RelativeTime";
import { RichText } from "../../../ui/RichText";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { TagChips } from "../../../ui/tags/TagChips";
import { termFacts } from "../../../ui/terms/terms";
import { Timeline } from "../../../ui/Timeline";
import { useCan } from "../../../ui/useInstitution";
import { usePolicy } from "../../../ui/useProduct";
import { ownTextFactsOf } from "../../fields";
import { NoteField } from "../events/NoteField";
import { useLatestEvents } from "../events/useLatestEvents";
import { isAddress } from "../traits";
import { LicenseFile } from "./LicenseFile";
import styles from "./overview.module.css";

interface OverviewProps {
  license: License;
  /** Whether the verdict above says when the license ends. */
  tellsEnd: boolean;
}

/** The license at a glance: its terms and use, what happened last, and what the team wrote. */
export function Overview({ license, tellsEnd }: OverviewProps) {
  const { manage } = useCan(license.institutionId);
  const metadata = Object.entries(license.metadata);
  return (
    <WithAside
      aside={
        <>
          <LatestEvents license={license} />
          {manage && <LatestDevices license={license} />}
          {license.notes !== null && (
            <Section title={t`Notes`} subtitle={t`For your team only; customers cannot see them.`}>
              <RichText>{license.notes}</RichText>
            </Section>
          )}
          {metadata.length > 0 && (
            <Section title={t`Metadata`}>
              <DescriptionList facts={metadata} />
            </Section>
          )}
        </>
      }
    >
      <LicenseDetails license={license} tellsEnd={tellsEnd} />
      <LicenseFile license={license} />
    </WithAside>
  );
}

const DEVICES_SHOWN = 4;

/** The devices that were seen last; nothing if there are none. */
function LatestDevices({ license }: { license: License }) {
  const { data } = $api.useQuery("get", "/api/licenses/{licenseId}/activations", {
    params: {
      path: { licenseId: license.id },
      query: { pageSize: DEVICES_SHOWN, sort: "-lastSeenAt" },
    },
  });
  if (!data?.items.length) return null;
  return (
    <Section
      title={t`Devices`}
      actions={
        <ButtonLink to={`/licenses/${license.id}/activations`} size="small">
          {t`All ${{ count: data.totalCount ?? "" }}`}
        </ButtonLink>
      }
    >
      <ul className={styles.devices}>
        {data.items.map((device) => (
          <li key={device.id}>
            <span className={styles.device}>{nameOf(device)}</span>
            <span className={styles.seen}>
              <RelativeTime at={device.lastSeenAt} />
            </span>
            <StatusChip status={device.status} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const EVENTS_SHOWN = 5;

/** What happened last: who did what, and when. */
function LatestEvents({ license }: { license: License }) {
  const events = useLatestEvents(license);
  const { manage } = useCan(license.institutionId);
  return (
    <Section
      title={t`Timeline`}
      actions={
        <ButtonLink to={`/licenses/${license.id}/events`} size="small">
          {t`All events`}
        </ButtonLink>
      }
    >
      <Column gap="m">
        {manage && <NoteField license={license} />}
        <Timeline events={events && eventsOf(events.slice(0, EVENTS_SHOWN))} />
      </Column>
    </Section>
  );
}

type Fact = readonly [name: string, value: ReactNode];

/**
 * The terms of the license; its product, model and key stand above, and when it was issued or
 * revoked in the verdict and the timeline.
 */
function LicenseDetails({ license, tellsEnd }: OverviewProps) {
  const setName = useSetName(license);
  const facts: (Fact | false)[] = [
    [t`Issued to`, <IssuedTo key="" license={license} />],
    [t`Release`, license.releaseVersion],
    license.policyId !== null && [t`Policy`, <PolicyName key="" license={license} />],
    ...ownTextFactsOf(license).filter(([, value]) => value !== ""),
    ...termFacts(license, ["modes", "devices", "away"]),
    license.username !== null && [
      t`Credentials`,
      t`Username ${{ username: license.username }} and password`,
    ],
    !tellsEnd && [t`Expires`, <Expiry key="" license={license} />],
    license.updatesUntil !== null && [
      t`Maintenance`,
      <Maintenance key="" license={{ ...license, updatesUntil: license.updatesUntil }} />,
    ],
    ...termFacts(license, ["fallback", "grace"]),
    license.tags.length > 0 && [t`Tags`, <TagChips key="" tags={license.tags} />],
    [
      setName ? t`Entitlements: ${{ name: setName }}` : t`Entitlements`,
      <Entitlements key="" license={license} />,
    ],
  ];
  return (
    <Section title={t`License`} help="models">
      <DescriptionList facts={facts.filter((fact) => fact !== false)} />
    </Section>
  );
}

function IssuedTo({ license: { issuedTo, customerId } }: { license: License }) {
  if (customerId !== null) return <Holder customerId={customerId} issuedTo={issuedTo} />;
  return isAddress(issuedTo) ? <Link href={`mailto:${issuedTo}`}>{issuedTo}</Link> : issuedTo;
}

/** The customer who has the license, by name as soon as it is known, with how many they have. */
function Holder({ customerId, issuedTo }: { customerId: string; issuedTo: string | null }) {
  const { data } = $api.useQuery("get", "/api/customers/{customerId}", at({ customerId }));
  const name = data?.name ?? issuedTo ?? "";
  const count = data && plural(data.licenseCount, { one: "# license", other: "# licenses" });
  return (
    <Row gap="s" align="start">
      <PersonEmblem name={name} size="medium" />
      <div>
        <PageLink to={`/customers/${customerId}`}>{name}</PageLink>
        <div className={styles.second}>
          {[name === issuedTo ? null : issuedTo, count].filter(Boolean).join(" · ")}
        </div>
      </div>
    </Row>
  );
}

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
      <Typography component="span" color="textSecondary">
        {" "}
        ({words})
      </Typography>
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
      <Typography component="span" color="textSecondary">
        {` (${words})`}
      </Typography>
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
