import { t } from "@lingui/core/macro";

/** How a toast reads: what was done, what is worth knowing, what failed. */
export type Kind = "info" | "success" | "warning" | "error";

export interface Toast {
  id: number;
  text: string;
  kind: Kind;
  /** Takes back what the toast tells. */
  undo?: () => Promise<unknown>;
  /** Stays until it is dismissed. */
  stays: boolean;
}

interface Options {
  type?: Kind;
  undo?: () => Promise<unknown>;
  stays?: boolean;
}

/** More would hide the page; the oldest goes. */
const SHOWN = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  listeners.forEach((listener) => listener());
}

export const currentToasts = () => toasts;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the user something at the edge of the window; with `undo`, they can take it back. */
export function notify(text: string, options: Options = {}): void {
  const { type: kind = "info", undo, stays = false } = options;
  lastId += 1;
  const others = toasts.filter((toast) => toast.text !== text);
  set([...others, { id: lastId, text, kind, stays, ...(undo && { undo }) }].slice(-SHOWN));
}

/** Confirms an undo: "Undone: 3 licenses suspended." */
export function notifyUndone(sentence: string): void {
  notify(t`Undone: ${sentence}`, { type: "success" });
}

export function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function dismissAll(): void {
  set([]);
}
