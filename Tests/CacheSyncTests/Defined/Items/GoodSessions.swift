/// The contract's session files, in the order of the definitions.
enum GoodSessions {
  static let all = [bins, meds, school, power, weather, trains, chores]

  static let bins = #"""
    {"bins":[{"type":"Grey Bin","collectionDate":"24/11/2026"},{"type":"Food Bin","collectionDate":"24/11/2026"}]}
    """#

  static let meds = #"""
    {"medicines":[{"name":"Metformin","dose":"500 mg","from":"2026-11-01","times":["08:00","20:00"]},
    {"name":"Ramipril","dose":"5 mg","from":"2026-11-23","times":["08:00"]}]}
    """#

  static let school = #"""
    {"mondayOfA":"2026-08-31","holidays":["2026-12-24","2027-01-04T08:00"],
    "lessons":[{"day":"MO","from":"08:00","to":"08:45","subject":"Maths","room":"12"},
    {"day":"MO","week":"A","from":"08:55","to":"09:40","subject":"Art","room":"3"},
    {"day":"MO","week":"B","from":"08:55","to":"09:40","subject":"Music","room":"5"}]}
    """#

  static let power = #"""
    {"data":[{"start_timestamp":1795381200000,"end_timestamp":1795384800000,"marketprice":95.0},
    {"start_timestamp":1795384800000,"end_timestamp":1795388400000,"marketprice":88.0}]}
    """#

  static let weather = #"""
    {"timezone":"Europe/Berlin","hourly":{"time":["2026-11-22T21:00","2026-11-22T22:00","2026-11-22T23:00",
    "2026-11-23T00:00"],"temperature_2m":[3.6,3.4,1.2,0.8],"weather_code":[3,3,61,61]}}
    """#

  static let trains = #"""
    {"realtimeDataUpdatedAt":1795341600,"departures":[
    {"when":null,"plannedWhen":"2026-11-22T10:00:00+01:00","line":{"name":"RE1"},"direction":"Cottbus","delay":null,
     "platform":null,"plannedPlatform":"7"},
    {"when":null,"cancelled":true,"line":{"name":"RE2"}},
    {"when":"2026-11-22T10:04:30.9+01:00","plannedWhen":"2026-11-22T10:00:00+01:00","line":{"name":"S1"},"delay":270},
    {"when":"no date","line":{"name":"U6"}}]}
    """#

  static let chores = #"""
    {"begins":"2026-11-02","chore":"Bins","people":[{"name":"Ann"},{"name":"Ben"},{"name":"Cem"}]}
    """#
}
