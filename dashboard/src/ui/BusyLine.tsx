import { useIsFetching } from "@tanstack/react-query";
import { useIsLoadingCode } from "./lazy";
import styles from "./loading.module.css";

/** What the user waits for; a page that is refreshed from time to time does not count. */
const isAwaited = (query: { state: { data: unknown }; meta?: unknown }) =>
  query.state.data === undefined;

/** A line at the upper edge of the window while the page waits for the server, or for its code. */
export function BusyLine() {
  const waiting = useIsFetching({ predicate: isAwaited });
  const isLoading = useIsLoadingCode() || waiting > 0;
  return <div aria-hidden className={styles.line} data-busy={isLoading || undefined} />;
}
