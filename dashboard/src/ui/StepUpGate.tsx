import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { onSessionEnd } from "../api/session";
import { onStepUp } from "../api/stepUp";
import { lazy } from "./lazy";

const StepUpDialog = lazy(() => import("./StepUpDialog"));

interface Asked {
  methods: string[];
  answer: (isProved: boolean) => void;
}

/** Asks the user to confirm that it is them when the server wants to know, whatever they do. */
export function StepUpGate() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(
    () =>
      onStepUp(
        (methods) =>
          new Promise((resolve) =>
            setAsked({
              methods,
              answer(isProved) {
                setAsked(undefined);
                resolve(isProved);
              },
            }),
          ),
      ),
    [],
  );
  return (
    asked && (
      <Suspense fallback={null}>
        <StepUpDialog methods={asked.methods} onAnswer={asked.answer} />
      </Suspense>
    )
  );
}

/** Redirects to sign-in when the session ends, and back afterwards. */
export function SessionExpiryRedirect() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onSessionEnd(() => {
        const state = { nextPathname: pathname, nextSearch: search, hasEnded: true };
        void navigate("/login", { state, replace: true });
        queryClient.clear();
      }),
    [pathname, search, navigate, queryClient],
  );
  return null;
}
