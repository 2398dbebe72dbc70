import { useEffect, useState } from "react";

const PAUSE_MS = 350;

/**
 * The text of a filter field whose value is stored in the URL.
 *
 * `onPause` receives the text once the user stops typing. When the URL then follows, the field
 * keeps what the user has typed since; any other change of `value` replaces the text.
 */
export function useTypedFilter(value: string, onPause: (text: string) => void) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [sent, setSent] = useState<string[]>([]);
  if (value !== lastValue) {
    setLastValue(value);
    const echo = sent.indexOf(value);
    setSent(echo === -1 ? [] : sent.slice(echo + 1));
    if (echo === -1) setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      setSent((earlier) => [...earlier, text]);
      onPause(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
    // `onPause` changes on every render; only the text matters.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text]);
  return [text, setText] as const;
}
