// From CLDR 47, as Python's babel 2.18.0 has it, written by scripts/cldr.py: not to be edited by hand.

extension LocaleFormats {
  /// The habits of a language in a region where they are not those of the language alone.
  static func habits(of tag: String) -> (hourCycle: HourCycle, firstWeekday: Weekday)? {
    switch tag {
    case "en-001", "en-AE", "en-AU", "en-BB", "en-BM", "en-CY", "en-ER", "en-FJ", "en-FM", "en-GD", "en-GH", "en-GM",
      "en-GY", "en-KI", "en-KN", "en-KY", "en-LC", "en-LR", "en-LS", "en-MP", "en-MW", "en-MY", "en-NA", "en-NZ",
      "en-PG", "en-PW", "en-SB", "en-SL", "en-SS", "en-SZ", "en-TC", "en-TO", "en-VC", "en-VG", "en-VU", "en-ZM",
      "es-419", "es-AR", "es-BO", "es-CL", "es-CR", "es-CU", "es-EC", "es-UY", "fr-MR", "fr-TD", "fr-TN", "fr-VU",
      "ko-KP", "tr-CY", "zh-Hans-MY", "zh-MY", "zh-Hant-MY":
      (.hours12, .monday)
    case "en-SD", "fr-DJ", "fr-DZ", "fr-SY":
      (.hours12, .saturday)
    case "en-AG", "en-AS", "en-BS", "en-CA", "en-DM", "en-GU", "en-HK", "en-IN", "en-JM", "en-MH", "en-MO", "en-PH",
      "en-PK", "en-PR", "en-SG", "en-TT", "en-UM", "en-VI", "en-WS", "es-CO", "es-DO", "es-GT", "es-HN", "es-MX",
      "es-NI", "es-PA", "es-PE", "es-PH", "es-PR", "es-PY", "es-SV", "es-US", "es-VE", "pt-MO", "zh-Hans-HK",
      "zh-Hans-MO", "zh-Hans-SG", "zh-SG":
      (.hours12, .sunday)
    case "ko-CN", "pt-AO", "pt-CH", "pt-CV", "pt-GQ", "pt-GW", "pt-LU", "pt-ST", "pt-TL":
      (.hours24, .monday)
    case "en-MV":
      (.hours24, .friday)
    case "en-BW", "en-BZ", "en-ID", "en-IL", "en-KE", "en-MT", "en-PT", "en-ZA", "en-ZW", "es-BR", "es-BZ", "fr-CA":
      (.hours24, .sunday)
    default: nil
    }
  }

  /// Whether Chinese is likely written with traditional characters in a region.
  static func isTraditionalChinese(in region: String) -> Bool {
    switch region {
    case "AU", "BN", "GB", "GF", "HK", "ID", "MO", "PA", "PF", "PH", "SR", "TH", "TW", "US", "VN": true
    default: false
    }
  }
}
