import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import { Suspense, useState } from "react";
import { asProblem } from "../../../api/problem";
import { MoreIcon } from "../../icons";
import { lazy } from "../../lazy";
import { ActMenu, type Act } from "../../menu/ActMenu";
import { notify } from "../../toasts/toasts";
import { useCan } from "../../useInstitution";
import type { KeptView } from "./view";
import { useViewChanges } from "./useSavedViews";

const ViewDialog = lazy(() => import("./ViewDialog"));
const DeleteViewDialog = lazy(() => import("./DeleteViewDialog"));

type Asking = "rename" | "remove" | null;

/** What can be done with a saved view. */
export function ViewMenu({ view }: { view: KeptView }) {
  const { manage } = useCan();
  const { rename, share, remove } = useViewChanges();
  const [asking, setAsking] = useState<Asking>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAsking(null);
  const change = () => {
    share(view, !view.isShared).catch((error: unknown) =>
      notify(asProblem(error).message, { type: "error" }),
    );
  };
  const asks = (what: Asking) => () => setAsking(what);
  const sharing = {
    label: view.isShared ? t`Stop sharing` : t({ message: "Share", context: "verb" }),
    act: change,
  };
  const acts: Act[] = [
    { label: t`Rename`, act: asks("rename") },
    ...(manage ? [sharing] : []),
    { label: t`Delete`, act: asks("remove") },
  ];
  return (
    <>
      <IconButton
        size="small"
        aria-label={t`Edit view ${{ view: view.label }}`}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon />
      </IconButton>
      <ActMenu open={anchor !== null} anchor={anchor} acts={acts} onClose={() => setAnchor(null)} />
      <Suspense fallback={null}>
        {asking === "rename" && (
          <ViewDialog
            title={t`Rename view`}
            name={view.label}
            onSave={(name) => rename(view, name)}
            onClose={close}
          />
        )}
        {asking === "remove" && (
          <DeleteViewDialog view={view} onConfirm={() => remove(view)} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
