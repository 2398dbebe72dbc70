import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import TextField from "@mui/material/TextField";
import styles from "./languageSelect.module.css";
import { chooseLocale, LOCALES, type Locale } from "./locale";

const choose = (event: { target: { value: string } }) => chooseLocale(event.target.value as Locale);

const options = Object.entries(LOCALES).map(([tag, name]) => (
  <option key={tag} value={tag} lang={tag}>
    {name}
  </option>
));

/** Chooses the language of the dashboard in this browser. Another one reloads the page. */
export const LanguageSelect = () => (
  <TextField
    select
    label={t`Language`}
    value={i18n.locale}
    onChange={choose}
    slotProps={{ select: { native: true } }}
    helperText={t`The changelog and details from the server are in English.`}
    className={styles.field}
  >
    {options}
  </TextField>
);

/** The same, as quiet as a footnote; its label is for screen readers only. */
export const LanguageFootnote = () => (
  <select className={styles.quiet} aria-label={t`Language`} value={i18n.locale} onChange={choose}>
    {options}
  </select>
);
