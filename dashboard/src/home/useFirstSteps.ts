import { useStore } from "ra-core";
import { $api } from "../api/client";
import type { FirstStep } from "../ui/FirstSteps";
import { useOverview } from "./useOverview";

/** What a new institution does first; undefined while it is asked for, and once it is hidden. */
export function useFirstSteps(institutionId: string) {
  const [hidden, setHidden] = useStore<string[]>("firstStepsHidden", []);
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
  const hide = () => {
    setHidden([...hidden, institutionId]);
  };
  if (isHidden || !overview || !products || (product && !releases)) return { hide };
  const at = product ? `/products/${product.id}` : "/products/new";
  const steps: FirstStep[] = [
    {
      title: "Create a product",
      why: "What you sell. Its first release is made with it.",
      isDone: product !== undefined,
      to: "/products/new",
      action: "New product",
    },
    {
      title: "Generate its RSA keys",
      why: "The private key signs licenses here; your application verifies them with the public one.",
      isDone: product?.hasKeys ?? false,
      to: `${at}/keys`,
      action: "Open keys",
    },
    {
      title: "Publish a release",
      why: "Licenses are issued for a release that is published.",
      isDone: releases?.some((release) => release.status === "Published") ?? false,
      to: `${at}/releases`,
      action: "Open releases",
    },
    {
      title: "Issue a first license",
      why: "Choose a model, and whom it is for.",
      isDone: overview.licenses > 0,
      to: "/licenses/new",
      action: "Issue license",
    },
    {
      title: "Ask for it in your application",
      why: "A few lines with the SDK, filled in with your keys. Done when the first device comes.",
      isDone: isUsed ?? false,
      to: at,
      action: "Open the snippet",
    },
  ];
  return { steps, hide };
}
