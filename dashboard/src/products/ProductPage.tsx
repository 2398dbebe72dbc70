import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api, at } from "../api/client";
import type { Product } from "../api/types";
import { AddLink } from "../ui/AddButton";
import { ProductEmblem } from "../ui/Emblem";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SkeletonRows } from "../ui/SkeletonRows";
import { RouteTabs } from "../ui/RouteTabs";
import { StatusChip } from "../ui/StatusChip";
import { useCan, useFollowed } from "../ui/useInstitution";
import { useVisited } from "../ui/visited";
import { AssociationsTab } from "./associations/AssociationsTab";
import { EmailsTab } from "./emails/EmailsTab";
import { FeaturesTab } from "./features/FeaturesTab";
import { KeysTab } from "./credentials/KeysTab";
import { OverviewTab } from "./overview/OverviewTab";
import { TestCopyButton } from "./overview/TestCopyButton";
import { PoliciesTab } from "./policies/PoliciesTab";
import { ReleasesTab } from "./releases/ReleasesTab";
import { EntitlementSetsTab } from "./entitlementSets/EntitlementSetsTab";
import { SettingsTab } from "./settings/SettingsTab";

const BACK = { to: "/products", label: t`Products` };

const Tabs = ({ product, manage }: { product: Product; manage: boolean }) => (
  <RouteTabs
    base={`/products/${product.id}`}
    label={t`Product`}
    tabs={[
      {
        path: "",
        label: t`Overview`,
        element: <OverviewTab product={product} manage={manage} />,
      },
      {
        path: "releases",
        label: t`Releases`,
        element: <ReleasesTab product={product} manage={manage} />,
      },
      {
        path: "features",
        label: t`Features and prices`,
        element: <FeaturesTab product={product} manage={manage} />,
      },
      {
        path: "entitlement-sets",
        label: t`Entitlement sets`,
        element: <EntitlementSetsTab product={product} manage={manage} />,
      },
      {
        path: "policies",
        label: t`Policies`,
        element: <PoliciesTab product={product} manage={manage} />,
      },
      ...(product.accessType === "Associated"
        ? [
            {
              path: "associations",
              label: t`Associations`,
              element: <AssociationsTab product={product} manage={manage} />,
            },
          ]
        : []),
      {
        path: "emails",
        label: t`Emails`,
        element: <EmailsTab product={product} manage={manage} />,
      },
      {
        path: "keys",
        label: t`RSA keys`,
        element: <KeysTab product={product} manage={manage} />,
      },
      {
        path: "settings",
        label: t`Settings`,
        element: <SettingsTab product={product} manage={manage} />,
      },
    ]}
  />
);

/** A product, with a tab for each area. */
export default function ProductPage() {
  const { productId = "" } = useParams();
  const {
    data: product,
    error,
    refetch,
  } = $api.useQuery("get", "/api/products/{productId}", at({ productId }));
  useFollowed(product?.institutionId);
  useVisited(
    product && {
      key: product.id,
      kind: "Product",
      label: product.name,
      to: `/products/${product.id}`,
    },
  );
  const { manage } = useCan(product?.institutionId);
  if (!product)
    return (
      <Page title={t`Product`} back={BACK}>
        {error ? <ProblemAlert error={error} retry={() => void refetch()} /> : <SkeletonRows />}
      </Page>
    );
  return (
    <Page
      title={product.name}
      back={BACK}
      isTest={product.mode === "Test"}
      picture={<ProductEmblem name={product.name} imageUrl={product.imageUrl} size="large" />}
      mark={!product.hasKeys && <StatusChip status="No keys" tone="wait" />}
      actions={
        manage && (
          <>
            {product.mode === "Live" && <TestCopyButton product={product} />}
            {product.hasKeys && (
              <AddLink to={`/licenses/new?productId=${product.id}`}>{t`Issue license`}</AddLink>
            )}
          </>
        )
      }
    >
      <Tabs product={product} manage={manage} />
    </Page>
  );
}
