import { Suspense, useEffect, useState } from "react";
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
