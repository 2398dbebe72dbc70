import { t } from "@lingui/core/macro";
import { FigureRow } from "../ui/FigureRow";
import { KeyFigure } from "../ui/KeyFigure";
import { licenseListPath } from "../ui/licenseListPath";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useOverview } from "./useOverview";

/** Key figures, each linked to its list. */
export function KeyFigures({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = useOverview(institutionId);
  if (error && !data) return <ProblemAlert error={error} retry={() => void refetch()} />;
  const soon = licenseListPath({ status: "Active", expiringWithin: 30 });
  return (
    <FigureRow label={t`Key figures`}>
      <KeyFigure
        label={t`Active licenses`}
        value={data?.activeLicenses}
        to={licenseListPath({ status: "Active" })}
      />
      <KeyFigure label={t`Expiring in 30 days`} value={data?.expiringIn30Days} to={soon} />
      <KeyFigure label={t`Live sessions`} value={data?.liveSessions} to="/statistics/sessions" />
      <KeyFigure label={t`Active devices`} value={data?.activations} to="/statistics/activations" />
      <KeyFigure label={t`Products`} value={data?.products} to="/products" />
    </FigureRow>
  );
}
