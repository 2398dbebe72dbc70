import { t } from "@lingui/core/macro";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import {
  CustomerIcon,
  DevicesIcon,
  LicenseIcon,
  ProductIcon,
  ReleaseIcon,
  type Icon,
} from "../../ui/icons";
import { useInstitution } from "../../ui/useInstitution";
import type { Offer, Section } from "./found";

type Hit = Schemas["SearchHit"];

interface Kind {
  title: string;
  icon: Icon;
  pathOf: (hit: Hit) => string;
}

/** The kinds of things that the server finds. */
export const KINDS: Record<Hit["kind"], Kind> = {
  License: { title: t`Licenses`, icon: LicenseIcon, pathOf: ({ id }) => `/licenses/${id}` },
  Customer: { title: t`Customers`, icon: CustomerIcon, pathOf: ({ id }) => `/customers/${id}` },
  Product: { title: t`Products`, icon: ProductIcon, pathOf: ({ id }) => `/products/${id}` },
  Release: {
    title: t`Releases`,
    icon: ReleaseIcon,
    pathOf: ({ id, productId }) => `/products/${productId ?? ""}/releases/${id}`,
  },
  Device: {
    title: t`Devices`,
    icon: DevicesIcon,
    pathOf: ({ licenseId }) => `/licenses/${licenseId ?? ""}/activations`,
  },
};

const PAUSE_MS = 120;

/** The text once the user stops typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function offerOf(hit: Hit): Offer {
  const { icon, pathOf } = KINDS[hit.kind];
  const former = hit.formerKey && t`Former key`;
  const detail = [former, hit.licenseName, hit.productName, hit.detail].filter(Boolean).join(" · ");
  return {
    key: hit.id,
    label: hit.title,
    kind: hit.kind,
    icon,
    to: pathOf(hit),
    ...(detail && { detail }),
    ...(hit.status && { status: hit.status }),
  };
}

/** What the server finds of the current institution, the kind with the best hit first. */
export function useThings(text: string): { sections: Section[]; isBusy: boolean } {
  const { institutionId } = useInstitution();
  const q = useSettled(text.trim());
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/search",
    { params: { query: { q, institutionId: institutionId ?? null } } },
    { enabled: q !== "" && institutionId !== undefined, placeholderData: keepPreviousData },
  );
  if (!text.trim()) return { sections: [], isBusy: false };
  return {
    isBusy: isFetching || q !== text.trim(),
    sections: (data?.groups ?? []).map(({ kind, items }) => ({
      title: KINDS[kind].title,
      offers: items.map(offerOf),
    })),
  };
}
