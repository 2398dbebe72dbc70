import { useRef } from "react";

/** Identifies one attempt, so that a double click or a retry acts once. */
export function newIdempotencyKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns an idempotency key for a body: the same one as long as the body is the same. */
export function useIdempotencyKey(): (body: object) => string {
  const last = useRef({ body: "", key: "" });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: newIdempotencyKey() };
    return last.current.key;
  };
}
