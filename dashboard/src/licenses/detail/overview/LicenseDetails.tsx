import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { date, dateTime, relative } from "../../../ui/formats";
import { Column, Row } from "../../../ui/layout/layout";
import { MODEL_LABELS } from "../../../ui/labels";
import { lengthText } from "../../../ui/quantities";
import { Section } from "../../../ui/Section";
import { entryText } from "../../../ui/featureValues";
import { PageLink } from "../../../ui/PageLink";
import { termFacts } from "../../../ui/terms/terms";
import { TagChips } from "../../../ui/tags/TagChips";
import { usePolicy } from "../../../ui/useProduct";
import { isAddress } from "../traits";
import { MODEL_TEXT } from "../../modelText";
import { ownTextFactsOf } from "../../ownTexts";
import { Maintenance, TimeBar } from "./Coverage";

type Fact = readonly [name: string, value: ReactNode];

/** Key, model and terms of the license. */
export function LicenseDetails({ license }: { license: License }) {
  const facts: (Fact | false)[] = [
    [
      t`Model`,
      <span key="" title={MODEL_TEXT[license.type].description}>
        {MODEL_LABELS[license.type]}
      </span>,
    ],
    [t`Release`, license.releaseVersion],
    license.policyId !== null && [t`Policy`, <PolicyName key="" license={license} />],
    [t`Issued to`, <IssuedTo key="" license={license} />],
    ...ownTextFactsOf(license).map(([name, value]) => [name, value || null] as const),
    ...termFacts(license, ["modes", "devices", "away"]),
    license.username !== null && [
      t`Credentials`,
      t`Username ${{ username: license.username }} and password`,
    ],
    [t`Expires`, <Expiry key="" license={license} />],
    license.updatesUntil !== null && [
      t`Maintenance`,
      <Maintenance key="" license={{ ...license, updatesUntil: license.updatesUntil }} />,
    ],
    ...termFacts(license, ["fallback", "grace"]),
    license.tags.length > 0 && [t`Tags`, <TagChips key="" tags={license.tags} />],
    [t`Created`, dateTime(license.createdAt)],
    [t`Last updated`, dateTime(license.updatedAt)],
    license.revokedAt !== null && [t`Revoked`, dateTime(license.revokedAt)],
  ];
  return (
    <Section title={t`License`} help="models">
      <Column gap="l">
        <DescriptionList facts={facts.filter((fact) => fact !== false)} />
        <Entitlements license={license} />
      </Column>
    </Section>
  );
}

function IssuedTo({ license: { issuedTo, customerId } }: { license: License }) {
  if (customerId !== null) return <PageLink to={`/customers/${customerId}`}>{issuedTo}</PageLink>;
  return isAddress(issuedTo) ? <Link href={`mailto:${issuedTo}`}>{issuedTo}</Link> : issuedTo;
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

function Entitlements({ license }: { license: License }) {
  const { data: sets } = $api.useQuery(
    "get",
    "/api/products/{productId}/entitlement-sets",
    { params: { path: { productId: license.productId }, query: { pageSize: 100 } } },
    { enabled: license.entitlementSetId !== null },
  );
  const entries = Object.entries(license.entitlements ?? {});
  const name = sets?.items.find((item) => item.id === license.entitlementSetId)?.name;
  return (
    <Column gap="xs">
      <Typography variant="caption" color="textSecondary" component="p">
        {name ? t`Entitlements: ${name}` : t`Entitlements`}
      </Typography>
      {license.features === null && <Typography>{t`Not restricted`}</Typography>}
      {license.features?.length === 0 && <Typography>{t`The set has no features.`}</Typography>}
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
    </Column>
  );
}
