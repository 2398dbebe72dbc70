import Box from "@mui/material/Box";
import { visuallyHidden } from "@mui/utils";
import { useState } from "react";
import { number } from "../../../ui/formats";
import { nameOf, type Session } from "./session";
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
        ...changesBetween(data, seen, "connected"),
        ...changesBetween(seen, data, "disconnected"),
      ];
      if (moves.length > 0)
        setMessage(`${moves.join(", ")}. Live sessions: ${number(total ?? 0)}.`);
    }
  }
  return (
    <Box role="status" sx={visuallyHidden}>
      {message}
    </Box>
  );
}

/** The sessions that are only in the first list. */
function changesBetween(some: Session[], others: Session[], verb: string): string[] {
  const known = new Set(others.map((session) => session.id));
  return some.filter(({ id }) => !known.has(id)).map((session) => `${nameOf(session)} ${verb}`);
}
