import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Link from "@mui/material/Link";
import changelog from "../../../CHANGELOG.md?raw";
import { $api } from "../api/client";
import { EnglishNote } from "../ui/locale/EnglishNote";
import { Page } from "../ui/Page";
import { useUpgrade } from "../ui/useUpgrade";
import { Prose } from "./Prose";
import styles from "./prose.module.css";

/** The notes of all releases, without the title of the file and what is not released yet. */
const NOTES = changelog.slice(changelog.search(/\n## \d/));

/** The release notes of the service, and a hint at a newer release if its feed named one. */
export default function WhatsNewPage() {
  const { data: running } = $api.useQuery("get", "/api/version", {}, { staleTime: Infinity });
  const upgrade = useUpgrade();
  return (
    <Page
      title={t`What's new`}
      subtitle={running && t`This service runs version ${{ version: running.version }}.`}
    >
      {upgrade && (
        <Alert severity="info" className={styles.upgrade}>
          {t`Version ${{ version: upgrade.version }} is available.`}{" "}
          <Link href={upgrade.notesUrl} target="_blank" rel="noreferrer">
            {t`Read its release notes`}
          </Link>
        </Alert>
      )}
      <EnglishNote />
      <article lang="en" className={styles.prose}>
        <Prose markdown={NOTES} path="/whats-new" />
      </article>
    </Page>
  );
}
