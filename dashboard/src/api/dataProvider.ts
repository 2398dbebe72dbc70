import type { DataProvider, GetListParams, Identifier } from "ra-core";
import { changed } from "./changed";
import { request } from "./client";

interface Listed<T> {
  items: T[];
  totalCount: number;
}

const queryOf = (values: Record<string, unknown>): string => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
};

/** react-admin needs an `id` in every record; members have a `userId` instead. */
const identified = <T>(item: T): T => ({ id: (item as { userId?: string }).userId, ...item });

async function list<T>(path: string, { pagination, sort, filter }: Partial<GetListParams>) {
  const query = queryOf({
    page: pagination?.page,
    pageSize: pagination?.perPage,
    ...(sort && { sort: sort.order === "DESC" ? `-${sort.field}` : sort.field }),
    ...(filter as Record<string, unknown>),
  });
  const { items, totalCount } = await request<Listed<T>>("GET", `/api/${path}?${query}`);
  return { data: items.map(identified), total: totalCount };
}

const itemPath = (resource: string, id: Identifier) =>
  `/api/${resource}/${encodeURIComponent(String(id))}`;

/**
 * react-admin data provider for the REST API. A resource is a path below `/api`; for references,
 * `target` is the path of the parent: `licenses` + id + `activations`.
 */
export const dataProvider: DataProvider = {
  getList: (resource, params) => list(resource, params),
  getOne: async (resource, { id }) => ({ data: await request("GET", itemPath(resource, id)) }),
  getMany: async (resource, { ids }) => ({
    data: await Promise.all(ids.map((id) => request<never>("GET", itemPath(resource, id)))),
  }),
  getManyReference: (resource, { target, id, ...params }) =>
    list(`${target}/${String(id)}/${resource}`, params),
  create: async (resource, { data }) => ({ data: await request("POST", `/api/${resource}`, data) }),
  update: async (resource, { id, data, previousData }) => ({
    data: await request("PUT", itemPath(resource, id), changed(data, previousData ?? {})),
  }),
  delete: async (resource, { id, previousData }) => {
    await request("DELETE", itemPath(resource, id));
    return { data: previousData ?? ({ id } as never) };
  },
  deleteMany: async (resource, { ids }) => {
    for (const id of ids) await request("DELETE", itemPath(resource, id));
    return { data: ids };
  },
  updateMany: () => Promise.reject(new Error("Bulk updates are not supported.")),
};
