import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";

interface CatalogFieldsProps {
  license: License;
  releaseId: string;
  entitlementSetId: string;
  onRelease: (id: string) => void;
  onEntitlementSet: (id: string) => void;
}

/** The release and the entitlement set of the license. */
export function CatalogFields(props: CatalogFieldsProps) {
  const { license, releaseId, entitlementSetId } = props;
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
  return (
    <>
      <TextField
        select
        label={t`Release`}
        value={releaseId}
        helperText={t`Applications with a higher major version are rejected.`}
        onChange={(event) => {
          props.onRelease(event.target.value);
        }}
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
      </TextField>
      <TextField
        select
        label={t`Entitlement set`}
        value={entitlementSetId}
        helperText={t`Which features the license includes.`}
        slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        onChange={(event) => {
          props.onEntitlementSet(event.target.value);
        }}
      >
        <MenuItem value="">{t`Not restricted`}</MenuItem>
        {entitlementSetId !== "" && !setItems.some((item) => item.id === entitlementSetId) && (
          <MenuItem value={entitlementSetId}>{t`Current set`}</MenuItem>
        )}
        {setItems.map((item) => (
          <MenuItem key={item.id} value={item.id}>
            {item.name}
          </MenuItem>
        ))}
      </TextField>
    </>
  );
}
