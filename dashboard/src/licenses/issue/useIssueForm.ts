import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { $api, api } from "../../api/client";
import { Problem } from "../../api/problem";
import type { License, Schemas } from "../../api/types";
import { useFeatures } from "../../ui/useFeatures";
import { useProduct } from "../../ui/useProduct";
import { errorOnLeaving, errorsOf, type Errors, type Known } from "./checks";
import { bodyOf, type Draft } from "./issueDraft";
import type { KeptDraft } from "./useDraft";

/** What the fields of the page share. */
export interface IssueForm extends Known {
  draft: Draft;
  /** Changes fields and clears their errors. */
  set: (fields: Partial<Draft>) => void;
  errors: Errors;
  /** Checks a field, since it was left. */
  leave: (name: keyof Draft) => void;
  features: readonly Schemas["Feature"][];
  /** Whether the product mails its licenses unless it is told otherwise. */
  isAutomatic: boolean;
}

const sentence = (message: string) => message.charAt(0).toUpperCase() + message.slice(1);

const fieldErrors = ({ fields }: Problem): Errors =>
  Object.fromEntries(fields.map(({ field, message }) => [field, sentence(message)]));

/** Whether the product mails its licenses when they are issued. */
function useIsAutomatic(productId: string | null): boolean {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/mail-templates/{kind}",
    { params: { path: { productId: productId ?? "", kind: "issued" } } },
    { enabled: productId !== null, staleTime: 30_000 },
  );
  return data?.effective.automatic ?? false;
}

/** The draft with its errors, and what issues it. */
export function useIssueForm(kept: KeptDraft) {
  const { draft } = kept;
  const [errors, setErrors] = useState<Errors>({});
  const { data: product } = useProduct(draft.productId);
  const { data: features = [] } = useFeatures(draft.productId);
  const isAutomatic = useIsAutomatic(draft.productId);
  const queries = useQueryClient();
  const known: Known = { product, kinds: new Map(features.map(({ name, kind }) => [name, kind])) };
  const form: IssueForm = {
    ...known,
    draft,
    features,
    isAutomatic,
    errors,
    set: (fields) => {
      kept.change(fields);
      setErrors((before) =>
        Object.fromEntries(
          Object.entries(before).filter(([field]) => !((field.split(".")[0] ?? "") in fields)),
        ),
      );
    },
    leave: (name) => {
      const error = errorOnLeaving(name, draft, known);
      if (error) setErrors((before) => ({ ...before, [name]: error }));
    },
  };
  /** Checks the whole draft; returns whether it can be issued. */
  const check = (): boolean => {
    const found = errorsOf(draft, known);
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  /** Issues the license. Shows what the server finds wrong at its fields, and rethrows the error. */
  const issue = async (): Promise<License | undefined> => {
    try {
      const { data } = await api.POST("/api/licenses", {
        params: { header: { "Idempotency-Key": kept.attempt() } },
        body: bodyOf(draft, product, known.kinds),
      });
      kept.done();
      void queries.invalidateQueries({ queryKey: ["get"] });
      return data;
    } catch (error) {
      if (error instanceof Problem) setErrors(fieldErrors(error));
      throw error;
    }
  };
  const clear = () => {
    setErrors({});
  };
  return { form, check, issue, clear };
}
