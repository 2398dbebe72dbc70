import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { $api, at } from "../../api/client";
import { LICENSE_TYPES, type LicenseType } from "../../api/types";
import { MODEL_TRAITS } from "../../ui/models";
import { newIdempotencyKey } from "../../ui/useIdempotencyKey";
import { useOnlyProduct, usePolicy, useProduct } from "../../ui/useProduct";
import { forgetStored, store, stored, useStored } from "../../ui/useStored";
import { useUrlParams } from "../../ui/useUrlParams";
import { type Draft, draftUnder, EMPTY_DRAFT } from "./issueDraft";

/** An attempt to issue, which may have succeeded although its answer was lost. */
interface Attempt {
  key: string;
  /** The name of the license, which may otherwise be another one by the next try. */
  name: string;
}

/** A draft as the browser keeps it. */
interface Kept {
  /** When it was last changed. */
  at: string;
  draft: Draft;
  /** The last attempt to issue exactly this. */
  attempt?: Attempt | undefined;
}

export interface KeptDraft {
  /** What a new draft begins with. */
  fresh: Draft;
  /** What is there when the page is opened: the kept draft, or a new one. */
  start: Draft;
  /** When it was last changed, if it was already there when the page was opened. */
  at: string | null;
  /** Whether nothing was changed yet. */
  isFresh: (draft: Draft) => boolean;
  /** Keeps the draft as it is now. */
  keep: (draft: Draft) => void;
  /** Returns the attempt to issue the draft as it is now, also after a reload. */
  attempt: (draft: Draft, name: string) => Attempt;
  /** Forgets the draft, since it was issued. */
  done: () => void;
}

/** A draft that this browser keeps at `place`, but for the password; it begins as `fresh`. */
export function keptDraft(place: string, fresh: Draft): KeptDraft {
  const kept = stored<Kept | null>(place, null);
  const start = { ...fresh, ...kept?.draft };
  const begun = JSON.stringify(fresh);
  const isFresh = (draft: Draft) => JSON.stringify(draft) === begun;
  let latest = JSON.stringify(start);
  let attempt = kept?.attempt;
  const write = (draft: Draft) => {
    const value: Kept = {
      at: new Date().toISOString(),
      draft: { ...draft, password: "" },
      attempt,
    };
    if (isFresh(draft) && !attempt) forgetStored(place);
    else store(place, value);
  };
  return {
    fresh,
    start,
    at: kept?.at ?? null,
    isFresh,
    keep: (draft) => {
      const text = JSON.stringify(draft);
      if (text === latest) return;
      latest = text;
      attempt = undefined;
      write(draft);
    },
    attempt: (draft, name) => {
      attempt ??= { key: newIdempotencyKey(), name };
      write(draft);
      return attempt;
    },
    done: () => forgetStored(place),
  };
}

/** What was issued last from this browser. */
interface Choice {
  productId: string;
  policyId: string;
  type: LicenseType;
}

const NONE: Record<string, Choice> = {};

/** What was issued last, by institution and by product; it outlives the session. */
const useChoices = () => useStored("lastIssued", NONE);

/** Returns a function that remembers what was issued. */
export function useRememberIssued(institutionId: string) {
  const [choices, setChoices] = useChoices();
  return ({ productId, policyId, type }: Draft) => {
    if (!productId || !type) return;
    const choice = { productId, policyId, type };
    setChoices({ ...choices, [institutionId]: choice, [productId]: choice });
  };
}

/** Returns a function that gives the terms of the policy under which a product was issued last. */
export function useLastTerms() {
  const [choices] = useChoices();
  const queries = useQueryClient();
  return async (productId: string): Promise<Partial<Draft>> => {
    const policyId = choices[productId]?.policyId;
    if (!policyId) return {};
    const asked = $api.queryOptions("get", "/api/policies/{policyId}", at({ policyId }));
    try {
      return draftUnder(await queries.fetchQuery(asked));
    } catch {
      // It is gone, so the product begins without one.
      return {};
    }
  };
}

interface Given {
  productId: string | null;
  type: LicenseType | undefined;
  /** Empty if it names nobody. */
  issuedTo: string;
  /** Seats or balance; empty if it names none. */
  amount: string;
}

/** What the address asks for. */
export function useGiven(): Given {
  const { params } = useUrlParams();
  const [given] = useState<Given>(() => ({
    // One without a value names none.
    productId: params.get("productId") || null,
    type: LICENSE_TYPES.find((known) => known === params.get("type")),
    issuedTo: params.get("issuedTo") ?? "",
    amount: params.get("amount") ?? "",
  }));
  return given;
}

const choiceOf = (
  { productId, type }: Given,
  last: Choice | undefined,
  ofProduct: Choice | undefined,
) => ({
  productId: productId ?? last?.productId ?? null,
  type: type ?? ofProduct?.type ?? last?.type ?? null,
  policyId: type ? "" : (ofProduct?.policyId ?? ""),
});

/**
 * What a new draft begins with: what the address asks for, otherwise what was issued last, with the
 * terms that its policy has now, otherwise the only product there is. Null while that is loaded,
 * and the same from then on; what is gone is left out.
 */
export function useFreshDraft(institutionId: string, given: Given): Draft | null {
  const [choices] = useChoices();
  const [{ productId: chosen, type, policyId }] = useState(() => {
    const last = choices[institutionId];
    const isLast = given.productId === null || given.productId === last?.productId;
    return choiceOf(given, last, isLast ? last : choices[given.productId ?? ""]);
  });
  const only = useOnlyProduct(chosen === null);
  const productId = chosen ?? only ?? null;
  const product = useProduct(productId);
  const policy = usePolicy(policyId);
  const [begun, setBegun] = useState<Draft | null>(null);
  // What is gone is asked for again by each field that shows it, and is loading then.
  if (begun) return begun;
  if (only === undefined || product.isLoading || policy.isLoading) return null;
  // The address may name a product that is gone; the field says so.
  const isThere = product.data !== undefined || given.productId !== null;
  const fresh: Draft = {
    ...EMPTY_DRAFT,
    type,
    issuedTo: given.issuedTo,
    ...(type && MODEL_TRAITS[type].seats && { maxActiveUsersCount: given.amount }),
    ...(type && MODEL_TRAITS[type].meter && { initialMeterBalance: given.amount }),
    productId: isThere ? productId : null,
    ...(isThere && policy.data && draftUnder(policy.data)),
  };
  setBegun(fresh);
  return fresh;
}
