import { useState } from "react";

/**
 * Local state for a controlled input whose value lives outside React: in a query or in the URL.
 *
 * Those change in a later task than the event. By then React has put the input back to its old
 * value, so a switch flips twice and a half-typed date is lost. Set the local value in the event
 * handler as well; it follows `source` whenever that changes.
 */
export function useLocalValue<T>(source: T) {
  const [lastSource, setLastSource] = useState(source);
  const [value, setValue] = useState(source);
  if (source !== lastSource) {
    setLastSource(source);
    setValue(source);
  }
  return [value, setValue] as const;
}
