import { t } from "@lingui/core/macro";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import {
  get,
  useForm,
  type Control,
  type Field,
  type FieldValues,
  type Path,
  type UseFormReturn,
} from "react-hook-form";
import { Problem } from "../../api/problem";
import { useNotifyChanged } from "../useNotifyChanged";
import type { Check, Checks } from "./check";

/** What a field needs of its form. */
export interface FieldProps<Values extends FieldValues, Name extends Path<Values>> {
  name: Name;
  control: Control<Values>;
  /** What the server demands of it. */
  check: Check | undefined;
  /** What the form as a whole finds wrong with it. */
  rule?: (values: Values) => string | undefined;
}

export interface ApiForm<Values extends FieldValues> extends UseFormReturn<Values> {
  /** What the field of that name needs: `<FormField {...form.field("email")} />`. */
  field: <Name extends Path<Values>>(name: Name) => FieldProps<Values, Name>;
  /** Sends what is filled in, unless something is wrong with it; returns whether it was sent. */
  submit: (event: SyntheticEvent) => Promise<boolean>;
  /** The error of the last attempt; null before it and after success. */
  error: unknown;
  /** Says nothing more of that error. */
  forgetError: () => void;
  /** Whether a field shows what the server found wrong with it. */
  isShown: (field: string) => boolean;
}

interface ApiFormOptions<Values extends FieldValues, Sent> {
  /** What the fields begin with. If it changes later, fields that nobody has touched follow. */
  values: Values;
  /** What the server demands, from `api/checks.ts`. */
  checks?: Checks;
  /**
   * What this form demands beyond the server, such as one field because of another: what is wrong
   * with the values, by the names of fields. Asked when a field is left, and before it is sent.
   */
  validate?: (values: Values) => Readonly<Partial<Record<string, string>>>;
  send: (values: Values) => Promise<Sent>;
  /** A toast for when it was sent; what the page shows is then fetched again. */
  done?: string | ((values: Values, sent: Sent) => string);
  /** Takes back what was sent, from the toast. */
  undo?: () => Promise<unknown>;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

type IsField = (name: string) => boolean;

/**
 * The field that shows what the server says of `name`, and in which words. A line ("addresses[2]")
 * and an entry ("metadata.region") belong to the field that has them.
 */
function shownAt(
  name: string,
  message: string,
  isField: IsField,
): readonly [string, string] | null {
  if (isField(name)) return [name, sentence(message)];
  const [, list = "", line] = /^(.+)\[(\d+)\]$/.exec(name) ?? [];
  if (isField(list)) return [list, t`Line ${{ line: Number(line) + 1 }} ${message}`];
  const [, object = "", entry = ""] = /^([^.]+)\.(.+)$/.exec(name) ?? [];
  return isField(object) ? [object, `${entry}: ${message}`] : null;
}

/** The messages of the server by the field that shows them. */
function messagesOf({ fields }: Problem, isField: IsField) {
  const found = new Map<string, string[]>();
  for (const { field, message } of fields) {
    const [name, text] = shownAt(field, message, isField) ?? [];
    if (name !== undefined && text !== undefined)
      found.set(name, [...(found.get(name) ?? []), text]);
  }
  return found;
}

/**
 * Gives the focus to the first field that is wrong (`aria-invalid`), in the order of the page: one
 * that came later may stand before others. Returns what takes the form that is sent.
 */
function useFocusOnWrong(submitCount: number) {
  const sent = useRef<HTMLElement>(null);
  useEffect(() => {
    sent.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [submitCount]);
  return (form: EventTarget) => {
    if (form instanceof HTMLElement) sent.current = form;
  };
}

/**
 * A form whose fields are those of a request. Fields are checked when they are left, and again
 * before it is sent; what the server refuses is shown at its field, which gets the focus. What was
 * sent is what later changes are compared with.
 */
export function useApiForm<Values extends FieldValues, Sent = unknown>(
  options: ApiFormOptions<Values, Sent>,
): ApiForm<Values> {
  const { values, checks = {}, validate, send, done, undo } = options;
  const notifyChanged = useNotifyChanged();
  const form = useForm<Values>({
    values,
    mode: "onTouched",
    shouldFocusError: false,
    resetOptions: { keepDirtyValues: true },
  });
  const [error, setError] = useState<unknown>(null);
  const { isSubmitting, submitCount } = form.formState;
  const watchOver = useFocusOnWrong(submitCount);
  // Unlike values that follow, what it is reset to also replaces what somebody typed.
  const reset: typeof form.reset = (given, kept) =>
    form.reset(given, { keepDirtyValues: false, keepFieldsRef: true, ...kept });
  const isField = (name: string) =>
    (get(form.control._fields, name) as Partial<Field> | undefined)?._f?.mount === true;
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
      const sent = await send(given);
      if (done !== undefined)
        notifyChanged(typeof done === "string" ? done : done(given, sent), undo);
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
    field: (name) => ({
      name,
      control: form.control,
      check: checks[name],
      ...(validate && { rule: (given: Values) => validate(given)[name] }),
    }),
    submit: async (event) => {
      event.preventDefault();
      // Events of a dialog bubble to the form it was opened from.
      event.stopPropagation();
      if (isSubmitting) return false;
      watchOver(event.currentTarget);
      setError(null);
      form.clearErrors();
      let isSent = false;
      await form.handleSubmit(async (given) => {
        isSent = await attempt(given as Values);
      })();
      return isSent;
    },
    error,
    forgetError: () => setError(null),
    isShown: (field) => shownAt(field, "", isField) !== null,
  };
}
