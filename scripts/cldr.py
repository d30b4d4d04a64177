#!/usr/bin/env python3
"""Writes what CLDR knows of our languages, from babel: a file in Sources/CLanguages/Formats for each, the habits of regions
in Sources/CacheSyncValues/Words/CLDR.swift, and Tests/CacheSyncTests/Words/cldr_vectors.json, which has the same texts as babel
itself formats them.

Run by hand, with the babel that VERSION names: python3 scripts/cldr.py
"""

import collections
import datetime
import decimal
import json
import pathlib
import pickle
import re
import textwrap

import babel
from babel import dates, localedata, numbers
from babel.core import get_global

VERSION = "2.18.0"
CLDR = "47"

# Our tag, and babel's name.
LANGUAGES = [
    ("en-US", "en_US"), ("en-GB", "en_GB"), ("de", "de_DE"), ("fr", "fr_FR"), ("es", "es_ES"), ("it", "it_IT"),
    ("nl", "nl_NL"), ("pt-BR", "pt_BR"), ("pl", "pl_PL"), ("sv", "sv_SE"), ("da", "da_DK"), ("nb", "nb_NO"),
    ("fi", "fi_FI"), ("cs", "cs_CZ"), ("tr", "tr_TR"), ("uk", "uk_UA"), ("ja", "ja_JP"), ("ko", "ko_KR"),
    ("zh-Hans", "zh_Hans_CN"), ("zh-Hant", "zh_Hant_TW"),
]
# What a language of CLDR is without a region: babel's name of its usual region. Our own English is not in CLDR.
USUAL = {code.rpartition("_")[0]: code for _, code in LANGUAGES} | {"no": "nb_NO", "nn": "nb_NO"}
OWN_ENGLISH = (24, 0)
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
ROOT = pathlib.Path(__file__).resolve().parent.parent


def spaced(text):
    """CLDR's narrow no-break space is U+00A0 in our texts."""
    return text.replace("\u202f", "\u00a0")


def skeleton(locale, *names):
    """The pattern of the first skeleton that the locale has."""
    for name in names:
        if name in locale.datetime_skeletons:
            return spaced(locale.datetime_skeletons[name].pattern)
    raise KeyError(names)


def widened(pattern):
    """With the weekday in full."""
    return re.sub("E+", "EEEE", pattern).replace("ccc", "cccc")


def wide_weekday_and_day(locale):
    """MMMMEd, or MMMEd with the month in full for the languages without it, with the weekday in full."""
    pattern = skeleton(locale, "MMMMEd", "MMMEd")
    return widened(re.sub("M{3,}", "MMMM", pattern))


def period(locale, moment):
    """AM or PM: the abbreviated one, in Korean the wide one."""
    width = "aaaa" if locale.language == "ko" else "a"
    return spaced(dates.format_time(moment, width, locale=locale))


MORNING, EVENING = datetime.time(9, 30), datetime.time(18, 5)


def hour_cycle(locale):
    pattern = re.sub("'[^']*'", "", locale.time_formats["short"].pattern)
    return 12 if re.search("[hK]", pattern) else 24


def first_weekday(locale):
    """The day of the region itself, or Monday, CLDR's day of the world. Where a region has none, babel's first_week_day is that
    of the locale from which it inherits texts: Portugal's Sunday for Angola."""
    with open(localedata.resolve_locale_filename(str(locale)), "rb") as file:
        return pickle.load(file)["week_data"].get("first_day", 0)


def habits(locale):
    return hour_cycle(locale), first_weekday(locale)


