import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Schemas } from "../api/types";

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
