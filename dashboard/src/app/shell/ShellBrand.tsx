import { Brand } from "../../ui/Brand";
import { useCustomer, useInstitution } from "../../ui/useInstitution";
import { PortalBrand, useVendor } from "../../ui/vendor/vendor";
import { InstitutionBrand } from "./InstitutionBrand";

interface ShellBrandProps {
  isNarrow?: boolean;
  /** After a link was followed, or another institution was chosen. */
  onLeave?: () => void;
}

/** Whose place it is: to customers that of their vendor, to others that of their institution. */
export function ShellBrand({ isNarrow = false, onLeave }: ShellBrandProps) {
  const isCustomer = useCustomer();
  const { institutionId } = useInstitution();
  if (isCustomer) return <CustomerBrand />;
  if (!institutionId) return <Brand isNarrow={isNarrow} />;
  return <InstitutionBrand isNarrow={isNarrow} onLeave={onLeave} />;
}

const CustomerBrand = () => <PortalBrand vendor={useVendor()} />;
