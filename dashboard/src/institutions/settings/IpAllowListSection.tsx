import Box from "@mui/material/Box";
import { $api } from "../../api/client";
import { IpAllowListForm } from "./IpAllowListForm";

/** Only the IP allow-list, for a system Admin who is locked out by it. */
export function IpAllowListSection({ institutionId }: { institutionId: string }) {
  const { data } = $api.useQuery("get", "/api/institutions/{institutionId}/settings", {
    params: { path: { institutionId } },
  });
  if (!data) return null;
  return (
    <Box sx={{ mt: 2.5, maxWidth: 820 }}>
      <IpAllowListForm
        key={data.ipAllowList.join()}
        institutionId={institutionId}
        settings={data}
      />
    </Box>
  );
}
