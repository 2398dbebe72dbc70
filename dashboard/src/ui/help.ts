import { useSyncExternalStore } from "react";
import type { HelpTopic } from "./helpTopics";

let shown: HelpTopic | null = null;
const listeners = new Set<() => void>();

function set(topic: HelpTopic | null): void {
  shown = topic;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Opens a topic beside the page. Returns false where nothing shows it, such as before the sign-in. */
export function openHelp(topic: HelpTopic): boolean {
  set(topic);
  return listeners.size > 0;
}

export function closeHelp(): void {
  set(null);
}

/** The topic that is open beside the page, for what shows it. */
export const useOpenHelp = (): HelpTopic | null => useSyncExternalStore(subscribe, () => shown);
