import { api, at } from "../../../api/client";
import type { License } from "../../../api/types";
import { NewNote } from "../../../ui/NewNote";

/** Adds a note to the timeline of a license. */
export const NoteField = ({ license: { id } }: { license: License }) => (
  <NewNote
    add={(body) => api.POST("/api/licenses/{licenseId}/notes", { ...at({ licenseId: id }), body })}
  />
);
