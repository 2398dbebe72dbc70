import { useState } from "react";
import { asProblem } from "../../../api/problem";

/** Keeps what the server said of each field, so that it can stand beside it. */
export function useFieldErrors() {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const watch = async (change: () => Promise<unknown>) => {
    setErrors({});
    try {
      await change();
    } catch (refusal) {
      setErrors(
        Object.fromEntries(asProblem(refusal).fields.map((item) => [item.field, item.message])),
      );
      throw refusal;
    }
  };
  return { errors, watch };
}
