import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useEffect, useRef } from "react";
import { DownloadIcon } from "../../ui/icons";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { License } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { Column, Row } from "../../ui/layout/layout";
import { ButtonLink } from "../../ui/PageLink";
import { Section } from "../../ui/Section";
import { customerEmailOf, issuedText } from "./customerText";
import styles from "./issue.module.css";
import { SendSection } from "./SendSection";
import { notify } from "../../ui/toasts/toasts";

const PROTECTED_KEY_LENGTH = 20;

function Files({ license }: { license: License }) {
  const save = (isProtected: boolean) =>
    download(`/api/licenses/${license.id}/file?protected=${String(isProtected)}`).catch(
      (error: unknown) => notify(asProblem(error).message, { type: "error" }),
    );
  if (license.type === "Concurrent" && license.activationMode === "Offline")
    return (
      <Section title="license.bin" help="offline">
        <Typography color="textSecondary">
          {t`Each device needs a file of its own, which takes a seat. Download it from the license page with the hardware ID of the device.`}
        </Typography>
      </Section>
    );
  const takesProtected = license.licenseKey.length >= PROTECTED_KEY_LENGTH;
  return (
    <Section title="license.bin" help="offline">
      <Column gap="m">
        <Typography color="textSecondary">
          {t`The signed file for the customer. The encrypted one can be opened only with the license key.`}
          {license.type === "NodeLocked" && (
            <>
              {" "}
              {t`A node-locked license needs a machine first; once one is bound, download the file from the license page.`}
            </>
          )}
        </Typography>
        <Row gap="s" wraps>
          <Button variant="outlined" startIcon={<DownloadIcon />} onClick={() => void save(false)}>
            {t`Download`}
          </Button>
          {takesProtected && (
            <Button variant="outlined" startIcon={<DownloadIcon />} onClick={() => void save(true)}>
              {t`Download encrypted`}
            </Button>
          )}
        </Row>
      </Column>
    </Section>
  );
}

/** The issued license: what to send to the customer, and next steps. */
export function IssuedPanel({ license, onAnother }: { license: License; onAnother: () => void }) {
  const canSend = license.issuedTo !== null;
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The fields, which had the focus, are gone.
    result.current?.focus();
  }, []);
  return (
    <Column gap="l" className={styles.result}>
      <Alert ref={result} severity="success" role="status" tabIndex={-1}>
        {issuedText(license)}
      </Alert>
      <Section title={t`License key`} help="models">
        <CopyField label={t`License key`} value={license.licenseKey} />
      </Section>
      {canSend && <SendSection license={license} />}
      <Files license={license} />
      <Section
        title={t`Email to the customer`}
        subtitle={t`Copy this text into an email of your own.`}
      >
        <CopyField label={t`Email`} value={customerEmailOf(license)} block />
      </Section>
      <Row gap="s" wraps>
        <ButtonLink to={`/licenses/${license.id}`} variant={canSend ? "outlined" : "contained"}>
          {t`Open license`}
        </ButtonLink>
        <Button variant="outlined" onClick={onAnother}>
          {t`Issue another`}
        </Button>
        <ButtonLink to="/licenses">{t`All licenses`}</ButtonLink>
      </Row>
    </Column>
  );
}
