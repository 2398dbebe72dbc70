import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import type { Theme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ComponentType, useState } from "react";
import { api, at } from "../../../api/client";
import type { License } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { MoreMenu } from "../../../ui/menu/MoreMenu";
import { useUrlParams } from "../../../ui/useUrlParams";
import {
  type Action,
  availableActions,
  headActions,
  isGrave,
  labelOf,
} from "../../../ui/license/available";
import type { LicenseDialogProps } from "./Consequences";
import { ConvertDialog } from "./ConvertDialog";
import { GrantDialog } from "../meter/GrantDialog";
import { EditDialog } from "./EditDialog";
import { MaintenanceDialog, TermDialog } from "./TermDialogs";
import {
  RekeyDialog,
  DeleteDialog,
  ReinstateDialog,
  RestoreDialog,
  RevokeDialog,
  SuspendDialog,
} from "./StateDialogs";

const DIALOGS: Record<Action, ComponentType<LicenseDialogProps>> = {
  grant: GrantDialog,
  edit: EditDialog,
  term: TermDialog,
  maintenance: MaintenanceDialog,
  send: SendDialog,
  reinstate: ReinstateDialog,
  restore: RestoreDialog,
  suspend: SuspendDialog,
  convert: ConvertDialog,
  rekey: RekeyDialog,
  revoke: RevokeDialog,
  delete: DeleteDialog,
};

interface LicenseActionProps {
  action: Action;
  license: License;
}

function ActionDialog({ action, license, onClose }: LicenseActionProps & LicenseDialogProps) {
  const Dialog = DIALOGS[action];
  return <Dialog license={license} onClose={onClose} />;
}

/** The next step for a license, as the one filled button of its page. */
export function LicenseAction({ action, license }: LicenseActionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="contained" onClick={() => setOpen(true)}>
        {labelOf(action, license)}
      </Button>
      {isOpen && <ActionDialog action={action} license={license} onClose={() => setOpen(false)} />}
    </>
  );
}

interface LicenseActionsProps {
  license: License;
  /** The action that the page offers by itself. */
  except: Action | undefined;
}

/**
 * The other actions on the license: two buttons and a menu; on phones only the menu. `?act=` opens
 * one, to extend with `until`, the proposed day.
 */
export function LicenseActions({ license, except }: LicenseActionsProps) {
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down("sm"));
  const { params, change } = useUrlParams();
  const asked = params.get("act");
  const linked = availableActions(license).find((action) => action === asked);
  const [chosen, setOpen] = useState<Action | null>(null);
  const open = chosen ?? linked;
  const close = () => {
    setOpen(null);
    if (asked !== null) change({ act: null, amount: null, until: null }, true);
  };
  const actions = availableActions(license).filter((action) => action !== except);
  const head = headActions(license);
  const shown = isPhone ? [] : actions.filter((action) => head.includes(action));
  return (
    <>
      {shown.map((action) => (
        <Button key={action} variant="outlined" onClick={() => setOpen(action)}>
          {labelOf(action, license)}
        </Button>
      ))}
      <MoreMenu
        label={isPhone ? t`Actions` : t`More`}
        acts={actions
          .filter((action) => !shown.includes(action))
          .map((action) => ({
            label: labelOf(action, license),
            isGrave: isGrave(action),
            act: () => setOpen(action),
          }))}
      />
      {open && <ActionDialog action={open} license={license} onClose={close} />}
    </>
  );
}

/** Mails the license to its receiver. */
function SendDialog({ license, onClose }: LicenseDialogProps) {
  const name = license.licenseName;
  return (
    <ConfirmDialog
      title={t`Send license by email`}
      action={t`Send by email`}
      onConfirm={() =>
        api.POST("/api/licenses/{licenseId}/send", { ...at({ licenseId: license.id }), body: {} })
      }
      done={({ data }) =>
        data ? t`Email to ${{ email: data.recipient }} written.` : t`Email to the receiver written.`
      }
      onClose={onClose}
      consequence={
        <Trans>
          This emails the key of <b>{name}</b> and a link to the portal to the license holder, with
          the product’s email “License issued”.
        </Trans>
      }
    />
  );
}
