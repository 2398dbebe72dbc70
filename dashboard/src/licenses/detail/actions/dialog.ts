import type { License } from "../../../api/types";

/** What every dialog about a license is given. */
export interface LicenseDialogProps {
  license: License;
  onClose: () => void;
}
