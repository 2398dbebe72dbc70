import { useEffect, useState } from "react";
import { dateTime, relative } from "./formats";

const SECOND_MS = 1_000;

/** The present, kept fresh: by the second near the moment, by the half minute else. */
function useNow(moment: string): number {
  const [now, setNow] = useState(() => Date.now());
  const pace = Math.abs(new Date(moment).getTime() - now) < 60 * SECOND_MS ? 1 : 30;
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, pace * SECOND_MS);
    return () => {
      clearInterval(timer);
    };
  }, [pace]);
  return now;
}

/** "3 minutes ago", which stays true while one looks; the day and time stand behind it. */
export function When({ at }: { at: string }) {
  const now = useNow(at);
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at, now)}
    </time>
  );
}
