import { t } from "@lingui/core/macro";
import { useState } from "react";
import { number } from "../../../ui/formats";
import { VisuallyHidden } from "../../../ui/VisuallyHidden";
import { nameOf } from "../devices/device";
import type { Session } from "./session";
import { useListContext } from "../../../ui/list/useList";

/** Announces connected and disconnected sessions to screen readers. */
export function Announcement() {
  const { items: data, total } = useListContext<Session>();
  const [seen, setSeen] = useState(data);
  const [message, setMessage] = useState("");
  if (data !== seen) {
    setSeen(data);
    if (data && seen) {
      const moves = [
        ...changesBetween(data, seen).map((name) => t`${name} connected`),
        ...changesBetween(seen, data).map((name) => t`${name} disconnected`),
      ];
      if (moves.length > 0)
        setMessage(
          t`${{ changes: moves.join(", ") }}. Live sessions: ${{ count: number(total ?? 0) }}.`,
        );
    }
  }
  return <VisuallyHidden role="status">{message}</VisuallyHidden>;
}

/** The names of the sessions that are only in the first list. */
function changesBetween(some: Session[], others: Session[]): string[] {
  const known = new Set(others.map((session) => session.id));
  return some.filter(({ id }) => !known.has(id)).map(nameOf);
}
