import { useSearchParams } from "react-router";

type Values = Record<string, string | null | undefined>;

/** The URL's query parameters and a function to change some; empty values are removed. */
export function useUrlParams() {
  const [params, setParams] = useSearchParams();
  /** `replace` adds no history entry. */
  const change = (values: Values, replace = false) => {
    // After two quick changes, the URL is newer than the rendered state.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values))
      if (value) next.set(name, value);
      else next.delete(name);
    setParams(next, { replace });
  };
  return { params, change };
}
