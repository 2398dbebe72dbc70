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
