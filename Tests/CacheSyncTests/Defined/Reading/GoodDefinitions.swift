import CacheSync

/// The definitions of the contract, as documents.
enum GoodDefinitions {
  static let all: [(name: String, json: String)] = [
    ("bins", bins), ("meds", meds), ("school", school), ("power", power), ("weather", weather), ("trains", trains),
    ("chores", chores),
  ]

  static let bins = """
    {"version":1,"items":{"each":"$.bins[*]","fields":{"title":{"from":"@.type","map":{"Grey Bin":"Rubbish"}}},
     "start":{"day":"@.collectionDate","as":"dd/MM/yyyy"},"end":{"day":"@.collectionDate","as":"dd/MM/yyyy","time":"10:00"}},
     "kinds":{"bins":{"show":"nextDay","within":14,"values":{"when":{"first":"start"},"names":{"list":"title"}},
     "content":{"text":"{when:relative}: {names}"},"empty":{"text":"Nothing soon"},"items":{"title":"{title}"}}}}
    """

  static let meds = """
    {"version":1,"items":{"each":"$.medicines[*].times[*]","fields":{"title":"^.name","dose":"^.dose"},
     "start":{"day":"^.from","time":"@"},"lasts":"PT1H","repeats":"FREQ=DAILY"},
     "kinds":{"meds":{"show":"coming","within":1,"limit":3,"values":{"at":{"first":"start"},"what":{"first":"title"},"dose":{"first":"dose"}},
     "content":{"text":"{at:HH:mm} {what}, {dose}"},"items":{"title":"{title}","detail":"{dose}"}}}}
    """

  static let school = """
    {"version":1,"items":{"each":"$.lessons[*]","fields":{"title":"@.subject","room":"@.room","day":"@.day",
     "every":{"from":"@.week","map":{"A":2,"B":2},"else":1},"shift":{"from":"@.week","map":{"B":"P1W","*":"P0D"},"else":"P0D"}},
     "start":{"day":"$.mondayOfA","time":"@.from","plus":"{shift}"},"end":{"day":"$.mondayOfA","time":"@.to","plus":"{shift}"},
     "repeats":"FREQ=WEEKLY;INTERVAL={every};BYDAY={day}","except":"$.holidays[*]"},
     "kinds":{"school":{"show":"today","limit":12,"content":{"text":"{count} {count:lesson|lessons}"},"empty":{"text":"No school"},
     "items":{"title":"{title}","detail":"{start:HH:mm} {room}"}}}}
    """

  static let power = """
    {"version":1,"use":"newest","items":{"each":"$.data[*]","fields":{"price":{"from":"@.marketprice","scale":0.1,"round":1}},
     "start":{"at":"@.start_timestamp","as":"unix-ms"},"end":{"at":"@.end_timestamp","as":"unix-ms"}},
     "kinds":{"power":{"show":"now","template":"value","values":{"now":{"first":"price"},"cheap":{"of":"today","least":"price","give":"start"}},
     "content":{"value":"{now}","unit":"ct/kWh","text":"{now:0.0} ct, cheapest at {cheap:HH:mm}"},"empty":{"text":"No price yet"}}}}
    """

  static let weather = """
    {"version":1,"use":"newest","timeZone":"$.timezone","items":{"each":"$.hourly","columns":true,
     "fields":{"temp":{"from":"@.temperature_2m","round":0},"sky":{"from":"@.weather_code","map":{"3":"Overcast","61":"Rain","*":""}}},
     "start":"@.time","end":"next"},
     "kinds":{"weather":{"show":"now","template":"value","values":{"t":{"first":"temp"},"sky":{"first":"sky"},
     "low":{"of":"today","min":"temp"},"high":{"of":"today","max":"temp"}},
     "content":{"value":"{t}","unit":"°C","text":"{sky}, {low} to {high} °C"},"empty":{"text":"No forecast"}}}}
    """

  /// Departures as the contract names them: those that are not cancelled, at the expected time or else the planned one.
  static let trains = """
    {"$schema":"https://example.org/feed.json","comment":["anything",{"a":1,"a":2}],"version":1,"files":"trains.json",
     "use":"newest","updated":{"at":"$.realtimeDataUpdatedAt","as":"unix"},"staleAfter":"PT10M",
     "items":{"each":["$.departures[*]","$[*]"],
     "fields":{"line":"@.line.name","to":"@.direction","platform":["@.platform","@.plannedPlatform"],
      "delay":{"from":"@.delay","as":"number","scale":0.016666666666666666,"round":0,"else":0},"cancelled":"@['cancelled']"},
     "where":[{"field":"cancelled","isNot":true},{"any":[{"field":"line","has":"RE"},{"field":"line","in":["S1","S2",null]}]}],
     "start":["@.when","@.plannedWhen"],"id":"{line} {start}"},
     "kinds":{"trains":{"show":"coming","within":1,"order":["start","-delay"],"template":"table","deepLink":"https://example.org/board?from=8011160",
     "values":{"first":{"first":"to"},"late":{"share":[{"field":"delay","above":0}]}},
     "content":{"text":"{first}, {late:0.00} late"},"items":{"line":"{line}","to":"{to}","platform":"{platform}","in":"{start}",
     "deepLink":"https://example.org/trip?line={line}"}}}}
    """

  /// A rota: each person's turn comes again after as many weeks as there are people.
  static let chores = """
    {"version":1,"marks":["done"],"words":{"today":"heute","Mon":"Mo"},"items":{"each":"$.people[*]",
     "fields":{"title":"@.name","chore":{"from":"$.chore","else":null}},"id":"{title}",
     "start":{"day":"$.begins","plus":"P{index}W"},"lasts":"P7D","repeats":"FREQ=WEEKLY;INTERVAL={count}"},
     "kinds":{"chores":{"show":"now","reach":"midnight","hours":[18,8],"values":{"who":{"first":"title"}},"content":{"text":"{who} {{on duty}"},
     "items":{"title":"{title}"}},
     "chores-open":{"show":"all","where":{"field":"done","is":false},"limit":0,"items":{"title":"{title}","detail":"{done} {id} {key}"}}}}
    """

  static func read(_ json: String, named name: String = "bins", reserved: ReservedNames = ReservedNames())
    -> FeedDefinition.Read
  {
    Array(json.utf8).withUnsafeBytes { FeedDefinition.read($0, named: name, reserved: reserved) }
  }
}
