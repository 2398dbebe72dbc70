import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { asProblem } from "../../../api/problem";
import type { License } from "../../../api/types";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import type { Attempt } from "./attempt";
import { review, reviewAll } from "./review";
import { notify } from "../../../ui/toasts/toasts";

/** Runs a review and shows errors as notifications. */
function useReview() {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return { busy, run };
}

export function ReviewButton({ license, attempt }: { license: License; attempt: Attempt }) {
  const { busy, run } = useReview();
  const notifyChanged = useNotifyChanged();
  return (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      onClick={() =>
        void run(async () => {
          await review(license.id, attempt.id);
          notifyChanged(t`Access attempt marked as reviewed.`);
        })
      }
    >
      {t`Mark as reviewed`}
    </Button>
  );
}

export function ReviewAllButton({ license }: { license: License }) {
  const { busy, run } = useReview();
  const notifyChanged = useNotifyChanged();
  return (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      onClick={() =>
        void run(async () => {
          const count = await reviewAll(license.id);
          notifyChanged(
            plural(count, {
              one: "Access attempt marked as reviewed.",
              other: "All access attempts marked as reviewed.",
            }),
          );
        })
      }
    >
      {t`Mark all as reviewed`}
    </Button>
  );
}
