import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "./ConfirmDialog";

interface UnsavedGuardProps {
  /** Whether something would be lost. */
  when: boolean;
  title?: string;
  consequence?: string;
  action?: string;
}

/** As the state of a navigation: what it leaves behind is gone anyway, so nobody is asked. */
export const UNGUARDED = { unguarded: true };

/** Asks before the page is left for another one, or the browser's tab is closed. */
export function UnsavedGuard({
  when,
  title = "Leave without saving",
  consequence = "You have changed something here that is not saved yet. It is lost when you leave.",
  action = "Discard changes",
}: UnsavedGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when &&
      currentLocation.pathname !== nextLocation.pathname &&
      (nextLocation.state as typeof UNGUARDED | null)?.unguarded !== true,
  );
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => {
      window.removeEventListener("beforeunload", ask);
    };
  }, [when]);
  const leaving = useRef(false);
  if (blocker.state !== "blocked") return null;
  return (
    <ConfirmDialog
      title={title}
      consequence={consequence}
      action={action}
      danger
      onConfirm={() => {
        leaving.current = true;
        blocker.proceed();
        return Promise.resolve();
      }}
      onClose={() => {
        if (!leaving.current) blocker.reset();
        leaving.current = false;
      }}
    />
  );
}
