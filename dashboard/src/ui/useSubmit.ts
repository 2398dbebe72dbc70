import { useState, type FormEvent } from "react";
import { asProblem, type Problem } from "../api/problem";

export type Given = Record<string, string>;

interface Submit {
  busy: boolean;
  /** The refusal of the last try, until something is typed. */
  problem: Problem | null;
  /** For the `form` element. */
  form: { onSubmit: (event: FormEvent<HTMLFormElement>) => void; onChange: () => void };
  /** What a field with this name of the wire shows of the refusal. */
  field: (name: string) => { name: string; error?: boolean; helperText?: string };
}

/** Sends the fields of a form, once at a time; whoever was refused stands at the first bad field. */
export function useSubmit(send: (given: Given) => Promise<unknown>): Submit {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (form: HTMLFormElement) => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await send(Object.fromEntries(new FormData(form)) as Given);
    } catch (refusal) {
      const refused = asProblem(refusal);
      setProblem(refused);
      const bad = refused.fields.find((item) => form.elements.namedItem(item.field));
      const input = bad && form.elements.namedItem(bad.field);
      if (input instanceof HTMLElement) input.focus();
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    problem,
    form: {
      onSubmit: (event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      },
      onChange: () => {
        setProblem(null);
      },
    },
    field: (name) => {
      const message = problem?.fields.find((item) => item.field === name)?.message;
      return message ? { name, error: true, helperText: sentence(message) } : { name };
    },
  };
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
