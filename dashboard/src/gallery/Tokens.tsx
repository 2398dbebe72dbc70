import * as icons from "../ui/icons";
import styles from "./gallery.module.css";
import { Part } from "./Part";

const COLORS = [
  "ground",
  "sheet",
  "sunken",
  "selected",
  "line",
  "edge",
  "ink",
  "muted",
  "accent",
  "good-fill",
  "wait-fill",
  "bad-fill",
  "news-fill",
  "over-fill",
  "series-1",
  "series-2",
  "series-3",
  "series-4",
];

/** Colors, sizes of type, icons. */
export const Tokens = () => (
  <>
    <Part title="Color">
      {COLORS.map((name) => (
        <Swatch key={name} name={name} />
      ))}
    </Part>
    <Part title="Type">
      <div className={styles.types}>
        <p className={styles.title20}>Workstation 7</p>
        <p className={styles.body14}>The license is for one machine, and this is another.</p>
        <p className={styles.dense13}>Aurora Studio 3.0.0, issued to asa.berg@example.com</p>
        <p className={styles.small12}>Created Nov 23, 2026, 9:30 AM</p>
        <code>DARKB-N4C9M-58E2P-VT1QP-Y02R0</code>
      </div>
    </Part>
    <Part title="Icons">
      <div className={styles.icons}>
        {Object.entries(icons).map(([name, Icon]) => (
          <Icon key={name} role="img" aria-label={name} />
        ))}
      </div>
    </Part>
  </>
);

const Swatch = ({ name }: { name: string }) => (
  <div
    className={styles.swatch}
    ref={(element) => element?.style.setProperty("--swatch", `var(--${name})`)}
  >
    <span>{name}</span>
  </div>
);
