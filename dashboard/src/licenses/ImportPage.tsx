import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useRef, useState } from "react";
import { EmptyState } from "../ui/EmptyState";
import { UploadIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { ProductPicker } from "../ui/ProductPicker";
import { Section } from "../ui/Section";
import { useCan, useInstitution } from "../ui/useInstitution";
import { useOnlyProduct } from "../ui/useProduct";
import { useUrlParams } from "../ui/useUrlParams";
import { Columns } from "./import/Columns";
import styles from "./import/import.module.css";
import { Outcome } from "./import/Outcome";
import { type ImportTable, type Mapping, readTable, suggested } from "./import/table";
import { useImport } from "./import/useImport";

interface Opened {
  table: ImportTable;
  mapping: Mapping;
}

/** Chooses a file, and reads it. */
function FileField({
  table,
  onRead,
}: {
  table?: ImportTable;
  onRead: (table: ImportTable) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const pick = async (file: File) => {
    try {
      onRead(await readTable(file));
      setFault(null);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Column gap="s">
      <Row gap="m" wraps>
        <Button
          variant={table ? "outlined" : "contained"}
          startIcon={<UploadIcon />}
          onClick={() => input.current?.click()}
        >
          {t`Choose CSV file`}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t`CSV file`}
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) void pick(file);
            event.target.value = "";
          }}
        />
        {table && (
          <Typography>
            <bdi>{table.file}</bdi>, {plural(table.rows.length, { one: "# row", other: "# rows" })}
          </Typography>
        )}
      </Row>
      {fault && <Alert severity="error">{fault}</Alert>}
    </Column>
  );
}

function Import() {
  const { params } = useUrlParams();
  const given = params.get("productId");
  const [chosen, setProductId] = useState<string | null>();
  const only = useOnlyProduct(given === null);
  const productId = chosen === undefined ? (given ?? only ?? null) : chosen;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [receiver, setReceiver] = useState("");
  const [withDevices, setWithDevices] = useState(true);
  const { state, run, stop, forget } = useImport();
  // What was checked no longer counts once something is chosen otherwise.
  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      forget();
    };
  const isRunning = state?.isRunning ?? false;
  const hasKeys = opened?.mapping.includes("licenseKey") ?? false;
  const isChecked = state?.dryRun === true && !isRunning && state.error === null;
  const isDone = state?.dryRun === false && !isRunning && state.error === null;
  const start = (dryRun: boolean) => {
    if (opened && productId) void run({ ...opened, productId, receiver, withDevices }, dryRun);
  };
  return (
    <Column gap="l" className={styles.page}>
      <Section
        title={t`File and product`}
        subtitle={t`Customers keep their license keys, terms, seats and devices, and need not activate again.`}
      >
        <Column gap="l">
          <FileField
            {...(opened && { table: opened.table })}
            onRead={changing((table: ImportTable) =>
              setOpened({ table, mapping: suggested(table.names) }),
            )}
          />
          <ProductPicker
            value={productId}
            required
            helperText={t`It gets the licenses. It needs signing keys and a published release.`}
            onChange={changing(setProductId)}
          />
          <TextField
            type="email"
            label={t`Email for licenses that name none`}
            helperText={t`Optional. Only perpetual licenses can be without an email address.`}
            value={receiver}
            onChange={(event) => changing(setReceiver)(event.target.value)}
          />
          <FormControlLabel
            label={t`Import devices, so that they keep their seats`}
            control={
              <Checkbox
                checked={withDevices}
                onChange={(_, checked) => changing(setWithDevices)(checked)}
              />
            }
          />
        </Column>
      </Section>
      {opened && (
        <Section title={t`Columns`}>
          <Columns
            table={opened.table}
            mapping={opened.mapping}
            onChange={changing((mapping: Mapping) => setOpened({ ...opened, mapping }))}
          />
        </Section>
      )}
      {opened && (
        <Section title={t`Import`}>
          <Column gap="m" align="stretch">
            {!hasKeys && (
              <Alert severity="info">{t`Choose the column that becomes the license key.`}</Alert>
            )}
            {state && <Outcome run={state} onStop={stop} />}
            {!isRunning && (
              <Row gap="s" wraps>
                {isChecked && state.report.licenses > 0 && (
                  <Button variant="contained" onClick={() => start(false)}>
                    {plural(state.report.licenses, {
                      one: "Import # license",
                      other: "Import # licenses",
                    })}
                  </Button>
                )}
                {isDone && state.rows < state.total && (
                  <Button variant="contained" onClick={() => start(false)}>{t`Continue`}</Button>
                )}
                {isDone ? (
                  <ButtonLink
                    to="/licenses"
                    variant={state.rows < state.total ? "outlined" : "contained"}
                  >
                    {t`All licenses`}
                  </ButtonLink>
                ) : (
                  <Button
                    variant={state ? "outlined" : "contained"}
                    disabled={!hasKeys || !productId}
                    onClick={() => start(true)}
                  >
                    {state ? t`Check again` : t`Check`}
                  </Button>
                )}
              </Row>
            )}
          </Column>
        </Section>
      )}
    </Column>
  );
}

/** The page that imports licenses of another product from a CSV file. */
export default function ImportPage() {
  const { profile, institutionId } = useInstitution();
  const can = useCan();
  return (
    <Page
      title={t`Import licenses`}
      help="importing"
      back={{ to: "/licenses", label: t`Licenses` }}
    >
      {profile &&
        (can.manage && institutionId ? (
          <Import key={institutionId} />
        ) : (
          <EmptyState title={t`You cannot import licenses`}>
            {t`Only Owners and Admins of the institution can.`}
          </EmptyState>
        ))}
    </Page>
  );
}