def formats(locale):
    names = lambda context, width: [locale.days[context][width][index] for index in range(7)]
    months = lambda context, width: [locale.months[context][width][index] for index in range(1, 13)]
    return {
        "weekdays": names("stand-alone", "wide"), "weekdaysInDates": names("format", "wide"),
        "shortWeekdays": names("stand-alone", "abbreviated"), "shortWeekdaysInDates": names("format", "abbreviated"),
        "columnWeekdays": names("stand-alone", "short"), "narrowWeekdays": names("stand-alone", "narrow"),
        "months": months("stand-alone", "wide"), "monthsInDates": months("format", "wide"),
        "shortMonths": months("format", "abbreviated"),
        "day": skeleton(locale, "MMMd"), "dayWithYear": skeleton(locale, "yMMMd"),
        "weekdayAndDay": skeleton(locale, "MMMEd"), "weekdayAndDayWithYear": skeleton(locale, "yMMMEd"),
        "wideWeekdayAndDay": wide_weekday_and_day(locale),
        "full": spaced(locale.date_formats["full"].pattern), "month": skeleton(locale, "yMMMM"),
        "dateTime": spaced(str(locale.datetime_formats["short"])).replace("{1}", "{date}").replace("{0}", "{time}"),
        # Texts know two periods of the day. ICU, too, writes them for the skeleton where CLDR's pattern has more (zh-Hant).
        "hours24": skeleton(locale, "Hm"), "hours12": skeleton(locale, "hm").replace("B", "a"),
        "dayPeriods": [period(locale, MORNING), period(locale, EVENING)],
        "separator": locale.number_symbols["latn"]["decimal"],
        "percentage": spaced(locale.percent_formats[None].pattern).replace("#,##0", "0"),
        "hourCycle": hour_cycle(locale), "firstWeekday": WEEKDAYS[first_weekday(locale)],
    }


def data(locale):
    """The members of LocaleFormats, as texts."""
    values = formats(locale)
    for copy, original in [("weekdaysInDates", "weekdays"), ("shortWeekdaysInDates", "shortWeekdays"),
                           ("monthsInDates", "months")]:
        if values[copy] == values[original]:
            del values[copy]
    texts = {key: "|".join(value) if isinstance(value, list) else str(value) for key, value in values.items()}
    return json.dumps(texts, ensure_ascii=False, indent=2) + "\n"


def table():
    text = f"""// From CLDR {CLDR}, as Python's babel {VERSION} has it, written by scripts/cldr.py: not to be edited by hand.

extension LocaleFormats {{
  /// The habits of a language in a region where they are not those of the language alone.
  static func habits(of tag: String) -> (hourCycle: HourCycle, firstWeekday: Weekday)? {{
    switch tag {{
"""
    for (hours, first), tags in sorted(regions().items()):
        quoted = ", ".join(f'"{tag}"' for tag in tags)
        lines = textwrap.wrap(f"    case {quoted}:", 120, subsequent_indent="      ", break_on_hyphens=False)
        text += "\n".join(lines)
        text += f"\n      (.hours{hours}, .{WEEKDAYS[first]})\n"
    text += "    default: nil\n    }\n  }\n"
    regions_of_traditional = [
        name[3:] for name in sorted(get_global("likely_subtags"))
        if re.fullmatch("zh_[A-Z]{2}", name) and chinese_script(name[3:]) == "Hant"
    ]
    quoted = ", ".join(f'"{region}"' for region in regions_of_traditional)
    return text + f"""
  /// Whether Chinese is likely written with traditional characters in a region.
  static func isTraditionalChinese(in region: String) -> Bool {{
    switch region {{
    case {quoted}: true
    default: false
    }}
  }}
}}
"""


def chinese_script(region):
    """The likely one."""
    likely = get_global("likely_subtags")
    return likely.get(f"zh_{region}", likely["zh"]).split("_")[1]


def regions():
    """The tags of languages with a region, by their habits, where these are not those of the language alone."""
    found = collections.defaultdict(list)
    listed = [code for _, code in LANGUAGES]
    for name in sorted(localedata.locale_identifiers()):
        language, _, region = name.rpartition("_")
        if language not in USUAL or not re.fullmatch("[A-Z]{2}|[0-9]{3}", region) or name in listed:
            continue
        usual = OWN_ENGLISH if language == "en" else habits(babel.Locale.parse(USUAL[language]))
        own = habits(babel.Locale.parse(name))
        if own != usual:
            found[own].append(name.replace("_", "-"))
            if language == f"zh_{chinese_script(region)}":
                found[own].append(f"zh-{region}")
    return found


