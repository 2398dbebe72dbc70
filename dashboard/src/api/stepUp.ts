/** Proves who the user is by one of these methods; false if they would rather not. */
export type Prove = (methods: string[]) => Promise<boolean>;

let prove: Prove | null = null;
let pending: Promise<boolean> | null = null;

/** Sets what asks the user to confirm that it is them. Returns unset. */
export function onStepUp(ask: Prove): () => void {
  prove = ask;
  return () => {
    if (prove === ask) prove = null;
  };
}

/** Asks the user to confirm that it is them. Concurrent callers share one question. */
export function stepUp(methods: string[]): Promise<boolean> {
  if (prove === null) return Promise.resolve(false);
  pending ??= prove(methods).finally(() => (pending = null));
  return pending;
}
