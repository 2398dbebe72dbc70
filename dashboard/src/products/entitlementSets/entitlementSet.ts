import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Schemas } from "../../api/types";

export type EntitlementSet = Schemas["EntitlementSet"];

const PAGE = 100;

/** The names of all features of a product. */
export const useFeatureNames = (productId: string) =>
  useQuery({
    queryKey: ["get", "/api/products/{productId}/features", productId, "names"],
    queryFn: async () => {
      const names: string[] = [];
      for (let page = 1; ; page += 1) {
        const { data } = await api.GET("/api/products/{productId}/features", {
          params: { path: { productId }, query: { page, pageSize: PAGE, sort: "name" } },
        });
        names.push(...(data?.items ?? []).map((item) => item.name));
        if ((data?.items.length ?? 0) < PAGE) return names;
      }
    },
  });
