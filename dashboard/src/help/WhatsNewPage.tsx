import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Link from "@mui/material/Link";
import { $api } from "../api/client";
import { SOURCE } from "../ui/locale/locale";
import { Page } from "../ui/Page";
import { PageLink } from "../ui/PageLink";
import { useUpgrade } from "../ui/useUpgrade";
import { Prose } from "./Prose";
import styles from "./prose.module.css";

/** What those who use the dashboard notice of each version, by language. */
const notes = import.meta.glob<string>("./whatsNew/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The news of each version, a link to all changes, and a hint at a newer release if its feed named one. */
export default function WhatsNewPage() {
  const { data: running } = $api.useQuery("get", "/api/version", {}, { staleTime: Infinity });
  const upgrade = useUpgrade();
  const own = notes[`./whatsNew/${i18n.locale}.md`];
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
      <article lang={own ? i18n.locale : SOURCE} className={styles.prose}>
        <Prose markdown={own ?? notes[`./whatsNew/${SOURCE}.md`] ?? ""} path="/whats-new" />
      </article>
      <p>
        <PageLink to="/whats-new/changelog">{t`All changes, also of the API`}</PageLink>
      </p>
    </Page>
  );
}
