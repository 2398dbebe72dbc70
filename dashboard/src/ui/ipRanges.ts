interface Range {
  bits: 32 | 128;
  start: bigint;
  length: number;
}

/** The non-empty lines of a text. */
export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

function ofVersion4(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return null;
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function ofVersion6(text: string): bigint | null {
  // The last two groups may be written as an IPv4 address.
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted?.[2] ? ofVersion4(dotted[2]) : null;
  if (dotted && tail === null) return null;
  const whole =
    dotted && tail !== null
      ? `${dotted[1] ?? ""}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`
      : text;
  const halves = whole.split("::");
  const [head = [], rest = []] = halves.map((half) => (half ? half.split(":") : []));
  const missing = 8 - head.length - rest.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return null;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...rest];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

function rangeOf(text: string): Range | null {
  const [address = "", prefix] = text.trim().split("/");
  const bits = address.includes(":") ? 128 : 32;
  const start = bits === 128 ? ofVersion6(address) : ofVersion4(address);
  const length = prefix === undefined ? bits : Number(prefix);
  if (start === null || !Number.isInteger(length) || length < 0 || length > bits) return null;
  return { bits, start, length };
}

/** Whether a list of addresses and networks allows an address; an empty list allows all. */
export function isAllowed(ranges: readonly string[], address: string): boolean {
  const caller = rangeOf(address);
  if (ranges.length === 0 || !caller) return true;
  return ranges.some((text) => {
    const range = rangeOf(text);
    if (range?.bits !== caller.bits) return false;
    const rest = BigInt(range.bits - range.length);
    return range.start >> rest === caller.start >> rest;
  });
}
