import { $api } from "../../api/client";
import { IpAllowListForm } from "./IpAllowListForm";
import styles from "./settings.module.css";

/** Only the IP allow-list, for a system Admin who is locked out by it. */
export function IpAllowListSection({ institutionId }: { institutionId: string }) {
  const { data } = $api.useQuery("get", "/api/institutions/{institutionId}/settings", {
    params: { path: { institutionId } },
  });
  if (!data) return null;
  return (
    <div className={styles.remedy}>
      <IpAllowListForm institutionId={institutionId} settings={data} />
    </div>
  );
}
