import { useWatch, type Control } from "react-hook-form";
import type { Schemas } from "../../api/types";
import { MODEL_TRAITS } from "../../ui/models";
import { useOnlyProduct, usePolicies, usePolicy } from "./policies";
import type { SaleMatch, SaleRule } from "./rule";

type Policy = Schemas["Policy"];

/** What the dialog holds; what is empty is not chosen yet, and follows from the rest. */
export interface RuleDraft {
  match: { product: string; price: string };
  gives: "license" | "nothing";
  productId: string;
  policyId: string;
  quantityAs: SaleRule["quantityAs"] | "";
}

export const draftOf = (rule: SaleRule | undefined, sold: SaleMatch | undefined): RuleDraft => ({
  match: {
    product: (rule?.match ?? sold)?.product ?? "",
    price: (rule?.match ?? sold)?.price ?? "",
  },
  gives: rule !== undefined && rule.policyId === null ? "nothing" : "license",
  productId: "",
  policyId: rule?.policyId ?? "",
  quantityAs: rule?.quantityAs ?? "",
});

/** What follows from a draft: what there is to choose, and what is chosen. */
export interface WorkedOut {
  productId: string | null;
  /** Undefined while loading. */
  policies: Policy[] | undefined;
  policy: Policy | undefined;
  /** What several become; null if the policy leaves no choice. */
  quantityAs: SaleRule["quantityAs"] | null;
}

const textOrNull = (text: string) => text.trim() || null;

export const matchOf = ({ product, price }: RuleDraft["match"]): SaleMatch => ({
  product: textOrNull(product),
  price: textOrNull(price),
});

/** The rule; null while a policy has to be chosen. */
export function ruleOf({ match, gives }: RuleDraft, worked: WorkedOut): SaleRule | null {
  if (gives === "nothing") return { match: matchOf(match), policyId: null, quantityAs: "Licenses" };
  const { policy, quantityAs } = worked;
  return policy
    ? { match: matchOf(match), policyId: policy.id, quantityAs: quantityAs ?? "Licenses" }
    : null;
}

/** Seats are what is sold where the policy does not say how many a license has. */
const usualMeaning = (policy: Policy): SaleRule["quantityAs"] =>
  policy.maxActiveUsersCount === null ? "Seats" : "Licenses";

/** Works out a draft: the only product and the only policy are chosen by themselves. */
export function useWorkedOut(control: Control<RuleDraft>, institutionId: string): WorkedOut {
  const [productGiven, policyGiven, quantityGiven] = useWatch({
    control,
    name: ["productId", "policyId", "quantityAs"],
  });
  const stored = usePolicy(policyGiven || null);
  const only = useOnlyProduct(institutionId);
  const productId = productGiven || (stored.data?.productId ?? only);
  const policies = usePolicies(productId).data?.items;
  const chosen = policies?.find(({ id }) => id === policyGiven);
  const policy = chosen ?? (policies?.length === 1 ? policies[0] : undefined);
  const hasSeats = policy !== undefined && MODEL_TRAITS[policy.type].seats !== null;
  const quantityAs = hasSeats ? quantityGiven || usualMeaning(policy) : null;
  return { productId, policies, policy, quantityAs };
}
