import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import { useNotify } from "ra-core";
import type { Institution } from "../../api/types";
import { useInstitution } from "../../ui/useInstitution";

/** Makes an institution the one that lists and figures are about; for its members. */
export function WorkHere({ institution }: { institution: Institution }) {
  const { institutionId, memberships, switchTo } = useInstitution();
  const notify = useNotify();
  if (institution.id === institutionId)
    return <Chip size="small" color="success" label="You work here" />;
  if (!memberships.some((item) => item.institutionId === institution.id)) return null;
  return (
    <Button
      size="small"
      variant="outlined"
      sx={{ whiteSpace: "nowrap" }}
      aria-label={`Work in this institution: ${institution.name}`}
      onClick={() => {
        switchTo(institution.id);
        notify(`You work in ${institution.name} now.`, { type: "success" });
      }}
    >
      Work in this institution
    </Button>
  );
}
