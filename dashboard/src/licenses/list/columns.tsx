import { plural, t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { Link } from "react-router";
import type { License, Schemas } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { PersonEmblem, ProductEmblem } from "../../ui/Emblem";
import { date, dateTime, number, relative, isNear } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";
import { amountText, lengthText } from "../../ui/quantities";
import { PageLink } from "../../ui/PageLink";
import { StatusChip } from "../../ui/StatusChip";
import { answerInList } from "../../ui/license/answer";
import type { Column } from "../../ui/table/Row";
import { TagChips } from "../../ui/tags/TagChips";
import { TestChip } from "../../ui/TestChip";
import { useCan } from "../../ui/useInstitution";
import { useHasRoom, useMediaQuery } from "../../ui/useMediaQuery";
import { usePolicy } from "../../ui/useProduct";
import { useStored } from "../../ui/useStored";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { statusWords } from "../../ui/status";
import styles from "./licenseList.module.css";
import { useCustomerName } from "./useCustomerName";
import type { ListedLicense } from "./useLicenseList";

/** The columns of the list, in order; all but the first can be hidden. */
export const COLUMNS: readonly Column<ListedLicense>[] = [
  {
    key: "licenseName",
    label: t`License`,
    sort: true,
    cell: (license) => <NameCell license={license} />,
  },
  {
    key: "issuedTo",
    label: t`Issued to`,
    short: "plain",
    sort: true,
    cell: (license) => <IssuedToCell license={license} />,
  },
  {
    key: "productName",
    width: 130,
    label: t`Product`,
    short: "plain",
    cell: (license) => <ProductCell license={license} />,
  },
  {
    key: "type",
    width: 128,
    label: t`Model`,
    short: "left out",
    sort: true,
    fits: true,
    cell: (license) => MODEL_LABELS[license.type],
  },
  {
    key: "policyId",
    width: 150,
    label: t`Policy`,
    short: "left out",
    cell: (license) => license.policyId !== null && <PolicyCell license={license} />,
  },
  {
    key: "status",
    width: 102,
    label: t`Status`,
    short: "first",
    cell: (license) => <StatusCell license={license} />,
  },
  {
    key: "seatsUsed",
    width: 92,
    label: t`Usage`,
    fits: true,
    cell: (license) => hasUse(license) && <UseCell license={license} />,
  },
  {
    key: "expirationDate",
    width: 106,
    label: t`Expires`,
    sort: true,
    fits: true,
    cell: (license) => <ExpiryCell license={license} />,
  },
  {
    key: "tags",
    width: 150,
    label: t`Tags`,
    short: "left out",
    cell: ({ tags }) => <TagChips tags={tags} most={2} />,
  },
  {
    key: "lastSeenAt",
    width: 116,
    label: t`Last seen`,
    short: "left out",
    fits: true,
    as: "recent",
  },
  {
    key: "order",
    width: 130,
    label: t`Order`,
    short: "left out",
    cell: ({ orderId, orderNumber }) =>
      orderId && <PageLink to={`/orders/${orderId}`}>{orderNumber || t`New order`}</PageLink>,
  },
  {
    key: "createdAt",
    width: 106,
    label: t`Created`,
    sort: true,
    fits: true,
    cell: ({ createdAt }) => <span title={dateTime(createdAt)}>{date(createdAt)}</span>,
  },
];

interface Cell {
  license: License;
}

/** Linked name, and license key with a copy button. */
function NameCell({ license }: Cell) {
  const hasRoom = useHasRoom();
  const hasTagColumn = useColumns().isShown("tags") && hasRoom;
  return (
    <div className={styles.name}>
      <div>
        <Link to={`/licenses/${license.id}`} title={license.licenseName} dir="auto">
          {license.licenseName}
        </Link>
        <code title={license.licenseKey}>{license.licenseKey}</code>
        {!hasTagColumn && <TagChips tags={license.tags} most={3} />}
      </div>
      <CopyButton
        value={license.licenseKey}
        label={t`Copy key of ${{ license: license.licenseName }}`}
      />
    </div>
  );
}

/** The name of the policy that the license was issued under; Members see no policies. */
function PolicyCell({ license: { policyId } }: Cell) {
  const { isSystemAdmin, role } = useCan();
  const { data } = usePolicy(isSystemAdmin || role !== "Member" ? policyId : null);
  return data ? <span dir="auto">{data.name}</span> : null;
}

const ProductCell = ({ license: { productName, releaseVersion, test } }: Cell) => (
  <div className={styles.product}>
    <ProductEmblem name={productName} />
    <div className={styles.lines}>
      <span title={productName}>
        {productName} {test && <TestChip />}
      </span>
      <span className={styles.second}>{releaseVersion}</span>
    </div>
  </div>
);

/** The status, and what an active license lacks; what works is the rule, and a dot. */
function StatusCell({ license }: Cell) {
  const { status } = license;
  const { short, tone } = answerInList(license);
  return (
    <div className={styles.marks}>
      {short ? (
        <span className={styles.second} data-tone={tone}>
          {short}
        </span>
      ) : status === "Active" ? (
        <span className={styles.works} title={statusWords(status)}>
          <VisuallyHidden>{statusWords(status)}</VisuallyHidden>
        </span>
      ) : (
        <StatusChip status={status} />
      )}
    </div>
  );
}

const hasUse = (license: License) =>
  license.meterBalance !== null || license.maxActiveUsersCount !== null;

/** Seats in use, or the balance. */
function UseCell({ license }: Cell) {
  const { meterBalance, maxActiveUsersCount: seats } = license;
  const { meter } = MODEL_TRAITS[license.type];
  if (meterBalance !== null) {
    const isLow = meterBalance <= (license.lowBalanceThreshold ?? 0);
    return (
      <div className={styles.lines}>
        <span>{meter ? amountText(meterBalance, meter) : number(meterBalance)}</span>
        {isLow && (
          <span className={styles.second} data-tone="wait">
            {t({ message: "Low", context: "balance" })}
          </span>
        )}
      </div>
    );
  }
  if (seats === null) return null;
  const used = license.seatsUsed ?? 0;
  const taken = number(used);
  const share = Math.min(1, used / seats);
  const label = t`Max active users of ${{ license: license.licenseName }}`;
  return (
    <>
      <span title={plural(seats, { other: `${taken} of # active users` })}>
        {t`${taken} of ${{ seats: number(seats) }}`}
      </span>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        className={styles.meter}
        data-full={share === 1 || undefined}
      >
        <div style={{ width: `${String(share * 100)}%` }} />
      </div>
    </>
  );
}

/** The end of the term, by which the list is sorted, marked if it is near. */
function ExpiryCell({ license }: Cell) {
  const end = license.expirationDate;
  const term = lengthText(license.termDays, license.termMonths);
  if (term !== null) return <Nothing label={t`${term} from first use`} />;
  if (end === null) return <Nothing label={t`Never`} />;
  if (license.inFallback)
    return (
      <div className={styles.lines} title={dateTime(end)}>
        <span>{date(end)}</span>
        <span className={styles.second}>{t`keeps releases`}</span>
      </div>
    );
  if (license.inGraceUntil !== null)
    return (
      <div
        className={styles.lines}
        title={t`Works until ${{ end: dateTime(license.inGraceUntil) }}`}
      >
        <span>{date(end)}</span>
        <span className={styles.second} data-tone="wait">{t`in its grace`}</span>
      </div>
    );
  const isSoon = isNear(end);
  return (
    <div className={styles.lines} title={dateTime(end)}>
      <span>{date(end)}</span>
      <span className={styles.second} data-tone={isSoon ? "wait" : undefined}>
        {relative(end)}
      </span>
    </div>
  );
}

/** The customer, and below the name the address that the license is issued to. */
function IssuedToCell({ license: { issuedTo, customerId } }: Cell) {
  const { name, isLoading } = useCustomerName(customerId);
  if (!issuedTo) return <Nothing label={t`Not assigned`} />;
  if (isLoading)
    return (
      <div className={styles.lines}>
        <Skeleton width="60%" height={18} />
        <span className={styles.second}>{issuedTo}</span>
      </div>
    );
  const hasName = name !== undefined && name !== issuedTo;
  return (
    <div className={styles.product}>
      <PersonEmblem name={name ?? issuedTo} />
      <div className={styles.lines} title={issuedTo} dir="auto">
        {hasName && <span className={styles.who}>{name}</span>}
        <span className={hasName ? styles.second : styles.address}>{issuedTo}</span>
      </div>
    </div>
  );
}

const Nothing = ({ label }: { label: string }) => <span className={styles.nothing}>{label}</span>;

/** What is hidden until somebody wants it. */
const EXTRA: string[] = ["policyId", "tags"];

/** What the API reads for columns only if it is asked for. */
const READ_FOR: Readonly<Record<string, Schemas["LicenseExtra"]>> = {
  lastSeenAt: "LastSeen",
  order: "Order",
};

/** What the list has to ask for, with the columns that it shows. */
export function useExtras(): Schemas["LicenseExtra"][] {
  const hasRoom = useHasRoom();
  const { isShown } = useColumns();
  return Object.entries(READ_FOR).flatMap(([key, extra]) =>
    hasRoom && isShown(key) ? [extra] : [],
  );
}

const toggled = (keys: string[], key: string) =>
  keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];

/** The columns that the user wants to see, kept in this browser; all that fit until they choose. */
export function useColumns() {
  const hasAllRoom = useMediaQuery("(min-width: 1400px)");
  const [chosen, setHidden] = useStored<string[] | null>("licenseColumnsHidden", null);
  // What costs a request more is kept apart: it is shown to nobody who has not asked for it.
  const [asked, setAsked] = useStored<string[]>("licenseColumnsAsked", []);
  const hidden = chosen ?? (hasAllRoom ? EXTRA : [...EXTRA, "createdAt"]);
  const isShown = (key: string) => (key in READ_FOR ? asked.includes(key) : !hidden.includes(key));
  return {
    shown: COLUMNS.filter(({ key }) => isShown(key)),
    isShown,
    /** Hides all columns but the named ones. */
    showOnly: (keys: readonly string[]) => {
      const others = COLUMNS.slice(1).map(({ key }) => key);
      setHidden(others.filter((key) => !keys.includes(key)));
      setAsked(keys.filter((key) => key in READ_FOR));
    },
    toggle: (key: string) =>
      key in READ_FOR ? setAsked(toggled(asked, key)) : setHidden(toggled(hidden, key)),
  };
}
