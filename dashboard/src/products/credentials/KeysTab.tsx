import Skeleton from "@mui/material/Skeleton";
import { useState } from "react";
import { $api } from "../../api/client";
import { Column } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { PublicKeySection } from "../parts/PublicKeySection";
import type { TabProps } from "../parts/TabProps";
import { RotationNextSteps } from "./RotationNextSteps";
import { GenerateDialog } from "./GenerateDialog";
import { NoKeys } from "./NoKeys";
import { ProductKeysSection } from "./ProductKeysSection";
import { RotateDialog } from "./RotateDialog";
import { RsaKeySection } from "./RsaKeySection";

/** RSA keys and product keys of a product. */
export function KeysTab({ product, manage }: TabProps) {
  const [asked, setAsked] = useState<"generate" | "rotate" | null>(null);
  const [isRotated, setRotated] = useState(false);
  const { data: status, error } = $api.useQuery("get", "/api/products/{productId}/keys/status", {
    params: { path: { productId: product.id } },
  });
  const close = () => setAsked(null);
  return (
    <Column gap="l">
      {error && <ProblemAlert error={error} />}
      {!status && !error && <Skeleton variant="rounded" height={170} />}
      {isRotated && <RotationNextSteps productId={product.id} onClose={() => setRotated(false)} />}
      {status?.exists === false && (
        <NoKeys onGenerate={manage ? () => setAsked("generate") : undefined} />
      )}
      {status?.exists && (
        <>
          <RsaKeySection status={status} onRotate={manage ? () => setAsked("rotate") : undefined} />
          <PublicKeySection productId={product.id} />
        </>
      )}
      {manage && <ProductKeysSection productId={product.id} />}
      {asked === "generate" && <GenerateDialog productId={product.id} onClose={close} />}
      {asked === "rotate" && (
        <RotateDialog product={product} onRotated={() => setRotated(true)} onClose={close} />
      )}
    </Column>
  );
}
