import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useEffect, useRef } from "react";
import type { Schemas } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { saveCsv } from "../../ui/csv";
import { DownloadIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { ButtonLink } from "../../ui/PageLink";
import { Section } from "../../ui/Section";
import styles from "./issue.module.css";

interface IssuedKeysProps {
  licenses: readonly Schemas["IssuedKey"][];
  onAnother: () => void;
}

const COLUMNS = ["licenseKey", "licenseName", "issuedTo", "expirationDate", "id"] as const;

/** The keys of several licenses that were just issued, to copy or to download. */
export function IssuedKeys({ licenses, onAnother }: IssuedKeysProps) {
  const result = useRef<HTMLDivElement>(null);
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
    <Column gap="l" className={styles.result}>
      <Alert ref={result} severity="success" role="status" tabIndex={-1}>
        {plural(licenses.length, { one: "# license issued.", other: "# licenses issued." })}
      </Alert>
      <Section
        title={t`License keys`}
        actions={
          <Button variant="contained" startIcon={<DownloadIcon />} onClick={download}>
            {t`Download CSV`}
          </Button>
        }
      >
        <CopyField
          label={t`License keys`}
          value={licenses.map(({ licenseKey }) => licenseKey).join("\n")}
          block
        />
      </Section>
      <Row gap="s" wraps>
        <Button variant="outlined" onClick={onAnother}>
          {t`Issue another`}
        </Button>
        <ButtonLink to="/licenses">{t`All licenses`}</ButtonLink>
      </Row>
    </Column>
  );
}
