import { t } from "@lingui/core/macro";
import { LICENSE_TYPES, type LicenseType, type Schemas } from "../../api/types";
import { folded } from "../../ui/folded";
import { AddIcon } from "../../ui/icons";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";
import { amountText, seatsText } from "../../ui/quantities";
import type { Offer } from "./found";
import { isFiller, listed, wordsOf } from "./words";

type Hit = Schemas["SearchHit"];
type Product = Pick<Schemas["Product"], "id" | "name">;

/** A license that is asked for in a few words: "issue concurrent 5 tom". */
export interface Wish {
  /** Whether the verb is said, so that nothing else can be meant. */
  isSaid: boolean;
  /** Not needed if it is said that a license is to be issued. */
  type: LicenseType | undefined;
  /** Its seats or balance, if the model has one of them. */
  amount: number | undefined;
  /** What is left names a product or a customer. */
  rest: string[];
}

const BEGINNING = 3;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const begins = (word: string, whole: string) =>
  word.length >= BEGINNING && folded(whole).startsWith(folded(word));

const NO_MODEL = { seats: null, meter: null } as const;

const ISSUE = folded(t({ message: "Issue", context: "verb" }));
const NEW = listed(t`new create sell`);
const SELL = listed(t({ message: "sell", comment: "What says to issue a license" }));
const LICENSE = listed(t`license licenses`);

/** Whether a word is the verb to issue; half-typed only where it begins the text. */
const isIssue = (word: string, at: number) =>
  (at === 0 ? begins(word, ISSUE) : folded(word) === ISSUE) || SELL.includes(folded(word));

/** What is asked for; without the verb, more than the model has to be named. */
export function wishOf(text: string): Wish | undefined {
  const words = wordsOf(text);
  const isNew = (word: string) => NEW.includes(folded(word));
  const isLicense = (word: string) => LICENSE.includes(folded(word));
  const typeIn = (word = "") => LICENSE_TYPES.find((one) => begins(word, MODEL_LABELS[one]));
  const isNamed = words.some((word) => isLicense(word) || typeIn(word) !== undefined);
  const isSaid = words.some(isIssue) || (words.some(isNew) && isNamed);
  const named = words.filter(
    (word, at) =>
      !isFiller(word) && !(isSaid && (isIssue(word, at) || isNew(word) || isLicense(word))),
  );
  const model = isSaid ? named.find(typeIn) : named[0];
  const type = typeIn(model);
  const others = type ? named.filter((word) => word !== model) : named;
  if (isSaid ? named.length === 0 : !type || others.length === 0) return undefined;
  const { seats, meter } = type ? MODEL_TRAITS[type] : NO_MODEL;
  const figure = seats || meter ? others.find((word) => /^[1-9]\d{0,6}$/.test(word)) : undefined;
  return {
    isSaid,
    type,
    amount: figure === undefined ? undefined : Number(figure),
    rest: others.filter((word) => word !== figure),
  };
}

/** The product that more of the words mean than any other product; and the other words. */
export function productIn(
  words: readonly string[],
  products: readonly Product[],
): { product: Product | undefined; others: string } {
  const meaning = ({ name }: Product) =>
    words.filter((word) =>
      name.split(/\s+/).some((part) => begins(word, part) || folded(word) === folded(part)),
    );
  const most = Math.max(1, ...products.map((one) => meaning(one).length));
  const [product, another] = products.filter((one) => meaning(one).length === most);
  if (!product || another) return { product: undefined, others: words.join(" ") };
  const meant = meaning(product);
  return { product, others: words.filter((word) => !meant.includes(word)).join(" ") };
}

interface Receiver {
  name: string;
  email: string;
}

/** The customers who may be meant. */
const receiversOf = (others: string, hits: readonly Hit[]): Receiver[] =>
  EMAIL.test(others)
    ? [{ name: others, email: others }]
    : hits.flatMap(({ title, detail }) => (detail ? [{ name: title, email: detail }] : []));

const FEW = 3;

/** The pages on which what is asked for is filled in, for each customer who may be meant. */
export function wishOffers(
  { isSaid, type, amount, rest }: Wish,
  products: readonly Product[],
  customers: readonly Hit[],
  inView?: string,
): Offer[] {
  const { product = products.find(({ id }) => id === inView), others } = productIn(rest, products);
  const receivers = others ? receiversOf(others, customers) : [];
  const { seats, meter } = type ? MODEL_TRAITS[type] : NO_MODEL;
  const quantity =
    amount !== undefined &&
    (seats ? seatsText(amount) : meter ? amountText(amount, meter) : undefined);
  const detail = [type && MODEL_LABELS[type], quantity, product?.name].filter(Boolean).join(" · ");
  const offer = (receiver?: Receiver, more = ""): Offer => {
    const query = new URLSearchParams({
      ...(type && { type }),
      ...(amount !== undefined && { amount: String(amount) }),
      ...(product && { productId: product.id }),
      ...(receiver && { issuedTo: receiver.email }),
    });
    return {
      key: `issue ${query.toString()}`,
      label: receiver ? t`Issue license to ${{ name: receiver.name }}` : t`Issue license`,
      detail: [detail, more].filter(Boolean).join(" · "),
      kind: "Action",
      icon: AddIcon,
      to: `/licenses/new?${query.toString()}`,
    };
  };
  if (receivers.length > 0) return receivers.slice(0, FEW).map((one) => offer(one));
  if (!isSaid || !(type ?? product)) return [];
  return [others ? offer({ name: others, email: others }, t`New customer`) : offer()];
}
