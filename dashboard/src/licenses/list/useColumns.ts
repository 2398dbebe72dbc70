import { useStored } from "../../ui/useStored";
import { COLUMNS } from "./columns";

/** The columns that the user wants to see, kept in this browser. */
export function useColumns() {
  const [hidden, setHidden] = useStored<string[]>("hiddenLicenseColumns", []);
  return {
    shown: COLUMNS.filter(({ key }) => !hidden.includes(key)),
    isShown: (key: string) => !hidden.includes(key),
    /** Hides all columns but the named ones. */
    showOnly: (keys: readonly string[]) => {
      const others = COLUMNS.slice(1).map(({ key }) => key);
      setHidden(others.filter((key) => !keys.includes(key)));
    },
    toggle: (key: string) =>
      setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]),
  };
}
