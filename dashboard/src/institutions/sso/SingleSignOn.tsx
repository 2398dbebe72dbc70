import Skeleton from "@mui/material/Skeleton";
import { $api } from "../../api/client";
import { Problem } from "../../api/problem";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { ConnectionForm } from "./ConnectionForm";
import { DomainsSection } from "./DomainsSection";
import { DisconnectSection } from "./DisconnectSection";

/** The connection of the institution to its identity provider. */
export default function SingleSignOn({ institutionId }: { institutionId: string }) {
  const asked = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/sso",
    { params: { path: { institutionId } } },
    { retry: false },
  );
  const isMissing = asked.error instanceof Problem && asked.error.status === 404;
  if (asked.error && !isMissing)
    return <ProblemAlert error={asked.error} retry={() => void asked.refetch()} />;
  if (asked.isPending) return <Skeleton variant="rounded" height={420} />;
  const connection = isMissing ? undefined : asked.data;
  const shared = { institutionId, onChanged: () => asked.refetch() };
  return (
    <>
      <ConnectionForm key={connection?.updatedAt ?? "new"} connection={connection} {...shared} />
      {connection && <DomainsSection connection={connection} {...shared} />}
      {connection && <DisconnectSection {...shared} />}
    </>
  );
}
