import { useEffect, useState } from "react";
import { dateTime, relative } from "./formats";

const SECOND_MS = 1_000;

/** The current time, updated every second near the given moment, else every 30 seconds. */
function useNow(moment: string): number {
  const [now, setNow] = useState(() => Date.now());
  const pace = Math.abs(new Date(moment).getTime() - now) < 60 * SECOND_MS ? 1 : 30;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), pace * SECOND_MS);
    return () => clearInterval(timer);
  }, [pace]);
  return now;
}

function Ticking({ at }: { at: string }) {
  const now = useNow(at);
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at, now)}
    </time>
  );
}

/**
 * "3 minutes ago", kept up to date, with the full date and time as a tooltip.
 *
 * The clock restarts for a new moment, which may be later than the last tick.
 */
export const RelativeTime = ({ at }: { at: string }) => <Ticking key={at} at={at} />;
