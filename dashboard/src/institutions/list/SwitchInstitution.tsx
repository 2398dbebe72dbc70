import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import type { Institution } from "../../api/types";
import { useInstitution } from "../../ui/useInstitution";
import styles from "./list.module.css";
import { notify } from "../../ui/toasts/toasts";

/** Switches to an institution; shown to its members only. */
export function SwitchInstitution({ institution }: { institution: Institution }) {
  const { institutionId, memberships, switchTo } = useInstitution();
  if (institution.id === institutionId)
    return <Chip size="small" color="success" label={t`Current`} />;
  if (!memberships.some((item) => item.institutionId === institution.id)) return null;
  const { name } = institution;
  return (
    <Button
      size="small"
      variant="outlined"
      className={styles.switch}
      aria-label={t`Switch to ${name}`}
      onClick={() => {
        switchTo(institution.id);
        notify(t`Switched to ${name}.`, { type: "success" });
      }}
    >
      {t`Switch`}
    </Button>
  );
}
