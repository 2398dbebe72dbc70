import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { FigureRow } from "../ui/FigureRow";
import { KeyFigure } from "../ui/KeyFigure";
import { useHome } from "./useHome";

const SHOWN: readonly (readonly [name: Schemas["FigureName"], label: string, to: string])[] = [
  ["LicensesIssued", t`Licenses issued`, "/statistics"],
  ["LicensesRenewed", t`Licenses renewed`, "/statistics"],
  ["LicensesExpired", t`Licenses expired`, "/statistics"],
  ["DevicesAdded", t`New devices`, "/statistics/activations"],
  ["SessionsStarted", t`Sessions started`, "/statistics/sessions"],
];

/** What happened in the last 30 days, against the 30 days before. */
export function PeriodFigures({ institutionId }: { institutionId: string }) {
  const { data } = useHome(institutionId);
  const figures = new Map(data?.period.figures.map((figure) => [figure.name, figure]));
  return (
    <FigureRow label={t`Last 30 days against the 30 before`}>
      {SHOWN.map(([name, label, to]) => (
        <KeyFigure
          key={name}
          label={label}
          value={figures.get(name)?.value}
          previous={figures.get(name)?.previous}
          to={to}
        />
      ))}
    </FigureRow>
  );
}
