import { useEffect, useState } from "react";
import { dateTime, relative } from "./formats";

const SECOND_MS = 1_000;

/** The current time, updated every second near the given moment, else every 30 seconds. */
function useNow(moment: string): number {
  const [{ now, of }, setState] = useState(() => ({ now: Date.now(), of: moment }));
  // What has just happened is no future, although the last tick was before.
  if (of !== moment) setState({ now: Date.now(), of: moment });
  const pace = Math.abs(new Date(moment).getTime() - now) < 60 * SECOND_MS ? 1 : 30;
  useEffect(() => {
    const timer = setInterval(() => setState({ now: Date.now(), of: moment }), pace * SECOND_MS);
    return () => clearInterval(timer);
  }, [pace, moment]);
  return now;
}

/** "3 minutes ago", kept up to date, with the full date and time as a tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(at);
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at, now)}
    </time>
  );
}
