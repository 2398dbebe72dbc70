import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useWatch } from "react-hook-form";
import { IssueLicenseRequest } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import type { License, Schemas } from "../../api/types";
import { useApiForm, type ApiForm } from "../../ui/form/useApiForm";
import { useFeatures } from "../../ui/featureValues";
import { useProduct } from "../../ui/useProduct";
import { errorsOf, type Known } from "./checks";
import { bodyOf, countOf, type Draft, nameOf } from "./issueDraft";
import type { KeptDraft } from "./keptDraft";
import { useCustomerName } from "./useCustomers";

/** What the fields of the page share. */
export interface IssueForm extends Known, ApiForm<Draft> {
  /** What was typed and chosen so far. */
  draft: Draft;
  /** Fills in several fields, of which none is wrong then. */
  fill: (fields: Partial<Draft>) => void;
  features: readonly Schemas["Feature"][];
  /** Whether the product mails its licenses unless it is told otherwise. */
  isAutomatic: boolean;
  /** The name of the customer, if the address is that of a known one. */
  customerName: string | undefined;
}

/** Whether the product mails its licenses when they are issued. */
function useIsAutomatic(productId: string | null): boolean {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/mail-templates/{kind}",
    at({ productId: productId ?? "", kind: "issued" }),
    { enabled: productId !== null, staleTime: 30_000 },
  );
  return data?.effective.automatic ?? false;
}

/** What was issued: one license, or the keys of several. */
export type IssuedLicenses = License | readonly Schemas["IssuedKey"][];

/** The form that issues licenses; what is filled in is kept. */
export function useIssueForm(
  kept: KeptDraft,
  onIssued: (issued: IssuedLicenses, draft: Draft) => void,
): IssueForm {
  const queries = useQueryClient();
  const issue = async (given: Draft) => {
    const { key, name } = kept.attempt(given, nameOf(given, customerName));
    const params = { header: { "Idempotency-Key": key } };
    const body = bodyOf(given, name, known.kinds);
    const count = countOf(given);
    const data =
      count === 1
        ? (await api.POST("/api/licenses", { params, body })).data
        : (await api.POST("/api/licenses/batch", { params, body: { ...body, count } })).data
            ?.licenses;
    kept.done();
    void queries.invalidateQueries({ queryKey: ["get"] });
    if (data) onIssued(data, given);
  };
  const form = useApiForm<Draft>({
    values: kept.start,
    checks: IssueLicenseRequest,
    validate: (given) => errorsOf(given, known),
    send: issue,
  });
  const { control, subscribe, setValues, clearErrors } = form;
  const draft = useWatch({ control }) as Draft;
  const { data: product } = useProduct(draft.productId);
  const { data: features = [] } = useFeatures(draft.productId);
  const isAutomatic = useIsAutomatic(draft.productId);
  const customerName = useCustomerName(draft.issuedTo);
  const known: Known = { product, kinds: new Map(features.map(({ name, kind }) => [name, kind])) };
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => kept.keep(values),
      }),
    [subscribe, kept],
  );
  return {
    ...form,
    ...known,
    draft,
    features,
    isAutomatic,
    customerName,
    fill: (fields) => {
      setValues(fields, { shouldDirty: true });
      clearErrors(Object.keys(fields) as (keyof Draft)[]);
    },
  };
}
