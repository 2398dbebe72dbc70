import { t } from "@lingui/core/macro";
import { use } from "react";
import { createPortal } from "react-dom";
import { number } from "../formats";
import { CountPlace } from "./countPlace";
import { useListContext } from "./useList";

/** How many match, beside the title of the page, in sight before any row is read. */
export function ListCount() {
  const { total = 0, isCapped } = useListContext();
  const place = use(CountPlace);
  if (!place || total === 0) return null;
  const count = isCapped ? `${number(total)}+` : number(total);
  return createPortal(<span title={t`${count} in this list`}>{count}</span>, place);
}
