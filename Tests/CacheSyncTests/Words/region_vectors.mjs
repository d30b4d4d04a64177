// What ICU knows of our languages in each region: the hours of a short time, the first day of a week, and in which script
// Chinese is likely written. CacheLocaleTests compares. ICU reads CLDR by itself, apart from babel, with which scripts/cldr.py
// makes our table. Writes region_vectors.json beside this file. Run by hand, with a node that has ICU 78.2 (CLDR 48):
//
//     node Tests/CacheSyncTests/Words/region_vectors.mjs
import { writeFileSync } from "node:fs";

const languages = [
  "en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "nn", "no", "fi", "cs", "tr", "uk", "ja", "ko", "zh",
  "zh-Hans", "zh-Hant",
];
const weekdays = [, "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
// Those that have a name, and are not another name of a region.
const regions = letters
  .flatMap((first) => letters.map((second) => first + second))
  .concat("001", "150", "419")
  .filter((region) => names.of(region) && new Intl.Locale(`und-${region}`).region === region);

const habits = [];
for (const language of languages) {
  for (const region of regions) {
    const tag = `${language}-${region}`;
    const options = new Intl.DateTimeFormat(tag, { timeStyle: "short" }).resolvedOptions();
    // Where ICU has no locale, it gives that of the language.
    if (options.locale !== tag) continue;
    const { firstDay } = new Intl.Locale(tag).weekInfo;
    habits.push([tag, /h1[12]/.test(options.hourCycle) ? 12 : 24, weekdays[firstDay]]);
  }
}
const inScript = (script) => regions.filter((region) => new Intl.Locale(`zh-${region}`).maximize().script === script);
const head = { icu: process.versions.icu, cldr: process.versions.cldr };
const lines = (values) => values.map((value) => JSON.stringify(value)).join(",\n  ");
const text = `{
 "icu": "${head.icu}", "cldr": "${head.cldr}",
 "habits": [
  ${lines(habits)}
 ],
 "traditional": ${JSON.stringify(inScript("Hant"))},
 "simplified": ${JSON.stringify(inScript("Hans"))}
}
`;
writeFileSync(new URL("region_vectors.json", import.meta.url), text);
