import Tooltip from "@mui/material/Tooltip";
import { dateTime, relative } from "../../ui/formats";
import { useNow } from "./useNow";

interface AgoProps {
  moment: string | null;
  /** How often it is said anew. */
  everyMs?: number;
}

/** How long ago, or in how long; the whole moment on pointing at it. */
export function Ago({ moment, everyMs = 30_000 }: AgoProps) {
  const now = useNow(everyMs);
  if (moment === null) return "—";
  return (
    <Tooltip title={dateTime(moment)}>
      <time dateTime={moment}>{relative(moment, now)}</time>
    </Tooltip>
  );
}
