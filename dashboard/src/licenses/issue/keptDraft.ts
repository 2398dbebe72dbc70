import { newIdempotencyKey } from "../../ui/useIdempotencyKey";
import { forgetStored, store, stored } from "../../ui/useStored";
import type { Draft } from "./issueDraft";

/** A draft as the browser keeps it. */
interface Kept {
  /** When it was last changed. */
  at: string;
  draft: Draft;
  /** Identifies the last attempt to issue exactly this. */
  attempt?: string | undefined;
}

export interface KeptDraft {
  /** What a new draft begins with. */
  fresh: Draft;
  /** What is there when the page is opened: the kept draft, or a new one. */
  start: Draft;
  /** When it was last changed, if it was already there when the page was opened. */
  at: string | null;
  /** Whether nothing was changed yet. */
  isFresh: (draft: Draft) => boolean;
  /** Keeps the draft as it is now. */
  keep: (draft: Draft) => void;
  /** Identifies the attempt to issue the draft as it is now, also after a reload. */
  attempt: (draft: Draft) => string;
  /** Forgets the draft, since it was issued. */
  done: () => void;
}

/** A draft that this browser keeps at `place`, but for the password; it begins as `fresh`. */
export function keptDraft(place: string, fresh: Draft): KeptDraft {
  const kept = stored<Kept | null>(place, null);
  const start = { ...fresh, ...kept?.draft };
  const begun = JSON.stringify(fresh);
  const isFresh = (draft: Draft) => JSON.stringify(draft) === begun;
  let latest = JSON.stringify(start);
  let attempt = kept?.attempt;
  const write = (draft: Draft) => {
    const value: Kept = {
      at: new Date().toISOString(),
      draft: { ...draft, password: "" },
      attempt,
    };
    if (isFresh(draft) && !attempt) forgetStored(place);
    else store(place, value);
  };
  return {
    fresh,
    start,
    at: kept?.at ?? null,
    isFresh,
    keep: (draft) => {
      const text = JSON.stringify(draft);
      if (text === latest) return;
      latest = text;
      attempt = undefined;
      write(draft);
    },
    attempt: (draft) => {
      attempt ??= newIdempotencyKey();
      write(draft);
      return attempt;
    },
    done: () => forgetStored(place),
  };
}
