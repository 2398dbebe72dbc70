import { Page } from "../ui/Page";
import { StatusChip } from "../ui/StatusChip";
import { useMode } from "../ui/theme/mode";
import { ThemeButton } from "../ui/ThemeButton";
import { Controls, Feedback, Tokens } from "./Controls";
import { Figures, Lists } from "./Lists";
import { Forms } from "./Forms";
import styles from "./gallery.module.css";
import { Part } from "./Part";

const STATUSES = [
  "Active",
  "Suspended",
  "Revoked",
  "Draft",
  "Expired",
  "Pending",
  "Live",
  "Failed",
];

/** Every piece of `DESIGN.md`; only in development. */
export default function GalleryPage() {
  const { theme } = useMode();
  return (
    <div className={styles.page}>
      <Page
        title="Pieces"
        mark={<StatusChip status={theme} />}
        subtitle="Everything that pages are put together from, as DESIGN.md describes it."
        actions={<ThemeButton />}
      >
        <div className={styles.parts}>
          <Tokens />
          <Part title="Status">
            {STATUSES.map((status) => (
              <StatusChip key={status} status={status} />
            ))}
          </Part>
          <Controls />
          <Forms />
          <Lists />
          <Figures />
          <Feedback />
        </div>
      </Page>
    </div>
  );
}
