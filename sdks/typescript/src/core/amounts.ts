/** The amounts in responses, as exact decimals. */

import { type Bytes, fromUtf8 } from "./bytes.js";
import { parseJson, parseObject } from "./json.js";

/** Reads a member as an exact amount, such as `"12.5"`; `null` if it is not one. */
export type Amounts = (member: string) => string | null;

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const MAX_DIGITS = 40;

/** Reads amounts of the JSON object in these bytes. */
export function amountsOf(raw: Bytes): Amounts {
  // JSON.parse rounds numbers, so here each is kept as the text that was sent.
  const quoted = (token: string) => (token.startsWith('"') ? token : `"${token}"`);
  const numbers = parseJson(raw.length === 0 ? "" : (fromUtf8(raw) ?? "").replace(TOKEN, quoted));
  const plain = parseObject(raw);
  return (member) => {
    if (typeof plain?.[member] !== "number") return null;
    return plainDecimal(String(numbers?.[member]));
  };
}

/** The plain decimal notation of a JSON number; `null` if it is longer than an amount can be. */
function plainDecimal(text: string): string | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  const point = whole.length + Number(power);
  if (Math.abs(point) > MAX_DIGITS || whole.length + fraction.length > 2 * MAX_DIGITS) return null;
  const digits = (whole + fraction).padEnd(Math.max(point, 0), "0");
  const left = point > 0 ? digits.slice(0, point) : "0";
  const right = point > 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const trimmed = right.replace(/0+$/, "");
  return sign + left.replace(/^0+(?=\d)/, "") + (trimmed === "" ? "" : `.${trimmed}`);
}
