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
    <FigureRow label="Key figures">
      <KeyFigure
        label="Active licenses"
        value={data?.activeLicenses}
        to={licenseListPath({ status: "Active" })}
      />
      <KeyFigure label="Expiring in 30 days" value={data?.expiringIn30Days} to={soon} />
      <KeyFigure label="Live sessions" value={data?.liveSessions} to="/statistics/sessions" />
      <KeyFigure label="Active devices" value={data?.activations} to="/statistics/activations" />
      <KeyFigure label="Products" value={data?.products} to="/products" />
    </FigureRow>
  );
}
