import type { Schemas } from "../../api/types";
import { MODEL_TRAITS } from "../../ui/models";
import { useOnlyProduct, usePolicies, usePolicy } from "./policies";
import type { SaleMatch, SaleRule } from "./rule";

type Policy = Schemas["Policy"];

/** What the dialog holds; null is not chosen yet, and follows from the rest. */
export interface RuleDraft {
  product: string;
  price: string;
  givesLicense: boolean;
  productId: string | null;
  policyId: string | null;
  quantityAs: SaleRule["quantityAs"] | null;
}

export const draftOf = (rule: SaleRule | undefined, sold: SaleMatch | undefined): RuleDraft => ({
  product: (rule?.match ?? sold)?.product ?? "",
  price: (rule?.match ?? sold)?.price ?? "",
  givesLicense: rule === undefined || rule.policyId !== null,
  productId: null,
  policyId: rule?.policyId ?? null,
  quantityAs: rule?.quantityAs ?? null,
});

/** What follows from a draft: what there is to choose, and the rule. */
export interface WorkedOut {
  productId: string | null;
  /** Undefined while loading. */
  policies: Policy[] | undefined;
  policy: Policy | undefined;
  /** What several become; null if the policy leaves no choice. */
  quantityAs: SaleRule["quantityAs"] | null;
  /** Null while a policy has to be chosen. */
  rule: SaleRule | null;
}

const textOrNull = (text: string) => text.trim() || null;

/** Seats are what is sold where the policy does not say how many a license has. */
const usualMeaning = (policy: Policy): SaleRule["quantityAs"] =>
  policy.maxActiveUsersCount === null ? "Seats" : "Licenses";

/** Works out a draft: the only product and the only policy are chosen by themselves. */
export function useWorkedOut(draft: RuleDraft, institutionId: string): WorkedOut {
  const stored = usePolicy(draft.policyId);
  const only = useOnlyProduct(institutionId);
  const productId = draft.productId ?? stored.data?.productId ?? only;
  const policies = usePolicies(productId).data?.items;
  const chosen = policies?.find(({ id }) => id === draft.policyId);
  const policy = chosen ?? (policies?.length === 1 ? policies[0] : undefined);
  const hasSeats = policy !== undefined && MODEL_TRAITS[policy.type].seats !== null;
  const quantityAs = hasSeats ? (draft.quantityAs ?? usualMeaning(policy)) : null;
  const match = { product: textOrNull(draft.product), price: textOrNull(draft.price) };
  const isChosen = !draft.givesLicense || policy !== undefined;
  return {
    productId,
    policies,
    policy,
    quantityAs,
    rule: isChosen
      ? {
          match,
          policyId: draft.givesLicense ? (policy?.id ?? null) : null,
          quantityAs: (draft.givesLicense && quantityAs) || "Licenses",
        }
      : null,
  };
}
