import type { License } from "../../../api/types";

/** Props of every dialog about a license. */
export interface LicenseDialogProps {
  license: License;
  onClose: () => void;
}
