import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { asProblem } from "../../api/problem";
import { number } from "../formats";
import { Row } from "../layout/layout";
import { useListContext } from "../list/useList";
import type { Selection } from "../table/selection/useSelection";
import { notify } from "../toasts/toasts";

/** As many as are selected at once. */
export const BULK_MAX = 1_000;

interface SelectMatchingProps<T> {
  selection: Selection<T>;
}

/** How many match besides the selection, once those of the page are selected; else 0. */
function useBeyond<T extends { id: string }>(selection: Selection<T>): number {
  const { items = [], total = 0 } = useListContext<T>();
  const isWholePage = items.every(({ id }) => selection.has(id));
  const chosen = selection.items.length;
  return isWholePage && chosen < Math.min(total, BULK_MAX) ? total - chosen : 0;
}

/** Offers all items that match the filters once those of the page are selected; Ctrl/Cmd+A takes them. */
export function SelectMatching<T extends { id: string }>({ selection }: SelectMatchingProps<T>) {
  const { total = 0, fetchUpTo } = useListContext<T>();
  const [busy, setBusy] = useState(false);
  if (useBeyond(selection) === 0) return null;
  const select = async () => {
    setBusy(true);
    try {
      selection.set(await fetchUpTo(Math.min(total, BULK_MAX)), true);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return (
    <Button
      size="small"
      data-hotkey="Control+a"
      aria-keyshortcuts="Control+a"
      loading={busy}
      onClick={() => void select()}
    >
      {total > BULK_MAX
        ? t`Select the first ${{ most: number(BULK_MAX) }} of ${{ total: number(total) }}`
        : plural(total, { other: "Select all # that match" })}
    </Button>
  );
}

/** Says in a dialog how many match that it leaves out, and offers them. */
export function MatchingBeyond<T extends { id: string }>({ selection }: SelectMatchingProps<T>) {
  const beyond = useBeyond(selection);
  if (beyond === 0) return null;
  return (
    <Row gap="s" wraps>
      <span>{plural(beyond, { one: "# more matches.", other: "# more match." })}</span>
      <SelectMatching selection={selection} />
    </Row>
  );
}
