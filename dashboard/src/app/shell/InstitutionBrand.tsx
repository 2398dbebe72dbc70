import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { $api, at } from "../../api/client";
import { Emblem } from "../../ui/Emblem";
import { ExpandIcon } from "../../ui/icons";
import { floating } from "../../ui/lazy";
import { useInstitution } from "../../ui/useInstitution";
import type { InstitutionMenuProps } from "./InstitutionMenu";
import styles from "./shell.module.css";

const InstitutionMenu = floating<InstitutionMenuProps>(() => import("./InstitutionMenu"));

interface InstitutionBrandProps {
  /** Only the emblem. */
  isNarrow: boolean;
  /** After another institution was chosen. */
  onLeave: (() => void) | undefined;
}

/** The logo of the institution, which Members may not ask for. */
function useLogo(): string | null | undefined {
  const { memberships, institutionId } = useInstitution();
  const own = memberships.find((item) => item.institutionId === institutionId);
  const isShown = own !== undefined && own.role !== "Member" && !own.closed;
  const { data } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/appearance",
    at({ institutionId: institutionId ?? "" }),
    { enabled: isShown, staleTime: 300_000 },
  );
  return data?.logoUrl;
}

interface OwnerMarkProps {
  name: string;
  logo?: string | null | undefined;
  isNarrow: boolean;
}

/** The emblem of an institution, and with room its name. */
export const OwnerMark = ({ name, logo, isNarrow }: OwnerMarkProps) => (
  <>
    <Emblem kind="product" name={name} imageUrl={logo} />
    {!isNarrow && (
      <span className={styles.ownerName} dir="auto">
        {name}
      </span>
    )}
  </>
);

/** Whose data is shown: emblem and name of the institution; members of several switch here. */
export function InstitutionBrand({ isNarrow, onLeave }: InstitutionBrandProps) {
  const { memberships, institutionName: name, switchTo } = useInstitution();
  const logo = useLogo();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const mark = <OwnerMark name={name} logo={logo} isNarrow={isNarrow} />;
  if (memberships.length < 2)
    return (
      <Link
        to="/"
        aria-label={t`${{ displayName: name }}, home`}
        className={styles.owner}
        onClick={onLeave}
      >
        {mark}
      </Link>
    );
  const choose = (id: string) => {
    setAnchor(null);
    switchTo(id);
    onLeave?.();
    void navigate("/");
  };
  return (
    <>
      <button
        type="button"
        className={styles.owner}
        aria-haspopup="menu"
        aria-label={t`Institution: ${{ institutionName: name }}. Switch`}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {mark}
        {!isNarrow && <ExpandIcon aria-hidden />}
      </button>
      <InstitutionMenu
        open={anchor !== null}
        anchor={anchor}
        onChoose={choose}
        onClose={() => setAnchor(null)}
      />
    </>
  );
}
