import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "./ConfirmDialog";

interface UnsavedGuardProps {
  /** Whether there are unsaved changes. */
  when: boolean;
  title?: string;
  consequence?: string;
  action?: string;
}

/** Navigation state that skips the guard, for pages whose subject was just deleted. */
export const UNGUARDED = { unguarded: true };

/** Asks for confirmation before leaving the page or closing the tab with unsaved changes. */
export function UnsavedGuard({
  when,
  title = t`Leave without saving?`,
  consequence = t`You have unsaved changes. They will be lost if you leave.`,
  action = t`Discard changes`,
}: UnsavedGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when &&
      currentLocation.pathname !== nextLocation.pathname &&
      (nextLocation.state as typeof UNGUARDED | null)?.unguarded !== true,
  );
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
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
