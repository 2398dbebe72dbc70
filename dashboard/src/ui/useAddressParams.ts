import { useSearchParams } from "react-router";

type Values = Record<string, string | null | undefined>;

/** The parameters of the address, and a way to change some: what is empty is taken out. */
export function useAddressParams() {
  const [params, setParams] = useSearchParams();
  /** `replace` leaves no step to go back to. */
  const change = (values: Values, replace = false) => {
    // The address is ahead of what is drawn when two changes follow fast.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values))
      if (value) next.set(name, value);
      else next.delete(name);
    setParams(next, { replace });
  };
  return { params, change };
}
