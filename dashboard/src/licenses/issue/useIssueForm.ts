import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useWatch } from "react-hook-form";
import { IssueLicenseRequest } from "../../api/checks";
import { textOrNull } from "../../api/fields";
import { $api, api, at } from "../../api/client";
import { Problem } from "../../api/problem";
import type { License, Schemas } from "../../api/types";
import { useApiForm, type ApiForm } from "../../ui/form/useApiForm";
import { useFeatures } from "../../ui/featureValues";
import { useInstitution } from "../../ui/useInstitution";
import { useProduct } from "../../ui/useProduct";
import { errorsOf, type Known } from "./checks";
import { bodyOf, countOf, type Draft, nameOf } from "./issueDraft";
import type { KeptDraft } from "./keptDraft";
import { givenName, useCustomerAt } from "./useCustomers";

/** What the fields of the page share. */
export interface IssueForm extends Known, ApiForm<Draft> {
  /** What was typed and chosen so far. */
  draft: Draft;
  /** Fills in several fields, of which none is wrong then. */
  fill: (fields: Partial<Draft>) => void;
  features: readonly Schemas["Feature"][];
  /** Whether the product mails its licenses unless it is told otherwise. */
  isAutomatic: boolean;
  /** The customer with the address; null for a new one, undefined until that is known. */
  customer: Schemas["Customer"] | null | undefined;
  /** What the customer is called, if they have a name or get one. */
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

/**
 * Creates a customer under the name that was typed, before the license creates them without one.
 * What is wrong with the address is said by the license, at its field.
 */
async function createCustomer(
  institutionId: string,
  { issuedTo, customerName, company }: Draft,
): Promise<void> {
  const email = issuedTo.trim();
  const name = customerName.trim() || email;
  const body = { institutionId, email, name, company: textOrNull(company) };
  try {
    await api.POST("/api/customers", { body });
  } catch (error) {
    const isKnownByNow = error instanceof Problem && error.code === "Conflict";
    const isWrong = error instanceof Problem && error.code === "InvalidRequest";
    if (!isKnownByNow && !isWrong) throw error;
  }
}

/** What was issued: one license, or the keys of several. */
export type IssuedLicenses = License | readonly Schemas["IssuedKey"][];

/** The form that issues licenses; what is filled in is kept. */
export function useIssueForm(
  kept: KeptDraft,
  onIssued: (issued: IssuedLicenses, draft: Draft) => void,
): IssueForm {
  const queries = useQueryClient();
  const { institutionId } = useInstitution();
  const issue = async (given: Draft) => {
    const { key, name } = kept.attempt(given, nameOf(given, customerName));
    const params = { header: { "Idempotency-Key": key } };
    const body = bodyOf(given, name, known.kinds);
    const count = countOf(given);
    const isNamed = given.customerName.trim() !== "" || given.company.trim() !== "";
    if (customer === null && isNamed && institutionId) await createCustomer(institutionId, given);
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
  const customer = useCustomerAt(draft.issuedTo);
  const customerName = customer ? givenName(customer) : draft.customerName.trim() || undefined;
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
    customer,
    customerName,
    fill: (fields) => {
      setValues(fields, { shouldDirty: true });
      clearErrors(Object.keys(fields) as (keyof Draft)[]);
    },
  };
}
