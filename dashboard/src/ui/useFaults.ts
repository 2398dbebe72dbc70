import { useCallback, useState, type FocusEvent, type FormEvent } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface Faults {
  /** What the browser finds wrong, by the name of the field. */
  faults: Readonly<Record<string, string>>;
  /** Takes a field that shows its fault; returns what lets it go. */
  register: (name: string) => () => void;
  /** Whether a field of that name shows its fault. */
  isShown: (name: string) => boolean;
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

/** The names of fields, which register once they are there. */
function namesShown() {
  const names = new Set<string>();
  return {
    add: (name: string) => {
      names.add(name);
    },
    remove: (name: string) => {
      names.delete(name);
    },
    has: (name: string) => names.has(name),
  };
}

/** The browser's checks of a form, told by its fields instead of a bubble. */
export function useFaults(): Faults {
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [names] = useState(namesShown);
  const register = useCallback(
    (name: string) => {
      names.add(name);
      return () => {
        names.remove(name);
      };
    },
    [names],
  );
  const put = (name: string, fault: string) => {
    setFaults((now) => ((now[name] ?? "") === fault ? now : { ...now, [name]: fault }));
  };
  return {
    faults,
    register,
    isShown: names.has,
    forget: (name) => {
      put(name, "");
    },
    handlers: {
      onBlur: ({ target }) => {
        // A field that is still empty is no mistake yet.
        if (isField(target) && target.value !== "" && names.has(target.name))
          put(target.name, target.validationMessage);
      },
      onInvalidCapture: (event) => {
        const { target, currentTarget } = event;
        if (!isField(target) || !names.has(target.name)) return;
        event.preventDefault();
        put(target.name, target.validationMessage);
        if (currentTarget instanceof HTMLFormElement) focusFirst(currentTarget);
      },
    },
  };
}
