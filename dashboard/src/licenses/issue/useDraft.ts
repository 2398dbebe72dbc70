import { useRef, useState } from "react";
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
  draft: Draft;
  change: (fields: Partial<Draft>) => void;
  /** Whether it differs from what the page began with. */
  isDirty: boolean;
  /** When it was last changed, if it was already there when the page was opened. */
  resumed: string | null;
  /** Begins anew; returns what takes that back. */
  discard: () => () => void;
  /** Identifies the attempt to issue the draft as it is now, also after a reload. */
  attempt: () => string;
  /** Forgets the draft, since it was issued. */
  done: () => void;
}

/** A draft that this browser keeps at `place`, but for the password; it begins as `fresh`. */
export function useDraft(place: string, fresh: Draft): KeptDraft {
  const [kept] = useState(() => stored<Kept | null>(place, null));
  // A policy that changes meanwhile does not change what the page began with.
  const [begun] = useState(fresh);
  const [draft, setDraft] = useState<Draft>({ ...fresh, ...kept?.draft });
  const [resumed, setResumed] = useState(kept?.at ?? null);
  const attempt = useRef(kept?.attempt);
  // Two changes of one event each build on the other.
  const latest = useRef(draft);
  const isFresh = (next: Draft) => JSON.stringify(next) === JSON.stringify(begun);
  const keep = () => {
    const value: Kept = {
      at: new Date().toISOString(),
      draft: { ...latest.current, password: "" },
      attempt: attempt.current,
    };
    if (isFresh(latest.current) && !attempt.current) forgetStored(place);
    else store(place, value);
  };
  const put = (next: Draft) => {
    latest.current = next;
    attempt.current = undefined;
    setDraft(next);
    keep();
  };
  return {
    draft,
    change: (fields) => {
      put({ ...latest.current, ...fields });
    },
    isDirty: !isFresh(draft),
    resumed,
    discard: () => {
      const before = latest.current;
      put(begun);
      setResumed(null);
      return () => {
        put(before);
      };
    },
    attempt: () => {
      attempt.current ??= newIdempotencyKey();
      keep();
      return attempt.current;
    },
    done: () => {
      forgetStored(place);
    },
  };
}
