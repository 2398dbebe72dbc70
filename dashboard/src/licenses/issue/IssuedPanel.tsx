import { t, plural } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useEffect, useRef } from "react";
import { DoneIcon, DownloadIcon, SendIcon } from "../../ui/icons";
import { download, $api, api, at } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { License, Schemas, LicenseType } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { CopyField } from "../../ui/CopyField";
import { Row } from "../../ui/layout/layout";
import { ButtonLink } from "../../ui/PageLink";
import styles from "./issue.module.css";
import { notify } from "../../ui/toasts/toasts";
import { dateTime, date, number } from "../../ui/formats";
import { useAct } from "../../ui/useAct";
import { saveCsv } from "../../ui/csv";
import { MODEL_TRAITS } from "../../ui/models";
import { amountText, seatsText } from "../../ui/quantities";

const PROTECTED_KEY_LENGTH = 20;

/** The buttons that download the file of the license, where one file serves every device. */
function Files({ license }: { license: License }) {
  const save = (isProtected: boolean) =>
    download(`/api/licenses/${license.id}/file?protected=${String(isProtected)}`).catch(
      (error: unknown) => notify(asProblem(error).message, { type: "error" }),
    );
  if (hasFilePerDevice(license)) return null;
  return (
    <>
      <Button variant="outlined" startIcon={<DownloadIcon />} onClick={() => void save(false)}>
        {t`Download license.bin`}
      </Button>
      {license.licenseKey.length >= PROTECTED_KEY_LENGTH && (
        <Button startIcon={<DownloadIcon />} onClick={() => void save(true)}>
          {t`Download encrypted`}
        </Button>
      )}
    </>
  );
}

const hasFilePerDevice = ({ type, activationMode }: License): boolean =>
  type === "Concurrent" && activationMode === "Offline";

function fileText(license: License): string {
  if (hasFilePerDevice(license))
    return t`Each device needs a file of its own, which takes a seat. Download it from the license page with the hardware ID of the device.`;
  if (license.type === "NodeLocked")
    return t`A node-locked license needs a device first; once one is bound, download the file from the license page.`;
  return t`The signed file for the customer. The encrypted one can be opened only with the license key.`;
}

/** The issued license in one card: its key, what to send to the customer, and where to go on. */
export function IssuedPanel({ license, onAnother }: { license: License; onAnother: () => void }) {
  const result = useRef<HTMLParagraphElement>(null);
  const holder = useHolder(license);
  useEffect(() => {
    // The fields, which had the focus, are gone.
    result.current?.focus();
  }, []);
  return (
    <section aria-label={t`Issued license`} className={styles.result}>
      <p ref={result} role="status" tabIndex={-1} className={styles.done} dir="auto">
        <DoneIcon aria-hidden />
        {holder !== undefined && issuedText(license, holder)}
      </p>
      <section aria-label={t`License key`} className={styles.key}>
        <code>{license.licenseKey}</code>
        <CopyButton value={license.licenseKey} label={t`Copy license key`} />
      </section>
      <Sending license={license} />
      <p className={styles.note}>{fileText(license)}</p>
      <details className={styles.own}>
        <summary>{t`Write an email of your own`}</summary>
        <CopyField label={t`Email`} value={customerEmailOf(license)} block />
      </details>
      <Row gap="s" wraps className={styles.next}>
        <ButtonLink to={`/licenses/${license.id}`} variant="outlined">
          {t`Open license`}
        </ButtonLink>
        <Button variant="outlined" onClick={onAnother}>
          {t`Issue another`}
        </Button>
      </Row>
    </section>
  );
}

const writtenText = ({ recipient, createdAt }: Schemas["LicenseMail"]): string =>
  t`An email to ${recipient} was written on ${{ moment: dateTime(createdAt) }}.`;

const offerText = ({ issuedTo }: License): string =>
  issuedTo === null
    ? t`Not issued to a customer. Anyone with the key can use it.`
    : t`Emails the key and a link to the portal to ${issuedTo}, with the email text of the product.`;

/** Mails the license to the customer, says when that was done last, and offers its file. */
function Sending({ license }: { license: License }) {
  const { busy, act } = useAct();
  const { data } = $api.useQuery("get", "/api/license-mails", {
    params: { query: { licenseId: license.id, sort: "-createdAt", pageSize: 1 } },
  });
  const last = data?.items[0];
  const send = () =>
    act(
      ({ data: mail }) =>
        mail
          ? t`Email to ${{ recipient: mail.recipient }} written.`
          : t`Email to the customer written.`,
      () =>
        api.POST("/api/licenses/{licenseId}/send", { ...at({ licenseId: license.id }), body: {} }),
    );
  return (
    <div>
      <Row gap="s" wraps>
        {license.issuedTo !== null && (
          <Button
            variant={last ? "outlined" : "contained"}
            startIcon={<SendIcon />}
            loading={busy}
            onClick={() => void send()}
          >
            {last ? t`Send again` : t`Send to customer`}
          </Button>
        )}
        <Files license={license} />
      </Row>
      <p className={styles.note}>{last ? writtenText(last) : offerText(license)}</p>
    </div>
  );
}

