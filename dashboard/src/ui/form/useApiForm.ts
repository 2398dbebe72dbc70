import { t } from "@lingui/core/macro";
import { useState, type SyntheticEvent } from "react";
import {
  get,
  useForm,
  type Control,
  type FieldValues,
  type Path,
  type UseFormReset,
  type UseFormReturn,
} from "react-hook-form";
import { Problem } from "../../api/problem";
import type { Check, Checks } from "./check";

/** What a field needs of its form. */
export interface FieldProps<Values extends FieldValues, Name extends Path<Values>> {
  name: Name;
  control: Control<Values>;
  /** What the server demands of it. */
  check: Check | undefined;
}

export interface ApiForm<Values extends FieldValues> extends UseFormReturn<Values> {
  /** What the field of that name needs: `<FormField {...form.field("email")} />`. */
  field: <Name extends Path<Values>>(name: Name) => FieldProps<Values, Name>;
  /** Sends what is filled in, unless something is wrong with it; returns whether it was sent. */
  submit: (event: SyntheticEvent) => Promise<boolean>;
  /** The error of the last attempt; null before it and after success. */
  error: unknown;
  /** Whether a field shows what the server found wrong with it. */
  isShown: (field: string) => boolean;
}

interface ApiFormOptions<Values extends FieldValues> {
  /** What the fields begin with. If it changes later, fields that nobody has touched follow. */
  values: Values;
  /** What the server demands, from `api/checks.ts`. */
  checks?: Checks;
  send: (values: Values) => Promise<unknown>;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The messages of the server by the field that shows them; those of lines belong to their field. */
function messagesOf({ fields }: Problem, isField: (name: string) => boolean) {
  const found = new Map<string, string[]>();
  for (const { field, message } of fields) {
    const [, whole = field, line] = /^(.*)\[(\d+)\]$/.exec(field) ?? [];
    const isOfLine = !isField(field) && line !== undefined;
    const name = isOfLine ? whole : field;
    const text = isOfLine ? t`Line ${{ line: Number(line) + 1 }} ${message}` : sentence(message);
    if (isField(name)) found.set(name, [...(found.get(name) ?? []), text]);
  }
  return found;
}

/**
 * A form whose fields are those of a request. Fields are checked when they are left, and again
 * before it is sent; what the server refuses is shown at its field, which gets the focus. What was
 * sent is what later changes are compared with.
 */
export function useApiForm<Values extends FieldValues>(
  options: ApiFormOptions<Values>,
): ApiForm<Values> {
  const { values, checks = {}, send } = options;
  const form = useForm<Values>({
    values,
    mode: "onTouched",
    resetOptions: { keepDirtyValues: true },
  });
  const [error, setError] = useState<unknown>(null);
  const { isSubmitting } = form.formState;
  // Otherwise what somebody has changed would stay, as it does when `values` change.
  const reset: UseFormReset<Values> = (given, options) => {
    form.reset(given, { keepDirtyValues: false, ...options });
  };
  const isField = (name: string) => "_f" in Object(get(form.control._fields, name));
  const show = (problem: Problem) => {
    let isFirst = true;
    for (const [name, messages] of messagesOf(problem, isField)) {
      const message = messages.join(" ");
      form.setError(name as Path<Values>, { type: "server", message }, { shouldFocus: isFirst });
      isFirst = false;
    }
  };
  const attempt = async (given: Values): Promise<boolean> => {
    try {
      await send(given);
    } catch (thrown) {
      setError(thrown);
      if (thrown instanceof Problem) show(thrown);
      return false;
    }
    reset(given);
    return true;
  };
  return {
    ...form,
    reset,
    field: (name) => ({ name, control: form.control, check: checks[name] }),
    submit: async (event) => {
      event.preventDefault();
      // Events of a dialog bubble to the form it was opened from.
      event.stopPropagation();
      if (isSubmitting) return false;
      setError(null);
      form.clearErrors();
      let isSent = false;
      await form.handleSubmit(async (given) => {
        isSent = await attempt(given as Values);
      })();
      return isSent;
    },
    error,
    isShown: (field) => isField(field) || isField(field.replace(/\[\d+\]$/, "")),
  };
}
