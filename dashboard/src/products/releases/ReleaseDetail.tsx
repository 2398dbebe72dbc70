import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link as RouterLink, useParams } from "react-router";
import { Column } from "../../ui/layout/layout";
import { ArrowBackIcon } from "../../ui/icons";
import { $api } from "../../api/client";
import { DescriptionList } from "../../ui/DescriptionList";
import { dateTime } from "../../ui/formats";
import { Markdown } from "../../ui/Markdown";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import type { TabProps } from "../parts/TabProps";
import { FilesSection } from "./FilesSection";
import { nameOf, type Release } from "./release";
import { ReleaseActions } from "./ReleaseActions";
import styles from "./releases.module.css";

const ReleaseFacts = ({ release, manage }: { release: Release; manage: boolean }) => (
  <Section
    title={t`Release ${nameOf(release)}`}
    help="releases"
    actions={manage && <ReleaseActions release={release} />}
  >
    <DescriptionList
      facts={[
        [t`Status`, <StatusChip key="status" status={release.status} />],
        [t`Channel`, release.channel],
        [t`Added`, dateTime(release.createdAt)],
        [
          t`First published`,
          release.publishedAt ? dateTime(release.publishedAt) : t`Not published yet`,
        ],
      ]}
    />
  </Section>
);

/** A release with its notes and files. */
export function ReleaseDetail({ product, manage }: TabProps) {
  const { releaseId = "" } = useParams();
  const { data: release, error } = $api.useQuery("get", "/api/releases/{releaseId}", {
    params: { path: { releaseId } },
  });
  return (
    <Column gap="l">
      <Link
        component={RouterLink}
        to={`/products/${product.id}/releases`}
        underline="hover"
        variant="body2"
        className={styles.back}
      >
        <ArrowBackIcon aria-hidden />
        {t`All releases`}
      </Link>
      {error && <ProblemAlert error={error} />}
      {!release && !error && (
        <>
          <Skeleton variant="rounded" height={150} />
          <Skeleton variant="rounded" height={260} />
        </>
      )}
      {release && (
        <>
          <ReleaseFacts release={release} manage={manage} />
          <Section title={t`Notes`}>
            {release.notes ? (
              <Markdown>{release.notes}</Markdown>
            ) : (
              <Typography color="textSecondary">
                {t`None. Release notes are shown to users with the update.`}
              </Typography>
            )}
          </Section>
          <FilesSection release={release} manage={manage} />
        </>
      )}
    </Column>
  );
}
