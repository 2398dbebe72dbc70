// Replaces what differs between two runs of the same page.
() => {
  const month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*";
  const unit = "(?:second|minute|hour|day|week|month|year)s?";
  const kinds = [
    ["\\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}\\b", "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE"],
    ["\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "01900000-0000-7000-8000-000000000001"],
    ["\\b\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)?", "2026-01-01T09:00:00Z"],
    ["\\b\\d{4}-\\d\\d-\\d\\d\\b", "2026-01-01"],
    [`\\b${month} \\d{1,2}, \\d{4}, \\d{1,2}:\\d\\d\\s[AP]M`, "Jan 1, 2026, 9:00 AM"],
    [`\\b${month} \\d{1,2}(?:, \\d{4})?`, "Jan 1, 2026"],
    [`\\b${month} \\d{4}\\b`, "Jan 2026"],
    ["\\b\\d{1,2}:\\d\\d(?::\\d\\d)?\\s[AP]M\\b", "9:00 AM"],
    [`\\bin (?:\\d+|an?) ${unit}\\b|\\b(?:\\d+|an?) ${unit} ago\\b|\\b(?:just )?now\\b|\\byesterday\\b|\\btomorrow\\b`, "1 day ago"],
    ["\\b(127\\.0\\.0\\.1|localhost):\\d+", "$1:8000"],
    ["\\b(Owner|Admin|Member|Viewer)([ .])\\d+\\b", "$1$22", "i"],
    ["\\b([a-z]+)\\d+@", "$12@"],
    ["\\b\\d+ ms\\b", "1 ms"],
    ["\\b[0-9a-f]{12,}\\b", "0123456789abcdef"],
    ["[A-Za-z0-9+/_]{24,}={0,2}", (found) => "x".repeat(found.length)],
  ].map(([pattern, words, flags = ""]) => [new RegExp(pattern, `g${flags}`), words]);
  const settled = (text) => kinds.reduce((now, [pattern, words]) => now.replace(pattern, words), text);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const words = settled(text.data);
    if (words !== text.data) text.data = words;
  }
  for (const field of document.querySelectorAll("input:not([type=checkbox],[type=radio],[type=file]), textarea")) {
    const words = settled(field.value);
    if (words !== field.value) field.value = words;
  }
  // Nothing is drawn anew, such as times that grow by the second.
  for (let timer = setTimeout(() => undefined); timer > 0; timer -= 1) clearTimeout(timer);
  // Each system has another monospaced type.
  document.documentElement.style.setProperty("--family-code", "var(--family)");
  // Which days an axis names depends on the day.
  for (const one of document.querySelectorAll(".MuiChartsAxis-tickLabel")) one.style.visibility = "hidden";
}
