import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";

/** Display names of the access types. */
export const ACCESS_LABELS: Record<Schemas["AccessType"], string> = {
  Opened: t({ message: "Opened", context: "access type" }),
  Associated: t`Associated`,
};
