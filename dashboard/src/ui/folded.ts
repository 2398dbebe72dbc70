const LETTERS: Partial<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ς: "σ",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};

/** A text without case and accents, as the searches of the service compare it: "Łódź" is "lodz". */
export const folded = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[øłđðıħŧςßæœþ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
