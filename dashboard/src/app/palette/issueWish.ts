import { t } from "@lingui/core/macro";
import { LICENSE_TYPES, type LicenseType, type Schemas } from "../../api/types";
import { AddIcon } from "../../ui/icons";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";
import { amountText, seatsText } from "../../ui/quantities";
import { plain, type Offer } from "./found";

type Hit = Schemas["SearchHit"];
type Product = Pick<Schemas["Product"], "id" | "name">;

/** A license that is asked for in a few words: "issue concurrent 5 tom". */
export interface Wish {
  /** Whether the words begin with the verb, so that nothing else can be meant. */
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
  word.length >= BEGINNING && plain(whole).startsWith(plain(word));

const NO_MODEL = { seats: null, meter: null } as const;

/** What is asked for; without the verb, more than the model has to be named. */
export function wishOf(text: string): Wish | undefined {
  const words = text.trim().split(/\s+/);
  const isSaid = begins(words[0] ?? "", t({ message: "Issue", context: "verb" }));
  const named = isSaid ? words.slice(1) : words;
  const typeIn = (word = "") => LICENSE_TYPES.find((one) => begins(word, MODEL_LABELS[one]));
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
      name.split(/\s+/).some((part) => begins(word, part) || plain(word) === plain(part)),
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
  const offer = (receiver?: Receiver): Offer => {
    const query = new URLSearchParams({
      ...(type && { type }),
      ...(amount !== undefined && { amount: String(amount) }),
      ...(product && { productId: product.id }),
      ...(receiver && { issuedTo: receiver.email }),
    });
    return {
      key: `issue ${query.toString()}`,
      label: receiver ? t`Issue license to ${{ name: receiver.name }}` : t`Issue license`,
      detail,
      kind: "Action",
      icon: AddIcon,
      to: `/licenses/new?${query.toString()}`,
    };
  };
  if (receivers.length > 0) return receivers.slice(0, FEW).map(offer);
  return isSaid && (type ?? product) ? [offer()] : [];
}
