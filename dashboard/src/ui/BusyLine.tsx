import { useIsFetching } from "@tanstack/react-query";
import styles from "./loading.module.css";

/** What the user waits for; a page that is refreshed from time to time does not count. */
const isAwaited = (query: { state: { data: unknown }; meta?: unknown }) =>
  query.state.data === undefined;

/** A line at the upper edge of the window while the page waits for the server. */
export function BusyLine() {
  const waiting = useIsFetching({ predicate: isAwaited });
  return <div aria-hidden className={styles.line} data-busy={waiting > 0 || undefined} />;
}
