import type { FormEvent } from "react";
import { asProblem, type Problem } from "../api/problem";
import { useSubmission } from "./useSubmission";

export type Given = Record<string, string>;

interface Submit {
  busy: boolean;
  /** The error of the last submission, until the user types. */
  problem: Problem | null;
  /** Props for the `form` element. */
  form: { onSubmit: (event: FormEvent<HTMLFormElement>) => void; onChange: () => void };
  /** Props for a field, by its API name, with its error message. */
  field: (name: string) => { name: string; error?: boolean; helperText?: string };
}

/** Submits the fields of a form; after an error, focuses the first invalid field. */
export function useSubmit(send: (given: Given) => Promise<unknown>): Submit {
  const { attempt, run, clearError } = useSubmission();
  const problem = attempt.error === null ? null : asProblem(attempt.error);
  const submit = async (form: HTMLFormElement) => {
    await send(Object.fromEntries(new FormData(form)) as Given).catch((error: unknown) => {
      const bad = asProblem(error).fields.find((item) => form.elements.namedItem(item.field));
      const input = bad && form.elements.namedItem(bad.field);
      if (input instanceof HTMLElement) input.focus();
      throw error;
    });
  };
  return {
    busy: attempt.busy,
    problem,
    form: {
      onSubmit: (event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void run(() => submit(form));
      },
      onChange: clearError,
    },
    field: (name) => {
      const message = problem?.fields.find((item) => item.field === name)?.message;
      return message ? { name, error: true, helperText: sentence(message) } : { name };
    },
  };
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
