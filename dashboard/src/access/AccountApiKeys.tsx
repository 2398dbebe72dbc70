import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import type { Schemas } from "../api/types";
import { relative } from "../ui/formats";

interface AccountApiKeysProps {
  keys: Schemas["AccountApiKey"][];
  isRevoking: boolean;
  onRevoking: (isRevoking: boolean) => void;
}

/** The API keys that a new password does not end, and the offer to revoke them. */
export const AccountApiKeys = ({ keys, isRevoking, onRevoking }: AccountApiKeysProps) => (
  <Alert severity="warning" sx={{ overflowWrap: "anywhere" }}>
    {t`A new password does not end the API keys that you created:`}
    <ul>
      {keys.map((key) => (
        <li key={key.id}>
          <bdi>{key.name}</bdi> (<bdi>{key.institutionName}</bdi>),{" "}
          {key.lastUsedAt ? t`last used ${{ time: relative(key.lastUsedAt) }}` : t`never used`}
        </li>
      ))}
    </ul>
    <FormControlLabel
      label={t`Revoke them as well, because someone else may have them`}
      control={
        <Checkbox
          checked={isRevoking}
          onChange={(_, checked) => {
            onRevoking(checked);
          }}
        />
      }
    />
  </Alert>
);
