// From CLDR 47, as Python's babel 2.18.0 has it, written by scripts/cldr.py: not to be edited by hand.

extension LocaleFormats {
  static let americanEnglish = LocaleFormats(
    weekdays: "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    shortWeekdays: "Mon|Tue|Wed|Thu|Fri|Sat|Sun",
    columnWeekdays: "Mo|Tu|We|Th|Fr|Sa|Su",
    narrowWeekdays: "M|T|W|T|F|S|S",
    months: "January|February|March|April|May|June|July|August|September|October|November|December",
    shortMonths: "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec",
    day: "MMM d",
    dayWithYear: "MMM d, y",
    weekdayAndDay: "E, MMM d",
    weekdayAndDayWithYear: "E, MMM d, y",
    wideWeekdayAndDay: "EEEE, MMMM d",
    full: "EEEE, MMMM d, y",
    month: "MMMM y",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm a",
    dayPeriods: "AM|PM",
    separator: ".",
    percentage: "0%",
    hourCycle: .hours12,
    firstWeekday: .sunday)

  static let britishEnglish = LocaleFormats(
    weekdays: "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    shortWeekdays: "Mon|Tue|Wed|Thu|Fri|Sat|Sun",
    columnWeekdays: "Mo|Tu|We|Th|Fr|Sa|Su",
    narrowWeekdays: "M|T|W|T|F|S|S",
    months: "January|February|March|April|May|June|July|August|September|October|November|December",
    shortMonths: "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept|Oct|Nov|Dec",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "E d MMM",
    weekdayAndDayWithYear: "E, d MMM y",
    wideWeekdayAndDay: "EEEE d MMMM",
    full: "EEEE, d MMMM y",
    month: "MMMM y",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm a",
    dayPeriods: "am|pm",
    separator: ".",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let german = LocaleFormats(
    weekdays: "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag",
    shortWeekdays: "Mo|Di|Mi|Do|Fr|Sa|So",
    shortWeekdaysInDates: "Mo.|Di.|Mi.|Do.|Fr.|Sa.|So.",
    columnWeekdays: "Mo.|Di.|Mi.|Do.|Fr.|Sa.|So.",
    narrowWeekdays: "M|D|M|D|F|S|S",
    months: "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
    shortMonths: "Jan.|Feb.|März|Apr.|Mai|Juni|Juli|Aug.|Sept.|Okt.|Nov.|Dez.",
    day: "d. MMM",
    dayWithYear: "d. MMM y",
    weekdayAndDay: "E, d. MMM",
    weekdayAndDayWithYear: "E, d. MMM y",
    wideWeekdayAndDay: "EEEE, d. MMMM",
    full: "EEEE, d. MMMM y",
    month: "MMMM y",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "AM|PM",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let french = LocaleFormats(
    weekdays: "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    shortWeekdays: "lun.|mar.|mer.|jeu.|ven.|sam.|dim.",
    columnWeekdays: "lu|ma|me|je|ve|sa|di",
    narrowWeekdays: "L|M|M|J|V|S|D",
    months: "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
    shortMonths: "janv.|févr.|mars|avr.|mai|juin|juil.|août|sept.|oct.|nov.|déc.",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "E d MMM",
    weekdayAndDayWithYear: "E d MMM y",
    wideWeekdayAndDay: "EEEE d MMMM",
    full: "EEEE d MMMM y",
    month: "MMMM y",
    dateTime: "{date} {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "AM|PM",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let spanish = LocaleFormats(
    weekdays: "lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    shortWeekdays: "lun|mar|mié|jue|vie|sáb|dom",
    columnWeekdays: "LU|MA|MI|JU|VI|SA|DO",
    narrowWeekdays: "L|M|X|J|V|S|D",
    months: "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    shortMonths: "ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "E, d MMM",
    weekdayAndDayWithYear: "EEE, d MMM y",
    wideWeekdayAndDay: "EEEE, d 'de' MMMM",
    full: "EEEE, d 'de' MMMM 'de' y",
    month: "MMMM 'de' y",
    dateTime: "{date}, {time}",
    hours24: "H:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "a.\u{A0}m.|p.\u{A0}m.",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let italian = LocaleFormats(
    weekdays: "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica",
    shortWeekdays: "lun|mar|mer|gio|ven|sab|dom",
    columnWeekdays: "lun|mar|mer|gio|ven|sab|dom",
    narrowWeekdays: "L|M|M|G|V|S|D",
    months: "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
    shortMonths: "gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "E d MMM",
    weekdayAndDayWithYear: "E d MMM y",
    wideWeekdayAndDay: "EEEE d MMMM",
    full: "EEEE d MMMM y",
    month: "MMMM y",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "AM|PM",
    separator: ",",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let dutch = LocaleFormats(
    weekdays: "maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
    shortWeekdays: "ma|di|wo|do|vr|za|zo",
    columnWeekdays: "ma|di|wo|do|vr|za|zo",
    narrowWeekdays: "M|D|W|D|V|Z|Z",
    months: "januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december",
    shortMonths: "jan|feb|mrt|apr|mei|jun|jul|aug|sep|okt|nov|dec",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "E d MMM",
    weekdayAndDayWithYear: "E d MMM y",
    wideWeekdayAndDay: "EEEE d MMMM",
    full: "EEEE d MMMM y",
    month: "MMMM y",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm a",
    dayPeriods: "a.m.|p.m.",
    separator: ",",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let brazilianPortuguese = LocaleFormats(
    weekdays: "segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo",
    shortWeekdays: "seg.|ter.|qua.|qui.|sex.|sáb.|dom.",
    columnWeekdays: "seg.|ter.|qua.|qui.|sex.|sáb.|dom.",
    narrowWeekdays: "S|T|Q|Q|S|S|D",
    months: "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
    shortMonths: "jan.|fev.|mar.|abr.|mai.|jun.|jul.|ago.|set.|out.|nov.|dez.",
    day: "d 'de' MMM",
    dayWithYear: "d 'de' MMM 'de' y",
    weekdayAndDay: "E, d 'de' MMM",
    weekdayAndDayWithYear: "E, d 'de' MMM 'de' y",
    wideWeekdayAndDay: "EEEE, d 'de' MMMM",
    full: "EEEE, d 'de' MMMM 'de' y",
    month: "MMMM 'de' y",
    dateTime: "{date} {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "AM|PM",
    separator: ",",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .sunday)

  static let polish = LocaleFormats(
    weekdays: "poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela",
    shortWeekdays: "pon.|wt.|śr.|czw.|pt.|sob.|niedz.",
    columnWeekdays: "pon|wto|śro|czw|pią|sob|nie",
    narrowWeekdays: "P|W|Ś|C|P|S|N",
    months: "styczeń|luty|marzec|kwiecień|maj|czerwiec|lipiec|sierpień|wrzesień|październik|listopad|grudzień",
    monthsInDates: "stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia",
    shortMonths: "sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "E, d MMM",
    weekdayAndDayWithYear: "E, d MMM y",
    wideWeekdayAndDay: "EEEE, d MMMM",
    full: "EEEE, d MMMM y",
    month: "LLLL y",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "AM|PM",
    separator: ",",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let swedish = LocaleFormats(
    weekdays: "måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag",
    shortWeekdays: "mån|tis|ons|tors|fre|lör|sön",
    columnWeekdays: "må|ti|on|to|fr|lö|sö",
    narrowWeekdays: "M|T|O|T|F|L|S",
    months: "januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december",
    shortMonths: "jan.|feb.|mars|apr.|maj|juni|juli|aug.|sep.|okt.|nov.|dec.",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "E d MMM",
    weekdayAndDayWithYear: "E d MMM y",
    wideWeekdayAndDay: "EEEE d MMMM",
    full: "EEEE d MMMM y",
    month: "MMMM y",
    dateTime: "{date} {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "fm|em",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let danish = LocaleFormats(
    weekdays: "mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag",
    shortWeekdays: "man.|tirs.|ons.|tors.|fre.|lør.|søn.",
    columnWeekdays: "ma.|ti.|on.|to.|fr.|lø.|sø.",
    narrowWeekdays: "M|T|O|T|F|L|S",
    months: "januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december",
    shortMonths: "jan.|feb.|mar.|apr.|maj|jun.|jul.|aug.|sep.|okt.|nov.|dec.",
    day: "d. MMM",
    dayWithYear: "d. MMM y",
    weekdayAndDay: "E d. MMM",
    weekdayAndDayWithYear: "E d. MMM y",
    wideWeekdayAndDay: "EEEE d. MMMM",
    full: "EEEE 'den' d. MMMM y",
    month: "MMMM y",
    dateTime: "{date} {time}",
    hours24: "HH.mm",
    hours12: "h.mm\u{A0}a",
    dayPeriods: "AM|PM",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let norwegian = LocaleFormats(
    weekdays: "mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag",
    shortWeekdays: "man.|tir.|ons.|tor.|fre.|lør.|søn.",
    columnWeekdays: "ma.|ti.|on.|to.|fr.|lø.|sø.",
    narrowWeekdays: "M|T|O|T|F|L|S",
    months: "januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember",
    shortMonths: "jan.|feb.|mars|apr.|mai|juni|juli|aug.|sep.|okt.|nov.|des.",
    day: "d. MMM",
    dayWithYear: "d. MMM y",
    weekdayAndDay: "E d. MMM",
    weekdayAndDayWithYear: "E d. MMM y",
    wideWeekdayAndDay: "EEEE d. MMMM",
    full: "EEEE d. MMMM y",
    month: "MMMM y",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "a.m.|p.m.",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let finnish = LocaleFormats(
    weekdays: "maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai",
    weekdaysInDates: "maanantaina|tiistaina|keskiviikkona|torstaina|perjantaina|lauantaina|sunnuntai",
    shortWeekdays: "ma|ti|ke|to|pe|la|su",
    columnWeekdays: "ma|ti|ke|to|pe|la|su",
    narrowWeekdays: "M|T|K|T|P|L|S",
    months: "tammikuu|helmikuu|maaliskuu|huhtikuu|toukokuu|kesäkuu|heinäkuu|elokuu|syyskuu|lokakuu|marraskuu|joulukuu",
    monthsInDates:
      "tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta",
    shortMonths: "tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu",
    day: "d.M.",
    dayWithYear: "d.M.y",
    weekdayAndDay: "ccc d.M.",
    weekdayAndDayWithYear: "E d.M.y",
    wideWeekdayAndDay: "cccc d. MMMM",
    full: "cccc d. MMMM y",
    month: "LLLL y",
    dateTime: "{date} {time}",
    hours24: "H.mm",
    hours12: "h.mm\u{A0}a",
    dayPeriods: "ap.|ip.",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let czech = LocaleFormats(
    weekdays: "pondělí|úterý|středa|čtvrtek|pátek|sobota|neděle",
    shortWeekdays: "po|út|st|čt|pá|so|ne",
    columnWeekdays: "po|út|st|čt|pá|so|ne",
    narrowWeekdays: "P|Ú|S|Č|P|S|N",
    months: "leden|únor|březen|duben|květen|červen|červenec|srpen|září|říjen|listopad|prosinec",
    monthsInDates: "ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince",
    shortMonths: "led|úno|bře|dub|kvě|čvn|čvc|srp|zář|říj|lis|pro",
    day: "d. M.",
    dayWithYear: "d. M. y",
    weekdayAndDay: "E d. M.",
    weekdayAndDayWithYear: "E d. M. y",
    wideWeekdayAndDay: "EEEE d. MMMM",
    full: "EEEE d. MMMM y",
    month: "LLLL y",
    dateTime: "{date} {time}",
    hours24: "H:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "dop.|odp.",
    separator: ",",
    percentage: "0\u{A0}%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let turkish = LocaleFormats(
    weekdays: "Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar",
    shortWeekdays: "Pzt|Sal|Çar|Per|Cum|Cmt|Paz",
    columnWeekdays: "Pt|Sa|Ça|Pe|Cu|Ct|Pa",
    narrowWeekdays: "P|S|Ç|P|C|C|P",
    months: "Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık",
    shortMonths: "Oca|Şub|Mar|Nis|May|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara",
    day: "d MMM",
    dayWithYear: "d MMM y",
    weekdayAndDay: "d MMM E",
    weekdayAndDayWithYear: "d MMM y E",
    wideWeekdayAndDay: "d MMMM EEEE",
    full: "d MMMM y EEEE",
    month: "MMMM y",
    dateTime: "{date} {time}",
    hours24: "HH:mm",
    hours12: "a\u{A0}h:mm",
    dayPeriods: "ÖÖ|ÖS",
    separator: ",",
    percentage: "%0",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let ukrainian = LocaleFormats(
    weekdays: "понеділок|вівторок|середа|четвер|пʼятниця|субота|неділя",
    shortWeekdays: "пн|вт|ср|чт|пт|сб|нд",
    columnWeekdays: "пн|вт|ср|чт|пт|сб|нд",
    narrowWeekdays: "П|В|С|Ч|П|С|Н",
    months: "січень|лютий|березень|квітень|травень|червень|липень|серпень|вересень|жовтень|листопад|грудень",
    monthsInDates: "січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня",
    shortMonths: "січ.|лют.|бер.|квіт.|трав.|черв.|лип.|серп.|вер.|жовт.|лист.|груд.",
    day: "d MMM",
    dayWithYear: "d MMM y\u{A0}'р'.",
    weekdayAndDay: "E, d MMM",
    weekdayAndDayWithYear: "E, d MMM y\u{A0}'р'.",
    wideWeekdayAndDay: "EEEE, d MMMM",
    full: "EEEE, d MMMM y\u{A0}'р'.",
    month: "LLLL y\u{A0}'р'.",
    dateTime: "{date}, {time}",
    hours24: "HH:mm",
    hours12: "h:mm\u{A0}a",
    dayPeriods: "дп|пп",
    separator: ",",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  static let japanese = LocaleFormats(
    weekdays: "月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日",
    shortWeekdays: "月|火|水|木|金|土|日",
    columnWeekdays: "月|火|水|木|金|土|日",
    narrowWeekdays: "月|火|水|木|金|土|日",
    months: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
    shortMonths: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
    day: "M月d日",
    dayWithYear: "y年M月d日",
    weekdayAndDay: "M月d日(E)",
    weekdayAndDayWithYear: "y年M月d日(E)",
    wideWeekdayAndDay: "M月d日(EEEE)",
    full: "y年M月d日EEEE",
    month: "y年M月",
    dateTime: "{date} {time}",
    hours24: "H:mm",
    hours12: "aK:mm",
    dayPeriods: "午前|午後",
    separator: ".",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .sunday)

  static let korean = LocaleFormats(
    weekdays: "월요일|화요일|수요일|목요일|금요일|토요일|일요일",
    shortWeekdays: "월|화|수|목|금|토|일",
    columnWeekdays: "월|화|수|목|금|토|일",
    narrowWeekdays: "월|화|수|목|금|토|일",
    months: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
    monthsInDates: "1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월",
    shortMonths: "1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월",
    day: "MMM d일",
    dayWithYear: "y년 MMM d일",
    weekdayAndDay: "MMM d일 (E)",
    weekdayAndDayWithYear: "y년 MMM d일 (E)",
    wideWeekdayAndDay: "MMMM d일 (EEEE)",
    full: "y년 MMMM d일 EEEE",
    month: "y년 MMMM",
    dateTime: "{date} {time}",
    hours24: "HH:mm",
    hours12: "a h:mm",
    dayPeriods: "오전|오후",
    separator: ".",
    percentage: "0%",
    hourCycle: .hours12,
    firstWeekday: .sunday)

  static let simplifiedChinese = LocaleFormats(
    weekdays: "星期一|星期二|星期三|星期四|星期五|星期六|星期日",
    shortWeekdays: "周一|周二|周三|周四|周五|周六|周日",
    columnWeekdays: "周一|周二|周三|周四|周五|周六|周日",
    narrowWeekdays: "一|二|三|四|五|六|日",
    months: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
    monthsInDates: "一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
    shortMonths: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
    day: "M月d日",
    dayWithYear: "y年M月d日",
    weekdayAndDay: "M月d日E",
    weekdayAndDayWithYear: "y年M月d日E",
    wideWeekdayAndDay: "M月d日EEEE",
    full: "y年M月d日EEEE",
    month: "y年M月",
    dateTime: "{date} {time}",
    hours24: "HH:mm",
    hours12: "ah:mm",
    dayPeriods: "上午|下午",
    separator: ".",
    percentage: "0%",
    hourCycle: .hours24,
    firstWeekday: .monday)

  /// The habits of a region whose language is one of ours under another tag, or has weeks from another day there.
  static func habits(of tag: String) -> (hourCycle: HourCycle, firstWeekday: Weekday)? {
    switch tag {
    case "en-AU": (.hours12, .monday)
    case "en-CA": (.hours12, .sunday)
    case "en-IE": (.hours24, .monday)
    case "en-IN": (.hours12, .sunday)
    case "en-NZ": (.hours12, .monday)
    case "en-ZA": (.hours24, .sunday)
    case "zh-SG": (.hours12, .sunday)
    case "pt-AO": (.hours24, .sunday)
    case "pt-CH": (.hours24, .monday)
    case "pt-CV": (.hours24, .sunday)
    case "pt-GQ": (.hours24, .sunday)
    case "pt-GW": (.hours24, .sunday)
    case "pt-LU": (.hours24, .monday)
    case "pt-MO": (.hours12, .sunday)
    case "pt-MZ": (.hours24, .sunday)
    case "pt-PT": (.hours24, .sunday)
    case "pt-ST": (.hours24, .sunday)
    case "pt-TL": (.hours24, .sunday)
    case "es-BR": (.hours24, .sunday)
    case "es-BZ": (.hours24, .sunday)
    case "es-CO": (.hours24, .sunday)
    case "es-DO": (.hours24, .sunday)
    case "es-GT": (.hours24, .sunday)
    case "es-HN": (.hours24, .sunday)
    case "es-MX": (.hours24, .sunday)
    case "es-NI": (.hours24, .sunday)
    case "es-PA": (.hours24, .sunday)
    case "es-PE": (.hours24, .sunday)
    case "es-PH": (.hours24, .sunday)
    case "es-PR": (.hours24, .sunday)
    case "es-PY": (.hours24, .sunday)
    case "es-SV": (.hours24, .sunday)
    case "es-US": (.hours24, .sunday)
    case "es-VE": (.hours24, .sunday)
    case "fr-CA": (.hours24, .sunday)
    case "fr-DJ": (.hours24, .saturday)
    case "fr-DZ": (.hours24, .saturday)
    case "fr-SY": (.hours24, .saturday)
    case "ko-CN": (.hours12, .monday)
    case "ko-KP": (.hours12, .monday)
    default: nil
    }
  }
}
