import { t } from "@lingui/core/macro";
import changelog from "../../../CHANGELOG.md?raw";
import { EnglishNote } from "../ui/locale/EnglishNote";
import { Page } from "../ui/Page";
import { Prose } from "./Prose";
import styles from "./prose.module.css";

/** The notes of all releases, without the title of the file and what is not released yet. */
const NOTES = changelog.slice(changelog.search(/\n## \d/));

/** Every change of the service, for those who run it or write programs for it. */
export default function ChangelogPage() {
  return (
    <Page title={t`All changes`} back={{ to: "/whats-new", label: t`What's new` }}>
      <EnglishNote />
      <article lang="en" className={styles.prose}>
        <Prose markdown={NOTES} path="/whats-new/changelog" />
      </article>
    </Page>
  );
}