# Days with one and two digits, in every month, and on every weekday.
DAYS = [datetime.date(2026, month, day) for month, day in zip(range(1, 13), [1, 2, 3, 10, 11, 12, 20, 21, 22, 29, 30, 31])]
DAYS += [datetime.date(2027, 1, day) for day in range(1, 8)]
TIMES = [datetime.time(hour, minute) for hour, minute in [(0, 0), (0, 5), (9, 30), (11, 59), (12, 0), (12, 1), (23, 59)]]
# As they are written: 1 and 1.0 may have different nouns.
COUNTS = [str(count) for count in range(201)] + ["1.5", "1000000"] + [
    "0.0", "1.0", "1.00", "2.0", "3.00", "5.0", "10.0", "11.0", "21.0", "22.0", "0.1", "0.5", "1.05", "1.10", "2.5", "2.05",
    "21.1", "1000000.0", "1000001", "1000002", "2000000", "2500000", "1000000.5", "999999", "101.0", "1011", "1021.0",
]


def vectors(tag, code):
    locale = babel.Locale.parse(code)
    values = formats(locale)
    day = lambda pattern: [spaced(dates.format_date(each, pattern, locale=locale)) for each in DAYS]
    clock = lambda pattern: [
        spaced(dates.format_time(each, re.sub("a+", "aaaa" if locale.language == "ko" else "a", pattern), locale=locale))
        for each in TIMES
    ]
    # babel formats the skeletons itself, where the locale has them.
    own = lambda name, fallback: (
        [spaced(dates.format_skeleton(name, each, locale=locale, fuzzy=False)) for each in DAYS]
        if name in locale.datetime_skeletons else day(fallback))
    return {
        "tag": tag, "weekdays": day("cccc"), "shortWeekdays": day("ccc"), "columnWeekdays": day("cccccc"),
        "narrowWeekdays": day("ccccc"), "months": day("LLLL"),
        "day": own("MMMd", values["day"]), "dayWithYear": own("yMMMd", values["dayWithYear"]),
        "weekdayAndDay": own("MMMEd", values["weekdayAndDay"]),
        "weekdayAndDayWithYear": own("yMMMEd", values["weekdayAndDayWithYear"]),
        "wideWeekdayAndDay": day(values["wideWeekdayAndDay"]),
        "full": [spaced(dates.format_date(each, "full", locale=locale)) for each in DAYS],
        "month": own("yMMMM", values["month"]),
        "hours24": clock(values["hours24"]), "hours12": clock(values["hours12"]),
        "number": spaced(numbers.format_decimal(12.5, locale=locale)),
        "percent": spaced(numbers.format_percent(0.62, locale=locale)),
        "hourCycle": values["hourCycle"], "firstWeekday": values["firstWeekday"],
        "plurals": [locale.plural_form(decimal.Decimal(count)) for count in COUNTS],
    }


def main():
    assert babel.__version__ == VERSION, babel.__version__
    for tag, code in LANGUAGES:
        (ROOT / f"Sources/CLanguages/Formats/{tag}.json").write_text(data(babel.Locale.parse(code)))
    (ROOT / "Sources/CacheSyncValues/Words/CLDR.swift").write_text(table())
    tests = ROOT / "Tests/CacheSyncTests/Words/cldr_vectors.json"
    found = {
        "babel": VERSION, "days": [str(day) for day in DAYS], "times": [str(each)[:5] for each in TIMES],
        "counts": COUNTS, "languages": [vectors(tag, code) for tag, code in LANGUAGES],
    }
    text = json.dumps(found, ensure_ascii=False, indent=1)
    # One line for each list.
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda match: "[" + re.sub(r"\n\s*", " ", match[1]) + "]", text)
    tests.write_text(text + "\n")


if __name__ == "__main__":
    main()
