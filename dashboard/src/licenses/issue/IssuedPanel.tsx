import DownloadIcon from "@mui/icons-material/Download";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useNotify } from "ra-core";
import { Link } from "react-router";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { License } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { MODEL_LABELS } from "../../ui/labels";
import { Section } from "../../ui/Section";
import { letterOf } from "./issueWords";

const PROTECTED_KEY_LENGTH = 20;

function Files({ license }: { license: License }) {
  const notify = useNotify();
  const save = (isProtected: boolean) =>
    download(`/api/licenses/${license.id}/file?protected=${String(isProtected)}`).catch(
      (refusal: unknown) => {
        notify(asProblem(refusal).message, { type: "error" });
      },
    );
  const takesProtected = license.licenseKey.replace(/[\s-]/g, "").length >= PROTECTED_KEY_LENGTH;
  return (
    <Section title="license.bin" help="offline">
      <Typography color="textSecondary" sx={{ mb: 1.5 }}>
        The signed file for the customer. The protected one opens only with the license key.
        {license.type === "NodeLocked" &&
          " A file for a node-locked license counts once its machine is bound; get it then from the license's page."}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
        <Button variant="outlined" startIcon={<DownloadIcon />} onClick={() => void save(false)}>
          Download plain
        </Button>
        {takesProtected && (
          <Button variant="outlined" startIcon={<DownloadIcon />} onClick={() => void save(true)}>
            Download protected
          </Button>
        )}
      </Stack>
    </Section>
  );
}

/** The license is there: what to hand to the customer, and where to go on. */
export function IssuedPanel({ license, onAnother }: { license: License; onAnother: () => void }) {
  return (
    <Stack sx={{ gap: 2, maxWidth: 820 }}>
      <Alert severity="success" role="status" sx={{ overflowWrap: "anywhere" }}>
        {license.licenseName} is issued: {MODEL_LABELS[license.type]} for {license.productName}{" "}
        {license.releaseVersion}.
      </Alert>
      <Section title="License key" help="models">
        <CopyField label="License key" value={license.licenseKey} />
      </Section>
      <Files license={license} />
      <Section title="Letter to the customer" subtitle="Copy it into an e-mail and send it.">
        <CopyField label="Letter" value={letterOf(license)} block />
      </Section>
      <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
        <Button component={Link} to={`/licenses/${license.id}`} variant="contained">
          Open the license
        </Button>
        <Button variant="outlined" onClick={onAnother}>
          Issue another like it
        </Button>
        <Button component={Link} to="/licenses">
          All licenses
        </Button>
      </Stack>
    </Stack>
  );
}
