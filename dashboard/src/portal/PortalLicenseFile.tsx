import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DownloadIcon, LockIcon } from "../ui/icons";
import { download } from "../api/client";
import type { Schemas } from "../api/types";
import { Column, Row } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";

interface PortalLicenseFileProps {
  license: Schemas["PortalLicense"];
  /** Path of the license in the API. */
  path: string;
}

/** Download of license.bin, for machines without a network connection. */
export function PortalLicenseFile({ license, path }: PortalLicenseFileProps) {
  const takesSeat = license.type === "Concurrent" && license.activationMode === "Offline";
  const [hardwareId, setHardwareId] = useState("");
  const [busy, setBusy] = useState<"plain" | "protected" | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (license.status !== "Active") return null;
  const take = async (kind: "plain" | "protected") => {
    setBusy(kind);
    setError(null);
    try {
      const query = new URLSearchParams({
        ...(kind === "protected" && { protected: "true" }),
        ...(takesSeat && { hardwareId: hardwareId.trim() }),
      });
      await download(`${path}/file?${query.toString()}`);
    } catch (error) {
      setError(error);
    }
    setBusy(null);
  };
  const disabled = busy !== null || (takesSeat && hardwareId.trim() === "");
  return (
    <Section
      title={t`License file`}
      subtitle={
        license.activationMode === "Offline"
          ? t`Put license.bin next to the application to use it without a network connection.`
          : t`The application checks with the vendor’s server and uses this file when the server cannot be reached.`
      }
    >
      <Column gap="m" align="start">
        {takesSeat && (
          <TextField
            fullWidth
            label={t`Hardware ID`}
            value={hardwareId}
            onChange={(event) => setHardwareId(event.target.value)}
            helperText={t`The file works only on the device with this hardware ID, which takes one of your seats and keeps it at least until the file ends.`}
            autoComplete="off"
          />
        )}
        <Row gap="s" wraps>
          <Button
            variant="outlined"
            startIcon={<DownloadIcon />}
            loading={busy === "plain"}
            disabled={disabled}
            onClick={() => void take("plain")}
          >
            {t`Download license.bin`}
          </Button>
          <Button
            startIcon={<LockIcon />}
            loading={busy === "protected"}
            disabled={disabled}
            onClick={() => void take("protected")}
          >
            {t`Download protected`}
          </Button>
        </Row>
        <Typography variant="body2" color="textSecondary">
          {t`The protected file can be opened only with the license key. Use it if the application asks for it.`}
        </Typography>
        {error !== null && <ProblemAlert error={error} />}
      </Column>
    </Section>
  );
}
