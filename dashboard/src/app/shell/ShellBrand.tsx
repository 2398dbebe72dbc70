import { Brand } from "../../ui/Brand";
import { useCustomer } from "../../ui/useInstitution";
import { PortalBrand, useVendor } from "../../ui/vendor/vendor";

/** Whose service it is: to customers that of their vendor. */
export const ShellBrand = ({ isNarrow = false }: { isNarrow?: boolean }) =>
  useCustomer() ? <CustomerBrand /> : <Brand isNarrow={isNarrow} />;

const CustomerBrand = () => <PortalBrand vendor={useVendor()} />;
