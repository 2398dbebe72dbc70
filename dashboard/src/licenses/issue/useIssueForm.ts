import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import { Problem } from "../../api/problem";
import type { License, Product } from "../../api/types";
import { useProduct } from "../../ui/useProduct";
import { bodyOf, EMPTY_DRAFT, type Draft, type Errors } from "./issueDraft";

/** State of the issue wizard. */
export interface IssueForm {
  draft: Draft;
  /** Changes fields and clears their errors. */
  set: (change: Partial<Draft>) => void;
  errors: Errors;
  setErrors: (errors: Errors) => void;
  /** Undefined until chosen and loaded. */
  product: Product | undefined;
  isDirty: boolean;
}

/** Identifies one attempt to issue, so that a double click or a retry issues once. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

const sentence = (message: string) => message.charAt(0).toUpperCase() + message.slice(1);

export function useIssueForm(given: Partial<Draft>) {
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, ...given });
  const [begun, setBegun] = useState(draft);
  const [errors, setErrors] = useState<Errors>({});
  const [issued, setIssued] = useState<License | null>(null);
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const { data: product } = useProduct(draft.productId);
  const queries = useQueryClient();
  const form: IssueForm = {
    draft,
    set: (change) => {
      setDraft((before) => ({ ...before, ...change }));
      setErrors((before) =>
        Object.fromEntries(
          Object.entries(before).filter(([field]) => !((field.split(".")[0] ?? "") in change)),
        ),
      );
    },
    errors,
    setErrors,
    product,
    isDirty: issued === null && JSON.stringify(draft) !== JSON.stringify(begun),
  };
  /** Issues the license and returns it. Keeps field errors of the server and rethrows the error. */
  const issue = async (): Promise<License | undefined> => {
    try {
      const { data } = await api.POST("/api/licenses", {
        params: { header: { "Idempotency-Key": idempotencyKey } },
        body: bodyOf(draft),
      });
      if (data) setIssued(data);
      void queries.invalidateQueries({ queryKey: ["get"] });
      return data;
    } catch (error) {
      if (error instanceof Problem)
        setErrors(
          Object.fromEntries(error.fields.map(({ field, message }) => [field, sentence(message)])),
        );
      throw error;
    }
  };
  /** Starts over with the same terms for another license. */
  const another = () => {
    const next: Draft = { ...draft, licenseKey: "", username: "", password: "" };
    setDraft(next);
    setBegun(next);
    setIdempotencyKey(newIdempotencyKey());
    setIssued(null);
  };
  return { form, issued, issue, another };
}
