import { Brand } from "../../ui/Brand";
import { useCustomer, useInstitution } from "../../ui/useInstitution";
import { PortalBrand, useVendor } from "../../ui/vendor/vendor";
import { useKeptMenu } from "./entries";
import { InstitutionBrand, OwnerMark } from "./InstitutionBrand";
import styles from "./shell.module.css";

interface ShellBrandProps {
  isNarrow?: boolean;
  /** After a link was followed, or another institution was chosen. */
  onLeave?: () => void;
}

/** Whose place it is: to customers that of their vendor, to others that of their institution. */
export function ShellBrand({ isNarrow = false, onLeave }: ShellBrandProps) {
  const isCustomer = useCustomer();
  const { institutionId } = useInstitution();
  const [kept] = useKeptMenu();
  if (isCustomer) return <CustomerBrand />;
  if (institutionId === undefined && kept.name)
    return (
      <span className={styles.owner}>
        <OwnerMark name={kept.name} isNarrow={isNarrow} />
      </span>
    );
  if (!institutionId) return <Brand isNarrow={isNarrow} />;
  return <InstitutionBrand isNarrow={isNarrow} onLeave={onLeave} />;
}

const CustomerBrand = () => <PortalBrand vendor={useVendor()} />;
