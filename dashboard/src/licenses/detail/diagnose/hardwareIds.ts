const LEFT_OUT = "…";

/** Whether a hardware ID of a request, which is without its middle, may be this whole one. */
export function isShortOf(short: string | null, whole: string): boolean {
  if (short === null) return false;
  const [start = "", end] = short.split(LEFT_OUT);
  return end === undefined ? short === whole : whole.startsWith(start) && whole.endsWith(end);
}
