import { useQueries } from "@tanstack/react-query";
import { $api } from "../../api/client";
import type { Product, Schemas } from "../../api/types";

export type Release = Schemas["Release"];
type Names = Record<string, string>;

/** Product names by ID; products that are loading or deleted are missing. */
export function useProductNames(ids: readonly string[]): Names {
  const asked = [...new Set(ids)].map((productId) =>
    $api.queryOptions(
      "get",
      "/api/products/{productId}",
      { params: { path: { productId } } },
      { staleTime: 60_000 },
    ),
  );
  return useQueries({ queries: asked, combine: namesOf });
}

const namesOf = (answers: { data: Product | undefined }[]): Names =>
  Object.fromEntries(answers.flatMap(({ data }) => (data ? [[data.id, data.name]] : [])));

/** "Aurora Studio 2.1.0" for each of these releases. */
export function useReleaseNames(ids: readonly string[]): Names {
  const asked = ids.map((releaseId) =>
    $api.queryOptions(
      "get",
      "/api/releases/{releaseId}",
      { params: { path: { releaseId } } },
      { staleTime: 60_000 },
    ),
  );
  const releases = useQueries({ queries: asked, combine: found });
  const products = useProductNames(releases.map((release) => release.productId));
  return Object.fromEntries(
    releases.map((one) => [one.id, `${products[one.productId] ?? "…"} ${one.version}`]),
  );
}

const found = (answers: { data: Release | undefined }[]): Release[] =>
  answers.flatMap(({ data }) => (data ? [data] : []));
