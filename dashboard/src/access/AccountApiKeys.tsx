import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import type { Schemas } from "../api/types";
import { relative } from "../ui/formats";

interface AccountApiKeysProps {
  keys: Schemas["AccountApiKey"][];
  /** The offer to revoke them. */
  children: ReactNode;
}

/** The API keys that a new password does not end. */
export const AccountApiKeys = ({ keys, children }: AccountApiKeysProps) => (
  <Alert severity="warning">
    {t`A new password does not end the API keys that you created:`}
    <ul>
      {keys.map((key) => (
        <li key={key.id}>
          <bdi>{key.name}</bdi> (<bdi>{key.institutionName}</bdi>),{" "}
          {key.lastUsedAt ? t`last used ${{ time: relative(key.lastUsedAt) }}` : t`never used`}
        </li>
      ))}
    </ul>
    {children}
  </Alert>
);