interface IssuedKeysProps {
  licenses: readonly Schemas["IssuedKey"][];
  onAnother: () => void;
}

const COLUMNS = ["licenseKey", "licenseName", "issuedTo", "expirationDate", "id"] as const;

/** The keys of several licenses that were just issued, to copy or to download. */
export function IssuedKeys({ licenses, onAnother }: IssuedKeysProps) {
  const result = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The fields, which had the focus, are gone.
    result.current?.focus();
  }, []);
  const download = () =>
    saveCsv("license-keys", [
      [...COLUMNS],
      ...licenses.map((license) => COLUMNS.map((name) => license[name])),
    ]);
  return (
    <section aria-label={t`License keys`} className={styles.result}>
      <p ref={result} role="status" tabIndex={-1} className={styles.done}>
        <DoneIcon aria-hidden />
        {issuedCount(licenses.length)}
      </p>
      <CopyField
        label={t`License keys`}
        value={licenses.map(({ licenseKey }) => licenseKey).join("\n")}
        block
      />
      <Row gap="s" wraps className={styles.next}>
        <Button variant="contained" startIcon={<DownloadIcon />} onClick={download}>
          {t`Download CSV`}
        </Button>
        <Button variant="outlined" onClick={onAnother}>
          {t`Issue another`}
        </Button>
        <ButtonLink to="/licenses">{t`All licenses`}</ButtonLink>
      </Row>
    </section>
  );
}

const issuedCount = (count: number): string =>
  plural(count, { one: "# license issued.", other: "# licenses issued." });

const LICENSES: Record<LicenseType, string> = {
  Perpetual: t`Perpetual license`,
  Trial: t`Trial license`,
  Subscription: t`Subscription license`,
  Floating: t`Floating license`,
  Concurrent: t`Concurrent license`,
  NodeLocked: t`Node-locked license`,
  MeteredToken: t`Credit-Based license`,
  MeteredCount: t`Usage-Based license`,
};

const endText = ({ expirationDate: end, termDays, termMonths }: License): string => {
  if (end !== null) return t`until ${{ end: date(end) }}`;
  return termDays === null && termMonths === null
    ? t`without an end date`
    : t`its term begins with the first use`;
};

/** Describes the issued license: "Floating license of Aurora for Ada Byron, 5 seats, without an end date." */
function issuedText(issued: License, customerName: string | null): string {
  const { type, productName: product, maxActiveUsersCount: seats, meterBalance: balance } = issued;
  const license = LICENSES[type];
  const unit = MODEL_TRAITS[type].meter;
  const terms = [
    customerName === null
      ? t`${license} of ${product}`
      : t`${license} of ${product} for ${customerName}`,
    seats !== null && seatsText(seats),
    balance !== null && unit && amountText(balance, unit),
    endText(issued),
  ];
  return `${terms.filter(Boolean).join(", ")}.`;
}

/** Whose license it is: the name of the customer, or the address; undefined until known. */
function useHolder({ customerId, issuedTo }: License): string | null | undefined {
  const { data, isLoading } = $api.useQuery(
    "get",
    "/api/customers/{customerId}",
    at({ customerId: customerId ?? "" }),
    { enabled: customerId !== null },
  );
  return isLoading ? undefined : (data?.name ?? issuedTo);
}

const USE: Record<LicenseType, string> = {
  Perpetual: t`You can use it on your devices.`,
  Trial: t`You can try everything until the date below.`,
  Subscription: t`It is valid until the date below and is extended with each renewal.`,
  Floating: t`You can install it anywhere; the maximum of active users below is how many can run at the same time.`,
  Concurrent: t`Each device uses one of your seats.`,
  NodeLocked: t`It works on one device: activate it on the one you want to use.`,
  MeteredToken: t`Your credits are shared by all your devices.`,
  MeteredCount: t`Your uses are shared by all your devices.`,
};

const fileNoteOf = ({ type }: License): string =>
  type === "Concurrent"
    ? t`To use it without an internet connection, each device needs a license.bin of its own: send us its hardware ID.`
    : t`The attached file license.bin lets it run without an internet connection.`;

/** An email to the customer, ready to send. */
function customerEmailOf(license: License): string {
  const { maxActiveUsersCount: seats, meterBalance, expirationDate, username } = license;
  const product = license.productName;
  const lines = [
    t`Hello,`,
    "",
    `${t`Here is your license for ${product}.`} ${USE[license.type]}`,
    "",
    t`License key: ${{ key: license.licenseKey }}`,
    ...(seats === null ? [] : [t`Max active users: ${{ seats: number(seats) }}`]),
    ...(meterBalance === null ? [] : [t`Balance: ${{ balance: number(meterBalance) }}`]),
    ...(expirationDate ? [t`Valid until: ${{ day: date(expirationDate) }}`] : []),
    ...(username ? [t`Username: ${username}`] : []),
    "",
    t`Start ${product} and enter the key when asked.`,
    ...(license.activationMode === "Offline" ? [fileNoteOf(license)] : []),
    "",
    t`Kind regards`,
    ...(license.issuer ? [license.issuer] : []),
  ];
  return lines.join("\n");
}
