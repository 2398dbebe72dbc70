import { useState } from "react";

export interface Attempt {
  busy: boolean;
  /** Why the last try was refused; null before it and after a good one. */
  error: unknown;
}

const NONE: Attempt = { busy: false, error: null };

/** Sends once at a time and keeps the refusal, until the next try or until it is forgiven. */
export function useAttempt() {
  const [attempt, setAttempt] = useState(NONE);
  const run = async (send: () => Promise<unknown>) => {
    if (attempt.busy) return;
    setAttempt({ busy: true, error: null });
    try {
      await send();
      setAttempt(NONE);
    } catch (error) {
      setAttempt({ busy: false, error });
    }
  };
  const forgive = () => {
    setAttempt((now) => ({ ...now, error: null }));
  };
  return { attempt, run, forgive };
}
