import { t } from "@lingui/core/macro";
import { $api } from "../api/client";
import type { FirstStep } from "../ui/FirstSteps";
import { useOverview } from "./useOverview";
import { useStored } from "../ui/useStored";

/** The first steps of a new institution; undefined while loading and once hidden. */
export function useFirstSteps(institutionId: string) {
  const [hidden, setHidden] = useStored<string[]>("firstStepsHidden", []);
  const isHidden = hidden.includes(institutionId);
  const overview = useOverview(institutionId).data;
  const isUsed =
    overview && overview.activations + overview.pendingActivations + overview.liveSessions > 0;
  const products = $api.useQuery(
    "get",
    "/api/products",
    { params: { query: { institutionId, sort: "createdAt", pageSize: 100 } } },
    { enabled: !isHidden },
  ).data?.items;
  const product = products?.find((item) => item.hasKeys) ?? products?.[0];
  const releases = $api.useQuery(
    "get",
    "/api/products/{productId}/releases",
    { params: { path: { productId: product?.id ?? "" }, query: { pageSize: 100 } } },
    { enabled: !isHidden && product !== undefined },
  ).data?.items;
  const hide = () => setHidden([...hidden, institutionId]);
  if (isHidden || !overview || !products || (product && !releases)) return { hide };
  const at = product ? `/products/${product.id}` : "/products/new";
  const steps: FirstStep[] = [
    {
      title: t`Create a product`,
      why: t`A product is what you sell. It comes with its first release.`,
      isDone: product !== undefined,
      to: "/products/new",
      action: t`New product`,
    },
    {
      title: t`Generate RSA keys`,
      why: t`The private key signs licenses; your application verifies them with the public key.`,
      isDone: product?.hasKeys ?? false,
      to: `${at}/keys`,
      action: t`Open keys`,
    },
    {
      title: t`Publish a release`,
      why: t`Licenses are issued for a published release.`,
      isDone: releases?.some((release) => release.status === "Published") ?? false,
      to: `${at}/releases`,
      action: t`Open releases`,
    },
    {
      title: t`Issue your first license`,
      why: t`Choose a license model and a customer.`,
      isDone: overview.licenses > 0,
      to: "/licenses/new",
      action: t`Issue license`,
    },
    {
      title: t`Integrate the SDK`,
      why: t`A few lines of code with your keys filled in. Done when the first device appears.`,
      isDone: isUsed ?? false,
      to: at,
      action: t`Open snippet`,
    },
  ];
  return { steps, hide };
}
