import { DaySection } from "../ui/charts/DaySection";
import { Ranking } from "../ui/charts/Ranking";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { KeyFigure } from "../ui/KeyFigure";
import { Section } from "../ui/Section";
import styles from "./gallery.module.css";
import { Part } from "./Part";

const DAYS = Array.from({ length: 30 }, (_, place) => ({
  date: new Date(Date.UTC(2026, 9, 24 + place)).toISOString().slice(0, 10),
  peak: 2 + ((place * 7) % 6),
}));

/** Figures, facts and charts. */
export const Figures = () => (
  <>
    <Part title="Key figures">
      <div className={styles.fields}>
        <KeyFigure label="Active licenses" value={1284} to="/ui" />
        <KeyFigure label="Live sessions" value={37} hint="Now" />
        <KeyFigure label="Loading" value={undefined} />
      </div>
    </Part>
    <Part title="Facts" isStacked>
      <Section title="License" help="models">
        <CopyField label="License key" value="DARKB-N4C9M-58E2P-VT1QP-Y02R0" />
        <DescriptionList
          facts={[
            ["Release", "3.0.0"],
            ["Issued to", "asa.berg@example.com"],
            ["Expires", "Never"],
            ["Issuer", null],
          ]}
        />
      </Section>
    </Part>
    <Part title="Charts" isStacked>
      <DaySection
        title="Peak concurrent sessions"
        days={DAYS}
        series={[{ label: "Sessions", value: (day) => day.peak }]}
        empty="No sessions in this period."
        name="peaks"
      />
      <Section title="Licenses with the most live sessions">
        <Ranking
          ranks={[
            { key: "1", label: "Render farm", value: 3, of: 10, note: "of 10", to: "/ui" },
            { key: "2", label: "Design team", value: 5, of: 5, note: "of 5", to: "/ui" },
          ]}
        />
      </Section>
    </Part>
  </>
);
