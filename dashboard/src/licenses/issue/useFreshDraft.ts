import { useState } from "react";
import { LICENSE_TYPES, type LicenseType } from "../../api/types";
import { useOnlyProduct, usePolicy, useProduct } from "../../ui/useProduct";
import { useStored } from "../../ui/useStored";
import { useUrlParams } from "../../ui/useUrlParams";
import { draftUnder, EMPTY_DRAFT, type Draft } from "./issueDraft";

/** What was issued last from this browser. */
interface Choice {
  productId: string;
  policyId: string;
  type: LicenseType;
}

const NONE: Record<string, Choice> = {};

/** What was issued last, by institution; it outlives the session. */
export function useLastIssued(institutionId: string) {
  const [choices, setChoices] = useStored("lastIssued", NONE);
  const remember = ({ productId, policyId, type }: Draft) => {
    if (productId && type)
      setChoices({ ...choices, [institutionId]: { productId, policyId, type } });
  };
  return { last: choices[institutionId], remember };
}

interface Given {
  productId: string | null;
  type: LicenseType | undefined;
  /** Empty if it names nobody. */
  issuedTo: string;
}

/** What the address asks for. */
export function useGiven(): Given {
  const { params } = useUrlParams();
  const [given] = useState<Given>(() => ({
    productId: params.get("productId"),
    type: LICENSE_TYPES.find((known) => known === params.get("type")),
    issuedTo: params.get("issuedTo") ?? "",
  }));
  return given;
}

const choiceOf = ({ productId, type }: Given, last: Choice | undefined) => {
  const isSame = productId === null || productId === last?.productId;
  return {
    productId: productId ?? last?.productId ?? null,
    type: type ?? last?.type ?? null,
    policyId: isSame && !type ? (last?.policyId ?? "") : "",
  };
};

/**
 * What a new draft begins with: what the address asks for, otherwise what was issued last, with the
 * terms that its policy has now, otherwise the only product there is. Null while that is loaded;
 * what is gone is left out.
 */
export function useFreshDraft(institutionId: string, given: Given): Draft | null {
  const { last } = useLastIssued(institutionId);
  const [{ productId: chosen, type, policyId }] = useState(() => choiceOf(given, last));
  const only = useOnlyProduct(chosen === null);
  const productId = chosen ?? only ?? null;
  const product = useProduct(productId);
  const policy = usePolicy(policyId);
  if (only === undefined || product.isLoading || policy.isLoading) return null;
  // The address may name a product that is gone; the field says so.
  const isThere = product.data !== undefined || given.productId !== null;
  return {
    ...EMPTY_DRAFT,
    type,
    issuedTo: given.issuedTo,
    productId: isThere ? productId : null,
    ...(isThere && policy.data && draftUnder(policy.data)),
  };
}
