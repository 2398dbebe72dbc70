import { useCallback, useRef, useState, type FocusEvent, type FormEvent } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface Faults {
  /** What the browser finds wrong, by the name of the field. */
  faults: Readonly<Record<string, string>>;
  /** Takes a field that shows its fault; returns what lets it go. */
  register: (name: string) => () => void;
  /** Says nothing more of a field, since it changes. */
  forget: (name: string) => void;
  /** For the form. */
  handlers: {
    onBlur: (event: FocusEvent) => void;
    onInvalidCapture: (event: FormEvent) => void;
  };
}

const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Gives the focus to the first field that is wrong; that of a select is beside its hidden input. */
function focusFirst(form: HTMLFormElement): void {
  const first = [...form.elements].find((one) => isField(one) && !one.validity.valid);
  const shown = first?.matches("[aria-hidden]")
    ? first.parentElement?.querySelector<HTMLElement>("[role=combobox]")
    : first;
  if (shown instanceof HTMLElement) shown.focus();
}

/** The browser's checks of a form, told by its fields instead of a bubble. */
export function useFaults(): Faults {
  const [faults, setFaults] = useState<Record<string, string>>({});
  const fields = useRef(new Set<string>());
  const register = useCallback((name: string) => {
    const names = fields.current;
    names.add(name);
    return () => {
      names.delete(name);
    };
  }, []);
  const put = (name: string, fault: string) => {
    setFaults((now) => ((now[name] ?? "") === fault ? now : { ...now, [name]: fault }));
  };
  return {
    faults,
    register,
    forget: (name) => {
      put(name, "");
    },
    handlers: {
      onBlur: ({ target }) => {
        // A field that is still empty is no mistake yet.
        if (isField(target) && target.value !== "" && fields.current.has(target.name))
          put(target.name, target.validationMessage);
      },
      onInvalidCapture: (event) => {
        const { target, currentTarget } = event;
        if (!isField(target) || !fields.current.has(target.name)) return;
        event.preventDefault();
        put(target.name, target.validationMessage);
        if (currentTarget instanceof HTMLFormElement) focusFirst(currentTarget);
      },
    },
  };
}
