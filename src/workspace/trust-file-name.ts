/** The file in the home in which it is remembered which projects are trusted. */
export const trustFileName = "trust.json";
