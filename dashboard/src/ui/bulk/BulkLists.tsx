import { plural } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import styles from "./bulk.module.css";

const SHOWN = 8;

/** The first names of what a bulk action is about to change. */
export const BulkNames = ({ names }: { names: string[] }) => (
  <ul className={styles.included}>
    {names.slice(0, SHOWN).map((name, place) => (
      <li key={place} dir="auto">
        {name}
      </li>
    ))}
    {names.length > SHOWN && (
      <li>{plural({ rest: names.length - SHOWN }, { other: "and # more" })}</li>
    )}
  </ul>
);

/** What a bulk action leaves out, by reason. */
export const BulkReasons = ({ title, reasons }: { title: string; reasons: string[] }) => (
  <div>
    <Typography variant="subtitle1" component="p">
      {title}
    </Typography>
    <ul tabIndex={0} className={styles.reasons}>
      {reasons.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </div>
);
