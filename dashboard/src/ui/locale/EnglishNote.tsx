import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { SOURCE } from "./locale";
import styles from "./englishNote.module.css";

/** Says of a page with text that is not translated that it is in English. */
export const EnglishNote = () =>
  i18n.locale === SOURCE ? null : (
    <Alert severity="info" role="note" className={styles.note}>
      {t`This page is in English.`}
    </Alert>
  );
