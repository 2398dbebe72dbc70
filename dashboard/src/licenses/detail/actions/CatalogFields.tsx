import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { useWatch } from "react-hook-form";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { FormField } from "../../../ui/form/FormField";
import type { ApiForm } from "../../../ui/form/useApiForm";
import type { Draft } from "./draft";

interface CatalogFieldsProps {
  license: License;
  form: ApiForm<Draft>;
}

/** The release and the entitlement set of the license. */
export function CatalogFields({ license, form: { control, field } }: CatalogFieldsProps) {
  const path = { productId: license.productId };
  const query = { pageSize: 100 };
  const releases = $api.useQuery("get", "/api/products/{productId}/releases", {
    params: { path, query },
  });
  const sets = $api.useQuery("get", "/api/products/{productId}/entitlement-sets", {
    params: { path, query },
  });
  const releaseItems = releases.data?.items ?? [];
  const setItems = sets.data?.items ?? [];
  const [releaseId, setId] = useWatch({ control, name: ["softwareReleaseId", "entitlementSetId"] });
  return (
    <>
      <FormField
        {...field("softwareReleaseId")}
        select
        label={t`Release`}
        helperText={t`Applications with a higher major version are rejected.`}
      >
        {!releaseItems.some((item) => item.id === releaseId) && (
          <MenuItem value={releaseId}>{license.releaseVersion}</MenuItem>
        )}
        {releaseItems.map((item) => (
          <MenuItem key={item.id} value={item.id}>
            {item.version}
            {item.channel !== "Stable" && ` (${item.channel})`}
          </MenuItem>
        ))}
      </FormField>
      <FormField
        {...field("entitlementSetId")}
        select
        label={t`Entitlement set`}
        helperText={t`Which features the license includes.`}
        slotProps={{ select: { displayEmpty: true } }}
      >
        <MenuItem value="">{t`Not restricted`}</MenuItem>
        {setId !== "" && !setItems.some((item) => item.id === setId) && (
          <MenuItem value={setId}>{t`Current set`}</MenuItem>
        )}
        {setItems.map((item) => (
          <MenuItem key={item.id} value={item.id}>
            {item.name}
          </MenuItem>
        ))}
      </FormField>
    </>
  );
}
