import { useState } from "react";

export interface Attempt {
  busy: boolean;
  /** The error of the last attempt; null initially and after success. */
  error: unknown;
}

const NONE: Attempt = { busy: false, error: null };

/** Runs one request at a time and keeps its error until the next run or until it is cleared. */
export function useSubmission() {
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
  const clearError = () => setAttempt((now) => ({ ...now, error: null }));
  return { attempt, run, clearError };
}
