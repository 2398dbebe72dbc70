import { notify } from "./toasts/toasts";

/** Copies to the clipboard; on plain HTTP the Clipboard API is not available. */
export async function toClipboard(value: string): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(value);
    return;
  }
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", value);
    event.preventDefault();
  };
  document.addEventListener("copy", onCopy);
  document.execCommand("copy");
  document.removeEventListener("copy", onCopy);
}

/** Puts a text into the clipboard, and says so. */
export async function copyAndSay(text: string, said: string): Promise<void> {
  await toClipboard(text);
  notify(said);
}
