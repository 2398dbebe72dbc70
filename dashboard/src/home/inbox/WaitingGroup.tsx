import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { Link } from "react-router";
import { number } from "../../ui/formats";
import { RelativeTime } from "../../ui/RelativeTime";
import { Act } from "./Act";
import styles from "./inbox.module.css";
import { KINDS, type Item, type Kind } from "./waiting";

/** More are shown when the user asks for them. */
const SHOWN = 4;

interface WaitingGroupProps {
  kind: Kind;
  /** How many there are; `items` holds the most urgent. */
  count: number;
  items: readonly Item[];
}

/** What waits of a kind, most urgent first. */
export function WaitingGroup({ kind, count, items }: WaitingGroupProps) {
  const { title, icon: Icon, tone, all } = KINDS[kind];
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? items : items.slice(0, SHOWN);
  const hidden = items.length - shown.length;
  const left = number(hidden);
  const total = number(count);
  return (
    <section aria-label={title} className={styles.group}>
      <h3 className={styles.head} data-tone={tone}>
        <Icon aria-hidden />
        {title}
        <span className={styles.count}>{total}</span>
      </h3>
      <ul className={styles.list}>
        {shown.map((item) => (
          <Waiting key={`${item.id ?? ""} ${item.title}`} item={item} />
        ))}
      </ul>
      {items.length === 0 && <p className={styles.only}>{t`Only Owners and Admins see which.`}</p>}
      {hidden > 0 ? (
        <button type="button" className={styles.more} onClick={() => setOpen(true)}>
          {plural(hidden, { other: `Show ${left} more` })}
        </button>
      ) : (
        all &&
        items.length < count && (
          <Link to={all} className={styles.more}>
            {plural(count, { other: `Show all ${total}` })}
          </Link>
        )
      )}
    </section>
  );
}

function Waiting({ item }: { item: Item }) {
  const { pathOf, detailOf } = KINDS[item.kind];
  const detail = detailOf(item).filter(Boolean).join(" · ");
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <Link to={pathOf(item)} dir="auto" title={item.title}>
          {item.title}
        </Link>
        <span className={styles.muted} title={detail}>
          {detail}
        </span>
      </div>
      {item.since && item.kind !== "ExpiringLicense" && (
        <span className={styles.since}>
          <RelativeTime at={item.since} />
        </span>
      )}
      {item.mayAct && <Act item={item} />}
    </li>
  );
}
