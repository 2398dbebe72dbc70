import { $api } from "../../api/client";

/** Whether everybody may sign up, and then found an institution. */
export function useSignUp() {
  return $api.useQuery("get", "/api/auth/setup", {}, { staleTime: Infinity }).data?.signUp;
}
