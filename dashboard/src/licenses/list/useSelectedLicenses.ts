import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import { Problem } from "../../api/problem";
import type { License } from "../../api/types";
import { useLicenseList } from "./useLicenseList";

async function fetchLicense(licenseId: string): Promise<License | null> {
  try {
    const { data } = await api.GET("/api/licenses/{licenseId}", {
      params: { path: { licenseId } },
    });
    return data ?? null;
  } catch (error) {
    // Deleted since it was selected.
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** The selected licenses, including those on other pages of the list. */
export function useSelectedLicenses(ids: string[]) {
  const { data: shown = [] } = useLicenseList();
  return useQuery({
    queryKey: ["licenses", "selected", ids],
    gcTime: 0,
    queryFn: async () => {
      const found: License[] = [];
      for (const id of ids) {
        const license = shown.find((item) => item.id === id) ?? (await fetchLicense(id));
        if (license) found.push(license);
      }
      return found;
    },
  });
}
