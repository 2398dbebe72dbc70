import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { DownloadIcon } from "../ui/icons";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { EmptyState } from "../ui/EmptyState";
import { bytes, date } from "../ui/formats";
import { words } from "../ui/labels";
import { Column, Row } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import styles from "./portal.module.css";

type Release = Schemas["PortalDownload"];

/** Download URLs expire after 15 minutes, so refetch them before that. */
const REFRESH_MS = 10 * 60_000;

/** Files of the published releases the license covers, newest first. */
export function PortalDownloads({ license }: { license: Schemas["PortalLicense"] }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/portal/licenses/{licenseId}/downloads",
    { params: { path: { licenseId: license.id } } },
    { refetchInterval: REFRESH_MS },
  );
  const releases = data?.items.filter((release) => release.files.length > 0) ?? [];
  return (
    <Section title={t`Downloads`}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton variant="rounded" height={64} />}
      {data && releases.length === 0 && (
        <EmptyState title={t`No downloads`}>
          {t`The vendor has not published any files for this license. Download the application from where you bought it.`}
        </EmptyState>
      )}
      <Column as="ul" gap="l">
        {releases.map((release) => (
          <ReleaseFiles key={release.releaseId} release={release} />
        ))}
      </Column>
    </Section>
  );
}

const ReleaseFiles = ({ release }: { release: Release }) => (
  <li>
    <Row gap="s" wraps>
      <Typography variant="subtitle1" component="h3">
        {t`Version ${{ version: release.version }}`}
      </Typography>
      {release.channel !== "Stable" && (
        <StatusChip status={release.channel} label={words(release.channel)} tone="news" />
      )}
      {release.publishedAt && (
        <Typography variant="body2" color="textSecondary">
          {date(release.publishedAt)}
        </Typography>
      )}
    </Row>
    {release.files.map((file) => (
      <Row key={file.name} gap="l" wraps className={styles.file}>
        <div className={styles.fileFacts}>
          <Typography>
            {file.name}{" "}
            <Typography component="span" variant="body2" color="textSecondary">
              {[file.platform, bytes(file.sizeBytes)].filter(Boolean).join(" · ")}
            </Typography>
          </Typography>
          <CopyField label="SHA-256" value={file.sha256} />
        </div>
        <Button
          component="a"
          href={file.downloadUrl}
          download
          startIcon={<DownloadIcon />}
          aria-label={t`Download ${{ file: file.name }}`}
        >
          {t`Download`}
        </Button>
      </Row>
    ))}
  </li>
);
