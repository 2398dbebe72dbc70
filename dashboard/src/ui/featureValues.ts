import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Schemas } from "../api/types";

type FeatureValue = NonNullable<Schemas["Entry"]["value"]>;

/** A value as people read it: "max-projects: 25", or the name alone for a flag. */
export const entryText = (name: string, value: FeatureValue | undefined): string =>
  value === undefined || value === true ? name : `${name}: ${String(value)}`;

/** What was typed as a value of the feature's kind. */
export const valueOf = (
  { kind }: Pick<Schemas["Feature"], "kind">,
  typed: string | undefined,
): FeatureValue => {
  if (kind === "Flag") return true;
  return kind === "Number" ? Number(typed) : (typed ?? "").trim();
};

type Feature = Schemas["Feature"];

const PAGE = 100;

/** All features of a product; none while it is not known. */
export const useFeatures = (productId: string | null) =>
  useQuery({
    enabled: productId !== null,
    queryKey: ["get", "/api/products/{productId}/features", productId, "all"],
    queryFn: async () => {
      const features: Feature[] = [];
      for (let page = 1; ; page += 1) {
        const { data } = await api.GET("/api/products/{productId}/features", {
          params: {
            path: { productId: productId ?? "" },
            query: { page, pageSize: PAGE, sort: "name" },
          },
        });
        features.push(...(data?.items ?? []));
        if ((data?.items.length ?? 0) < PAGE) return features;
      }
    },
  });
