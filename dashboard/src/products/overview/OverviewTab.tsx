import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { $api } from "../../api/client";
import type { Product, Schemas } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { DescriptionList } from "../../ui/DescriptionList";
import { type FirstStep, FirstSteps } from "../../ui/FirstSteps";
import { date, number } from "../../ui/formats";
import { HideIcon, ShowIcon } from "../../ui/icons";
import { Column } from "../../ui/layout/layout";
import { PageLink } from "../../ui/PageLink";
import { Section } from "../../ui/Section";
import { masked } from "../credentials/ProductKeysSection";
import { ACCESS_LABELS } from "../parts/access";
import { CodeValue, PublicKeySection } from "../parts/PublicKeySection";
import type { TabProps } from "../parts/TabProps";
import { TestClockSection } from "../clock/TestClockSection";
import { SnippetSection } from "./SnippetSection";

type Release = Schemas["Release"];

const stepsOf = (product: Product, releases: Release[]): FirstStep[] => [
  {
    title: t`Generate RSA keys`,
    why: t`Licenses are signed with these keys. You need them to issue licenses.`,
    isDone: product.hasKeys,
    to: `/products/${product.id}/keys`,
    action: t`Open keys`,
  },
  {
    title: t`Publish a release`,
    why: t`A license is issued for a release, by default the newest published one.`,
    isDone: releases.some((release) => release.status === "Published"),
    to: `/products/${product.id}/releases`,
    action: t`Open releases`,
  },
  {
    title: t`Issue your first license`,
    why: t`Then try it with the code below.`,
    isDone: (product.licenseCount ?? 1) > 0,
    to: `/licenses/new?productId=${product.id}`,
    action: t`Issue license`,
  },
];

const newest = (releases: Release[]): Release | undefined =>
  releases
    .filter((release) => release.status === "Published")
    .sort((one, other) => (other.publishedAt ?? "").localeCompare(one.publishedAt ?? ""))[0];

const ProductFacts = ({ product, releases }: { product: Product; releases: Release[] }) => {
  const latest = newest(releases);
  const filter = encodeURIComponent(JSON.stringify({ productId: product.id }));
  return (
    <Section title={t`Details`}>
      <DescriptionList
        facts={[
          [t`Product ID`, <CodeValue key="id" label={t`Copy product ID`} value={product.id} />],
          [
            t`Licenses`,
            product.licenseCount === null ? null : (
              <PageLink to={`/licenses?filter=${filter}`}>{number(product.licenseCount)}</PageLink>
            ),
          ],
          [t`Latest published release`, latest ? `${latest.version} (${latest.channel})` : null],
          [t`Access`, ACCESS_LABELS[product.accessType]],
          [t`Created`, date(product.createdAt)],
          [
            t`Usage`,
            <PageLink key="statistics" to={`/statistics?productId=${product.id}`}>
              {t`View statistics`}
            </PageLink>,
          ],
        ]}
      />
    </Section>
  );
};

/** First steps, the clock of a Test product, details, code snippet and keys of a product. */
export function OverviewTab({ product, manage }: TabProps) {
  const [isKeyShown, setKeyShown] = useState(false);
  const params = { path: { productId: product.id } };
  const { data: releases } = $api.useQuery("get", "/api/products/{productId}/releases", {
    params: { ...params, query: { pageSize: 100, sort: "-createdAt" } },
  });
  const { data: credentials } = $api.useQuery(
    "get",
    "/api/products/{productId}/credentials",
    { params },
    { enabled: manage },
  );
  const productKey = (manage && credentials?.apiKey) || undefined;
  return (
    <Column gap="l">
      {releases && <FirstSteps steps={stepsOf(product, releases.items)} manage={manage} />}
      {product.mode === "Test" && <TestClockSection product={product} manage={manage} />}
      <ProductFacts product={product} releases={releases?.items ?? []} />
      {product.hasKeys && (
        <SnippetSection productId={product.id} productKey={productKey} isKeyShown={isKeyShown} />
      )}
      {productKey && (
        <ProductKeySection
          productKey={productKey}
          isShown={isKeyShown}
          onToggle={() => setKeyShown(!isKeyShown)}
        />
      )}
      {product.hasKeys && <PublicKeySection productId={product.id} />}
    </Column>
  );
}

interface ProductKeySectionProps {
  productKey: string;
  isShown: boolean;
  onToggle: () => void;
}

/** The newest product key, masked until the user shows it. */
const ProductKeySection = ({ productKey, isShown, onToggle }: ProductKeySectionProps) => (
  <Section
    title={t`Product key`}
    subtitle={t`Your application sends it as X-API-KEY with each request. It allows only what an application needs.`}
    help="product-keys"
    actions={
      <Button size="small" startIcon={isShown ? <HideIcon /> : <ShowIcon />} onClick={onToggle}>
        {isShown ? t`Hide` : t`Show`}
      </Button>
    }
  >
    <CopyField
      label={t`Product key`}
      value={productKey}
      shown={isShown ? productKey : masked(productKey)}
    />
  </Section>
);
