import { useInstitution } from "../../ui/useInstitution";
import { useStored } from "../../ui/useStored";
import type { LicenseView } from "./listViews";

interface SavedViews {
  views: LicenseView[];
  /** Saves a view; replaces one with the same name. */
  keep: (view: LicenseView) => void;
  rename: (label: string, to: string) => void;
  remove: (label: string) => void;
}

const NONE: Record<string, unknown> = {};

const isViewLike = (item: unknown): item is LicenseView => {
  const view = item as Partial<LicenseView> | null;
  return typeof view?.label === "string" && Boolean(view.filter) && typeof view.sort === "string";
};

/** The user's saved views for the institution, stored in this browser. */
export function useSavedViews(): SavedViews {
  const { institutionId } = useInstitution();
  const place = institutionId ?? "all";
  const [stored, setStored] = useStored("licenseViews", NONE);
  const kept = stored[place];
  const views = Array.isArray(kept) ? kept.filter(isViewLike) : [];
  const write = (next: LicenseView[]) => {
    setStored({ ...stored, [place]: next });
  };
  const without = (label: string) => views.filter((item) => item.label !== label);
  return {
    views,
    keep: (view) => {
      write([...without(view.label), view]);
    },
    rename: (label, to) => {
      const others = views.filter((item) => item.label === label || item.label !== to);
      write(others.map((item) => (item.label === label ? { ...item, label: to } : item)));
    },
    remove: (label) => {
      write(without(label));
    },
  };
}
