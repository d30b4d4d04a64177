import Testing

import CacheSync

/// Further common shapes, in addition to those of ``GuessedSamplesTests``.
@Suite struct GuessedShapesTests {
  static let cases = [
    GuessCase(
      "tides",
      #"{"station":{"name":"Harbour","id":7},"tides":[{"type":"High","time":"2026-11-24T03:12:00Z","height":4.51},{"type":"Low","time":"2026-11-24T09:40:00Z","height":0.92},{"type":"High","time":"2026-11-24T15:31:00Z","height":4.72},{"type":"Low","time":"2026-11-24T21:58:00Z","height":0.81}]}"#,
      each: "$.tides[*]", title: "@.type", value: "@.height", start: #""@.time""#, show: .coming,
      reads: "today 10:40 Low"),
    GuessCase(
      "predictions of a tide table, short names",
      #"{"predictions":[{"t":"2026-11-24 03:12","v":"4.512","type":"H"},{"t":"2026-11-24 09:40","v":"0.921","type":"L"},{"t":"2026-11-24 15:31","v":"4.720","type":"H"}]}"#,
      each: "$.predictions[*]", title: "@.type", value: "@.v", start: #"{"as":"yyyy-MM-dd HH:mm","at":"@.t"}"#,
      show: .coming, reads: "today 09:40 L"),
    GuessCase(
      "moon phases",
      #"[{"phase":"Full Moon","date":"2026-11-24","emoji":"o"},{"phase":"Last Quarter","date":"2026-12-01","emoji":"c"},{"phase":"New Moon","date":"2026-12-09","emoji":"n"}]"#,
      each: "$[*]", title: "@.phase", start: #""@.date""#, show: .nextDay, reads: "today: Full Moon"),
    GuessCase(
      "bus departures by the clock",
      #"{"stop":"Mill Street","departures":[{"line":"19","towards":"North End","time":"09:21"},{"line":"12","towards":"Old Town","time":"09:27"},{"line":"19","towards":"North End","time":"09:51"}]}"#,
      each: "$.departures[*]", title: "@.towards", value: "@.line", start: #"{"day":"2024-01-01","time":"@.time"}"#,
      show: .coming, reads: "today 09:21 North End"),
    GuessCase(
      "bus departures by the clock of a day",
      #"{"date":"2026-11-24","stop":"Mill Street","departures":[{"line":"19","towards":"North End","time":"09:21"},{"line":"12","towards":"Old Town","time":"09:27"}]}"#,
      each: "$.departures[*]", title: "@.towards", value: "@.line", start: #"{"day":"^.date","time":"@.time"}"#,
      show: .coming, reads: "today 09:21 North End"),
    GuessCase(
      "items of a web feed",
      #"{"rss":{"channel":{"title":"News","lastBuildDate":"Tue, 24 Nov 2026 08:00:00 +0000","item":[{"title":"A &amp; B","link":"https://e/1","guid":"https://e/1","pubDate":"Tue, 24 Nov 2026 07:30:00 GMT","description":"<p>x</p>"},{"title":"C","link":"https://e/2","guid":"https://e/2","pubDate":"Mon, 23 Nov 2026 07:30:00 GMT","description":"<p>y</p>"}]}}}"#,
      each: "$.rss.channel.item[*]", title: "@.title", start: #"{"as":"rfc822","at":"@.pubDate"}"#, id: "@.guid",
      show: .due, reads: "A & B"),
    GuessCase(
      "to-dos with a deadline",
      #"{"todos":[{"uid":"a1","task":"Water plants","done":false,"deadline":"2026-11-23"},{"uid":"a2","task":"Send parcel","done":false,"deadline":"2026-11-30"},{"uid":"a3","task":"Read","done":true,"deadline":null}]}"#,
      each: "$.todos[*]", title: "@.task", start: #""@.deadline""#, id: "@.uid", show: .due,
      reads: "1 due, first Water plants"),
    GuessCase(
      "releases",
      #"[{"id":31,"tag_name":"v2.1.0","name":"Autumn","draft":false,"created_at":"2026-11-20T10:00:00Z","published_at":"2026-11-22T09:00:00Z","author":{"login":"ada"},"html_url":"https://e/31"},{"id":30,"tag_name":"v2.0.0","name":"Summer","draft":false,"created_at":"2026-07-01T10:00:00Z","published_at":"2026-07-02T09:00:00Z","author":{"login":"ben"},"html_url":"https://e/30"}]"#,
      each: "$[*]", title: "@.name", start: #""@.published_at""#, id: "@.id", show: .due, reads: "Autumn"),
    GuessCase(
      "matches",
      #"{"competition":{"name":"League"},"matches":[{"id":501,"utcDate":"2026-11-28T14:30:00Z","status":"TIMED","matchday":12,"homeTeam":{"id":1,"name":"Rovers"},"awayTeam":{"id":2,"name":"United"},"lastUpdated":"2026-11-20T00:20:00Z"},{"id":502,"utcDate":"2026-11-29T16:30:00Z","status":"TIMED","matchday":12,"homeTeam":{"id":3,"name":"City"},"awayTeam":{"id":4,"name":"Town"},"lastUpdated":"2026-11-20T00:20:00Z"}]}"#,
      each: "$.matches[*]", title: "@.homeTeam.name", value: "@.matchday", start: #""@.utcDate""#, id: "@.id",
      show: .coming, reads: "Saturday 15:30 Rovers – United"),
    GuessCase(
      "matches in rounds",
      #"{"rounds":[{"name":"Round 12","matches":[{"home":"Rovers","away":"United","kickoff":"2026-11-28T15:30:00+01:00"},{"home":"City","away":"Town","kickoff":"2026-11-29T17:30:00+01:00"}]},{"name":"Round 13","matches":[{"home":"Town","away":"Rovers","kickoff":"2026-12-05T15:30:00+01:00"}]}]}"#,
      each: "$.rounds[*].matches[*]", title: "@.home", start: #""@.kickoff""#, show: .coming,
      reads: "Saturday 15:30 Rovers – United"),
    GuessCase(
      "fixtures of a day and a time",
      #"{"events":[{"idEvent":"9001","strEvent":"Rovers vs United","dateEvent":"2026-11-28","strTime":"15:30:00","strLeague":"League"},{"idEvent":"9002","strEvent":"City vs Town","dateEvent":"2026-11-29","strTime":"17:30:00","strLeague":"League"}]}"#,
      each: "$.events[*]", title: "@.strEvent", start: #"{"day":"@.dateEvent","time":"@.strTime"}"#, id: "@.idEvent",
      show: .coming, reads: "Saturday 15:30 Rovers vs United"),
    GuessCase(
      "air quality in columns",
      #"{"latitude":52.5,"timezone":"Europe/Berlin","hourly_units":{"time":"iso8601","pm10":"µg/m³","european_aqi":"EAQI"},"hourly":{"time":["2026-11-24T08:00","2026-11-24T09:00","2026-11-24T10:00","2026-11-24T11:00"],"pm10":[18.2,17.5,16.9,16.0],"european_aqi":[31,30,29,28]}}"#,
      each: "$.hourly", value: "@.european_aqi", start: #""@.time""#, show: .now, reads: "30 EAQI"),
    GuessCase(
      "prices in columns at the top",
      #"{"license_info":"CC","unix_seconds":[1795503600,1795507200,1795510800,1795514400],"price":[81.2,95.5,88.1,70.4],"unit":"EUR/MWh","deprecated":false}"#,
      each: "$", value: "@.price", start: #"{"as":"unix","at":"@.unix_seconds"}"#, show: .now, reads: "95.5"),
    GuessCase(
      "timetable by weekday",
      #"{"timetable":{"monday":[{"time":"08:00","subject":"Maths","room":"12"},{"time":"08:55","subject":"Art","room":"3"}],"tuesday":[{"time":"08:00","subject":"Music","room":"5"}]}}"#,
      each: "$.timetable[*][*]", title: "@.subject", value: "@.room", start: #"{"day":"2024-01-01","time":"@.time"}"#,
      show: .nextDay, reads: "Monday: Maths, Art"),
    GuessCase(
      "timetable with weekdays",
      #"[{"weekday":"Tuesday","starts":"08:00","ends":"08:45","lesson":"Maths"},{"weekday":"Thursday","starts":"09:00","ends":"09:45","lesson":"Art"}]"#,
      each: "$[*]", title: "@.lesson", start: #"{"day":"2024-01-01","time":"@.starts"}"#, show: .nextDay,
      reads: "Thursday: Art"),
    GuessCase(
      "canteen by weekday",
      #"{"Monday":"Soup","Tuesday":"Pasta","Wednesday":"Fish"}"#,
      each: "$[*]", title: "@", start: #"{"day":"2024-01-01"}"#, show: .nextDay, reads: "today: Pasta"),
    GuessCase(
      "rates by code with members",
      #"{"base":"EUR","time_last_update_unix":1795478400,"conversion_rates":{"usd":{"rate":1.0831,"name":"US dollar"},"gbp":{"rate":0.8712,"name":"Pound"}}}"#,
      each: "$.conversion_rates[*]", title: "@.name", value: "@.rate", show: .all, reads: "2 items"),
    GuessCase(
      "rates by day and code",
      #"{"base":"EUR","rates":{"2026-11-23":{"USD":1.08,"GBP":0.87},"2026-11-24":{"USD":1.09,"GBP":0.86}}}"#,
      each: "$.rates[*]", value: "@.USD", start: ##""#key""##, show: .now, reads: "1.09 USD"),
    GuessCase(
      "waste by day",
      #"{"2026-11-25":["Organic","Paper"],"2026-12-02":["Rest"],"2026-12-09":["Organic"]}"#,
      each: "$[*][*]", title: "@", start: #""^key""#, show: .nextDay, reads: "tomorrow: Organic, Paper"),
    GuessCase(
      "waste by day, one each",
      #"{"calendar":{"2026-11-25":"Organic","2026-12-02":"Rest"}}"#,
      each: "$.calendar[*]", title: "@", start: ##""#key""##, show: .nextDay, reads: "tomorrow: Organic"),
    GuessCase(
      "waste by month name",
      #"[{"what":"Paper","on":"25 Nov 2026"},{"what":"Glass","on":"2 Dec 2026"}]"#,
      each: "$[*]", title: "@.what", start: #"{"as":"d MMMM yyyy","day":"@.on"}"#, show: .nextDay,
      reads: "tomorrow: Paper"),
    GuessCase(
      "sensors by id",
      #"{"sensors":{"28-0001":{"name":"Cellar","temperature":12.4,"updated":"2026-11-24T07:58:00Z"},"28-0002":{"name":"Attic","temperature":16.1,"updated":"2026-11-24T07:59:00Z"}}}"#,
      each: "$.sensors[*]", title: "@.name", value: "@.temperature", start: #""@.updated""#, show: .due,
      reads: "Attic"),
    GuessCase(
      "sensors by place without names",
      #"{"kitchen":{"temperature":21.4,"humidity":48},"cellar":{"temperature":12.4,"humidity":71}}"#,
      each: "$[*]", title: "#key", value: "@.temperature", show: .all, reads: "2 items"),
    GuessCase(
      "milliseconds",
      #"{"list":[{"ts":1795550400000,"label":"Backup"},{"ts":1795636800000,"label":"Update"}]}"#,
      each: "$.list[*]", title: "@.label", start: #"{"as":"unix-ms","at":"@.ts"}"#, show: .coming,
      reads: "today 21:00 Backup"),
    GuessCase(
      "compact days",
      #"{"termine":[{"datum":"20261124","art":"Altpapier"},{"datum":"20261201","art":"Restabfall"}]}"#,
      each: "$.termine[*]", title: "@.art", start: #"{"as":"yyyyMMdd","day":"@.datum"}"#, show: .nextDay,
      reads: "today: Altpapier"),
    GuessCase(
      "compact days as numbers",
      #"[{"day":20261125,"event":"Market"},{"day":20261202,"event":"Fair"}]"#,
      each: "$[*]", title: "@.event", start: #"{"as":"yyyyMMdd","day":"@.day"}"#, show: .nextDay,
      reads: "tomorrow: Market"),
    GuessCase(
      "compact days and times",
      #"[{"dt":"20261125T0930","event":"Market"},{"dt":"20261202T1000","event":"Fair"}]"#,
      each: "$[*]", title: "@.event", start: #"{"as":"yyyyMMdd'T'HHmm","at":"@.dt"}"#, show: .coming,
      reads: "tomorrow 09:30 Market"),
    GuessCase(
      "day and time apart",
      #"[{"title":"Play","date":"2026-11-25","time":"19:30","endTime":"22:00","venue":"Hall"},{"title":"Film","date":"2026-11-26","time":"20:15","endTime":"22:10","venue":"Barn"}]"#,
      each: "$[*]", title: "@.title", start: #"{"day":"@.date","time":"@.time"}"#, show: .coming,
      reads: "tomorrow 19:30 Play"),
    GuessCase(
      "american day and time apart",
      #"[{"Name":"Play","StartDate":"11/25/2026","StartTime":"7:30 PM"},{"Name":"Film","StartDate":"11/26/2026","StartTime":"8:15 PM"}]"#,
      each: "$[*]", title: "@.Name",
      start: #"{"as":"MM/dd/yyyy","day":"@.StartDate","time":"@.StartTime","timeAs":"h:mm a"}"#, show: .coming,
      reads: "tomorrow 19:30 Play"),
    GuessCase(
      "calendar of days and times",
      #"{"items":[{"id":"x1","summary":"Dentist","start":{"dateTime":"2026-11-25T10:00:00+01:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-11-25T10:30:00+01:00","timeZone":"Europe/Berlin"}},{"id":"x2","summary":"Holiday","start":{"date":"2026-11-26"},"end":{"date":"2026-11-28"}}]}"#,
      each: "$.items[*]", title: "@.summary",
      start: #"{"allDay":"@.start.date","at":["@.start.dateTime","@.start.date"]}"#, id: "@.id", show: .coming,
      reads: "tomorrow 10:00 Dentist"),
    GuessCase(
      "office calendar",
      #"{"value":[{"id":"AA","subject":"Review","isAllDay":false,"start":{"dateTime":"2026-11-25T09:00:00.0000000","timeZone":"UTC"},"end":{"dateTime":"2026-11-25T10:00:00.0000000","timeZone":"UTC"},"location":{"displayName":"Room 1"}},{"id":"AB","subject":"Trip","isAllDay":true,"start":{"dateTime":"2026-11-26T00:00:00.0000000","timeZone":"UTC"},"end":{"dateTime":"2026-11-27T00:00:00.0000000","timeZone":"UTC"},"location":{"displayName":"Lake"}}]}"#,
      each: "$.value[*]", title: "@.subject",
      start: #"{"allDay":"@.isAllDay","at":"@.start.dateTime","timeZone":"@.start.timeZone"}"#, id: "@.id",
      show: .coming, reads: "tomorrow 10:00 Review"),
    GuessCase(
      "deep in envelopes",
      #"{"response":{"status":"ok","body":{"data":{"result":{"appointments":[{"what":"Checkup","when":"2026-11-30T08:30:00+01:00"},{"what":"Service","when":"2026-12-03T08:30:00+01:00"}]}}}}}"#,
      each: "$.response.body.data.result.appointments[*]", title: "@.what", start: #""@.when""#, show: .coming,
      reads: "Monday 08:30 Checkup"),
    GuessCase(
      "pairs of time and text",
      #"[["2026-11-24T10:00:00Z","Door opened"],["2026-11-24T11:00:00Z","Door closed"]]"#,
      each: "$[*]", title: "@[1]", start: #""@[0]""#, show: .coming, reads: "today 11:00 Door opened"),
    GuessCase(
      "values by the hour, keyed",
      #"{"result":{"watts":{"2026-11-24 08:00:00":120,"2026-11-24 09:00:00":480,"2026-11-24 10:00:00":910,"2026-11-24 11:00:00":870},"message":{"code":0}}}"#,
      each: "$.result.watts[*]", value: "@", start: ##"{"as":"yyyy-MM-dd HH:mm:ss","at":"#key"}"##, show: .now,
      reads: "480"),
    GuessCase(
      "birthdays",
      #"[{"name":"Ada","birthday":"1990-12-10"},{"name":"Ben","birthday":"2001-11-24"}]"#,
      each: "$[*]", title: "@.name", start: #""@.birthday""#, show: .coming, reads: "today: Ben"),
    GuessCase(
      "last and next collection",
      #"[{"type":"Garden","lastCollection":"2026-11-10","nextCollection":"2026-11-24"},{"type":"Paper","lastCollection":"2026-11-17","nextCollection":"2026-12-01"}]"#,
      each: "$[*]", title: "@.type", start: #""@.nextCollection""#, show: .nextDay, reads: "today: Garden"),
    GuessCase(
      "loans with two times",
      #"[{"book":"Dune","title":"Dune","borrowed":"2026-11-01","due":"2026-11-29"},{"book":"Emma","title":"Emma","borrowed":"2026-11-10","due":"2026-12-08"}]"#,
      each: "$[*]", title: "@.title", start: #""@.due""#, show: .nextDay, reads: "Sunday: Dune"),
    GuessCase(
      "warnings with ends",
      #"{"features":[{"id":"w1","properties":{"event":"Gale","headline":"Gale until evening","sent":"2026-11-24T05:00:00Z","onset":"2026-11-24T06:00:00Z","expires":"2026-11-24T20:00:00Z"}},{"id":"w2","properties":{"event":"Rain","headline":"Heavy rain","sent":"2026-11-24T05:00:00Z","onset":"2026-11-25T06:00:00Z","expires":"2026-11-25T20:00:00Z"}}]}"#,
      each: "$.features[*]", title: "@.properties.headline", start: #""@.properties.onset""#, id: "@.id",
      show: .coming, reads: "today 07:00 Gale until evening"),
    GuessCase(
      "forecast every three hours",
      #"{"cod":"200","cnt":3,"list":[{"dt":1795500000,"main":{"temp":277.1,"feels_like":274.0,"humidity":80},"weather":[{"id":500,"main":"Rain"}],"sys":{"pod":"n"},"dt_txt":"2026-11-24 06:00:00"},{"dt":1795510800,"main":{"temp":278.4,"feels_like":275.0,"humidity":78},"weather":[{"id":500,"main":"Rain"}],"sys":{"pod":"d"},"dt_txt":"2026-11-24 09:00:00"},{"dt":1795521600,"main":{"temp":279.0,"feels_like":276.0,"humidity":75},"weather":[{"id":800,"main":"Clear"}],"sys":{"pod":"d"},"dt_txt":"2026-11-24 12:00:00"}],"city":{"name":"Berlin","sunrise":1795503600,"sunset":1795532200}}"#,
      each: "$.list[*]", value: "@.main.temp", start: #"{"as":"unix","at":"@.dt"}"#, show: .now, reads: "277.1"),
    GuessCase(
      "weather now",
      #"{"coord":{"lon":13.4,"lat":52.5},"weather":[{"id":803,"main":"Clouds","description":"broken clouds"}],"main":{"temp":277.1,"humidity":81},"dt":1795507200,"sys":{"sunrise":1795503600,"sunset":1795532200},"name":"Berlin","cod":200}"#,
      each: "$", title: "@.name", value: "@.main.temp", show: .all, reads: "Berlin"),
    GuessCase(
      "days with a temperature",
      #"{"daily":[{"date":"2026-11-24","min":1.2,"max":6.4},{"date":"2026-11-25","min":0.2,"max":5.1},{"date":"2026-11-26","min":-1.0,"max":3.3}]}"#,
      each: "$.daily[*]", value: "@.max", start: #""@.date""#, show: .now, reads: "6.4"),
    GuessCase(
      "shopping list",
      #"{"name":"Groceries","items":["Milk","Eggs"]}"#,
      each: "$.items[*]", title: "@", show: .all, reads: "2 items"),
    GuessCase(
      "shopping list of objects",
      #"{"list":{"id":9,"title":"Groceries","entries":[{"id":"a","text":"Milk","checked":false},{"id":"b","text":"Eggs","checked":true}]}}"#,
      each: "$.list.entries[*]", title: "@.text", id: "@.id", show: .all, reads: "1 item"),
    GuessCase(
      "flights with a plan",
      #"{"flights":[{"flight":"LH100","destination":{"city":"Oslo"},"scheduledDeparture":"2026-11-24T10:00:00Z","estimatedDeparture":"2026-11-24T10:20:00Z","scheduledArrival":"2026-11-24T12:00:00Z"},{"flight":"LH200","destination":{"city":"Rome"},"scheduledDeparture":"2026-11-24T11:00:00Z","estimatedDeparture":null,"scheduledArrival":"2026-11-24T13:00:00Z"}]}"#,
      each: "$.flights[*]", title: "@.flight", start: #"["@.estimatedDeparture","@.scheduledDeparture"]"#,
      show: .coming, reads: "today 11:20 LH100"),
    GuessCase(
      "departures by stop",
      #"{"stops":{"Harbour":[{"line":"1","dest":"Lake","due":"2026-11-24T08:20:00Z"}],"Mill":[{"line":"2","dest":"Hill","due":"2026-11-24T08:25:00Z"},{"line":"3","dest":"Sea","due":"2026-11-24T08:30:00Z"}]}}"#,
      each: "$.stops[*][*]", title: "@.line", start: #""@.due""#, show: .coming, reads: "today 09:20 1"),
    GuessCase(
      "one event",
      #"{"event":{"title":"Concert","date":"2026-11-27T19:30:00+01:00","venue":"Hall"}}"#,
      each: "$", title: "@.event.title", start: #""@.event.date""#, show: .coming, reads: "Friday 19:30 Concert"),
    GuessCase(
      "log of a machine, all past",
      #"[{"at":"2026-11-23T22:01:00Z","event":"Backup done"},{"at":"2026-11-22T22:01:00Z","event":"Backup failed"},{"at":"2026-11-21T22:01:00Z","event":"Disk checked"}]"#,
      each: "$[*]", title: "@.event", start: #""@.at""#, show: .all, reads: "3 items"),
    GuessCase(
      "events with guests",
      #"{"events":[{"name":"Faust","date":"2026-11-25","guests":[{"name":"Ada","since":"2026-11-01"},{"name":"Ben","since":"2026-11-02"}]},{"name":"Hamlet","date":"2026-11-27","guests":[{"name":"Cleo","since":"2026-11-03"}]}]}"#,
      each: "$.events[*]", title: "@.name", start: #""@.date""#, show: .nextDay, reads: "tomorrow: Faust"),
    GuessCase(
      "daily sun in columns",
      #"{"daily":{"time":["2026-11-24","2026-11-25","2026-11-26"],"sunrise":["2026-11-24T07:33","2026-11-25T07:35","2026-11-26T07:36"],"sunset":["2026-11-24T16:24","2026-11-25T16:23","2026-11-26T16:22"],"temperature_2m_max":[6.1,5.0,4.2]}}"#,
      each: "$.daily", value: "@.temperature_2m_max", start: #""@.time""#, show: .now, reads: "6.1"),
    GuessCase(
      "minutes without seconds",
      #"[{"title":"Call","at":"2026-11-24T10:00Z"},{"title":"Visit","at":"2026-11-25T10:30+01:00"}]"#,
      each: "$[*]", title: "@.title", start: #""@.at""#, show: .coming, reads: "today 11:00 Call"),
    GuessCase(
      "geojson quakes",
      #"{"type":"FeatureCollection","metadata":{"generated":1795507000000,"title":"Quakes"},"features":[{"type":"Feature","properties":{"mag":4.5,"place":"10 km S of A","time":1795500000000,"updated":1795503000000,"title":"M 4.5 - A"},"geometry":{"type":"Point","coordinates":[1.5,2.5,10.0]},"id":"us1"},{"type":"Feature","properties":{"mag":5.1,"place":"20 km N of B","time":1795400000000,"updated":1795403000000,"title":"M 5.1 - B"},"geometry":{"type":"Point","coordinates":[3.5,4.5,33.0]},"id":"us2"}]}"#,
      each: "$.features[*]", title: "@.properties.title", value: "@.properties.mag",
      start: #"{"as":"unix-ms","at":"@.properties.time"}"#, id: "@.id", show: .all, reads: "2 items"),
    GuessCase(
      "arrivals at a stop",
      #"[{"id":"1","lineName":"Victoria","towards":"Brixton","expectedArrival":"2026-11-24T08:15:00Z","timeToStation":300,"timestamp":"2026-11-24T08:10:01Z"},{"id":"2","lineName":"Central","towards":"Epping","expectedArrival":"2026-11-24T08:19:00Z","timeToStation":540,"timestamp":"2026-11-24T08:10:02Z"}]"#,
      each: "$[*]", title: "@.lineName", value: "@.timeToStation", start: #""@.timestamp""#, id: "@.id", show: .coming,
      reads: "today 09:10 Victoria"),
    GuessCase(
      "forecast with a word for each hour",
      #"{"properties":{"meta":{"updated_at":"2026-11-24T07:30:00Z","units":{"air_temperature":"celsius"}},"timeseries":[{"time":"2026-11-24T07:00:00Z","data":{"instant":{"details":{"air_temperature":5.5,"wind_speed":7}},"next_1_hours":{"summary":{"symbol_code":"rain"}}}},{"time":"2026-11-24T08:00:00Z","data":{"instant":{"details":{"air_temperature":6.0,"wind_speed":8}},"next_1_hours":{"summary":{"symbol_code":"cloudy"}}}},{"time":"2026-11-24T09:00:00Z","data":{"instant":{"details":{"air_temperature":6.5,"wind_speed":9}},"next_1_hours":{"summary":{"symbol_code":"rain"}}}},{"time":"2026-11-24T10:00:00Z","data":{"instant":{"details":{"air_temperature":7.0,"wind_speed":0}},"next_1_hours":{"summary":{"symbol_code":"sun"}}}},{"time":"2026-11-24T11:00:00Z","data":{"instant":{"details":{"air_temperature":7.5,"wind_speed":1}},"next_1_hours":{"summary":{"symbol_code":"sun"}}}}]}}"#,
      each: "$.properties.timeseries[*]", value: "@.data.instant.details.air_temperature", start: #""@.time""#,
      show: .now, reads: "6 celsius"),
    GuessCase(
      "prices of today and tomorrow",
      #"{"data":{"viewer":{"homes":[{"priceInfo":{"today":[{"total":0.28,"startsAt":"2026-11-24T08:00:00.000+01:00","level":"NORMAL"},{"total":0.29,"startsAt":"2026-11-24T09:00:00.000+01:00","level":"NORMAL"},{"total":0.3,"startsAt":"2026-11-24T10:00:00.000+01:00","level":"CHEAP"},{"total":0.31,"startsAt":"2026-11-24T11:00:00.000+01:00","level":"CHEAP"}],"tomorrow":[{"total":0.3,"startsAt":"2026-11-25T00:00:00.000+01:00","level":"CHEAP"}]}}]}}}"#,
      each: "$.data.viewer.homes[*].priceInfo[*][*]", value: "@.total", start: #""@.startsAt""#, show: .now,
      reads: "0.29"),
    GuessCase(
      "fuel prices",
      #"{"ok":true,"stations":[{"id":"s1","name":"North","dist":1.2,"diesel":1.589,"e5":1.729,"isOpen":true},{"id":"s2","name":"South","dist":2.4,"diesel":1.599,"e5":1.739,"isOpen":false}]}"#,
      each: "$.stations[*]", title: "@.name", value: "@.diesel", id: "@.id", show: .all, reads: "2 items"),
    GuessCase(
      "holidays by name",
      #"{"Christmas Day":{"date":"2026-12-25","note":""},"New Year":{"date":"2027-01-01","note":""},"Easter Monday":{"date":"2027-03-29","note":""}}"#,
      each: "$[*]", title: "#key", start: #""@.date""#, show: .nextDay, reads: "25 Dec: Christmas Day"),
    GuessCase(
      "shifts",
      #"{"shifts":[{"employee":"Ada","start":"2026-11-24T06:00:00+01:00","end":"2026-11-24T14:00:00+01:00"},{"employee":"Ben","start":"2026-11-24T14:00:00+01:00","end":"2026-11-24T22:00:00+01:00"}]}"#,
      each: "$.shifts[*]", title: "@.employee", start: #""@.start""#, show: .coming, reads: "today 06:00 Ada"),
    GuessCase(
      "rota of weeks",
      #"[{"from":"2026-11-23","to":"2026-11-29","person":"Ida"},{"from":"2026-11-30","to":"2026-12-06","person":"Bo"}]"#,
      each: "$[*]", title: "@.person", start: #""@.from""#, show: .nextDay, reads: "23 Nov: Ida"),
    GuessCase(
      "table of a league",
      #"{"standings":[{"rank":1,"team":{"name":"Rovers"},"points":30},{"rank":2,"team":{"name":"City"},"points":28}]}"#,
      each: "$.standings[*]", title: "@.team.name", value: "@.points", show: .all, reads: "2 items"),
    GuessCase(
      "issues",
      #"[{"number":12,"id":9001,"title":"Crash","state":"open","user":{"login":"ada"},"created_at":"2026-11-20T10:00:00Z","updated_at":"2026-11-23T10:00:00Z","closed_at":null},{"number":11,"id":9000,"title":"Typo","state":"open","user":{"login":"ben"},"created_at":"2026-11-19T10:00:00Z","updated_at":"2026-11-19T11:00:00Z","closed_at":null}]"#,
      each: "$[*]", title: "@.title", value: "@.number", start: #""@.updated_at""#, id: "@.id", show: .due,
      reads: "Crash"),
    GuessCase(
      "launches",
      #"{"count":2,"results":[{"id":"a-1","name":"Falcon","status":{"name":"Go"},"net":"2026-11-26T10:00:00Z","window_start":"2026-11-26T10:00:00Z","window_end":"2026-11-26T12:00:00Z","last_updated":"2026-11-20T00:00:00Z"},{"id":"a-2","name":"Ariane","status":{"name":"TBC"},"net":"2026-11-30T10:00:00Z","window_start":"2026-11-30T10:00:00Z","window_end":"2026-11-30T11:00:00Z","last_updated":"2026-11-21T00:00:00Z"}]}"#,
      each: "$.results[*]", title: "@.name", start: #""@.window_start""#, id: "@.id", show: .coming,
      reads: "Thursday 11:00 Falcon"),
    GuessCase(
      "glucose",
      #"[{"_id":"x1","sgv":120,"date":1795507200000,"dateString":"2026-11-24T08:00:00.000Z","direction":"Flat"},{"_id":"x2","sgv":118,"date":1795506900000,"dateString":"2026-11-24T07:55:00.000Z","direction":"FortyFiveDown"}]"#,
      each: "$[*]", title: "@.direction", value: "@.sgv", start: #"{"as":"unix-ms","at":"@.date"}"#, id: "@._id",
      show: .all, reads: "2 items"),
    GuessCase(
      "activities",
      #"[{"id":77,"name":"Morning run","distance":5021.4,"moving_time":1800,"start_date":"2026-11-23T07:00:00Z","start_date_local":"2026-11-23T08:00:00Z","type":"Run"},{"id":76,"name":"Ride","distance":21021.4,"moving_time":3600,"start_date":"2026-11-21T07:00:00Z","start_date_local":"2026-11-21T08:00:00Z","type":"Ride"}]"#,
      each: "$[*]", title: "@.name", value: "@.moving_time", start: #""@.start_date""#, id: "@.id", show: .all,
      reads: "2 items"),
    GuessCase(
      "cards with few due dates",
      #"[{"id":"c1","name":"Plan","due":null,"closed":false,"dateLastActivity":"2026-11-22T10:00:00Z"},{"id":"c2","name":"Build","due":null,"closed":false,"dateLastActivity":"2026-11-23T10:00:00Z"},{"id":"c3","name":"Ship","due":"2026-12-01T10:00:00Z","closed":false,"dateLastActivity":"2026-11-21T10:00:00Z"}]"#,
      each: "$[*]", title: "@.name", start: #""@.due""#, id: "@.id", show: .coming, reads: "1 Dec 11:00 Ship"),
    GuessCase(
      "meals by day",
      #"{"2026-11-24":{"lunch":"Pasta","dinner":"Soup"},"2026-11-25":{"lunch":"Fish","dinner":"Rice"}}"#,
      each: "$[*]", title: "@.lunch", start: ##""#key""##, show: .nextDay, reads: "today: Pasta"),
    GuessCase(
      "days with lists",
      #"{"days":[{"date":"2026-11-24","lunch":["Pasta","Rice"],"dinner":["Soup"]},{"date":"2026-11-25","lunch":["Fish"],"dinner":["Stew"]}]}"#,
      each: "$.days[*].lunch[*]", title: "@", start: #""^.date""#, show: .nextDay, reads: "today: Pasta, Rice"),
    GuessCase(
      "events by day",
      #"{"2026-11-24":[{"time":"10:00","title":"Call"},{"time":"11:00","title":"Visit"}],"2026-11-25":[{"time":"09:00","title":"Walk"}]}"#,
      each: "$[*][*]", title: "@.title", start: #"{"day":"^key","time":"@.time"}"#, show: .coming,
      reads: "today 10:00 Call"),
    GuessCase(
      "weather of stations",
      #"{"stations":[{"name":"A","readings":[{"at":"2026-11-24T08:00:00Z","temp":3.1}]},{"name":"B","readings":[{"at":"2026-11-24T08:00:00Z","temp":4.1}]}]}"#,
      each: "$.stations[*]", title: "@.name", show: .all, reads: "2 items"),
    GuessCase(
      "bins with several dates",
      #"{"bins":[{"name":"Grey","dates":["2026-11-24","2026-12-08"]},{"name":"Green","dates":["2026-12-01"]}]}"#,
      each: "$.bins[*].dates[*]", title: "^.name", start: #""@""#, show: .nextDay, reads: "today: Grey"),
    GuessCase(
      "crypto",
      #"{"bitcoin":{"usd":60186,"eur":55000},"ether":{"usd":3000,"eur":2800}}"#,
      each: "$[*]", title: "#key", value: "@.usd", show: .all, reads: "2 items"),
    GuessCase(
      "mqtt",
      #"{"battery":87,"linkquality":120,"temperature":21.3,"humidity":45}"#,
      each: "$", value: "@.temperature", show: .all, reads: "21.3"),
    GuessCase(
      "time series influx",
      #"{"results":[{"series":[{"name":"t","columns":["time","mean"],"values":[["2026-11-24T07:00:00Z",3.1],["2026-11-24T08:00:00Z",3.4],["2026-11-24T09:00:00Z",3.9]]}]}]}"#,
      each: "$.results[*].series[*].values[*]", value: "@[1]", start: #""@[0]""#, show: .now, reads: "3.4"),
    GuessCase(
      "tv",
      #"{"channels":[{"name":"One","programmes":[{"title":"News","start":"2026-11-24T20:00:00+01:00","stop":"2026-11-24T20:15:00+01:00"}]},{"name":"Two","programmes":[{"title":"Film","start":"2026-11-24T20:15:00+01:00","stop":"2026-11-24T22:00:00+01:00"}]}]}"#,
      each: "$.channels[*].programmes[*]", title: "@.title", start: #""@.start""#, show: .coming,
      reads: "today 20:00 News"),
    GuessCase(
      "podcast",
      #"{"feed":{"title":"Pod"},"episodes":[{"title":"E2","published":"Mon, 23 Nov 2026 05:00:00 +0000","duration":"00:31:10","audio":"https://e/2.mp3"},{"title":"E1","published":"Mon, 16 Nov 2026 05:00:00 +0000","duration":"00:29:10","audio":"https://e/1.mp3"}]}"#,
      each: "$.episodes[*]", title: "@.title", start: #"{"as":"rfc822","at":"@.published"}"#, show: .due, reads: "E2"),
    GuessCase(
      "german bins",
      #"[{"termin":"24.11.2026","fraktion":"Restmüll"},{"termin":"01.12.2026","fraktion":"Papier"}]"#,
      each: "$[*]", title: "@.fraktion", start: #"{"as":"dd.MM.yyyy","day":"@.termin"}"#, show: .nextDay,
      reads: "today: Restmüll"),
    GuessCase(
      "spaced",
      #"[{"Date Time":"2026-11-24 10:00","Event Name":"Call"},{"Date Time":"2026-11-25 10:00","Event Name":"Visit"}]"#,
      each: "$[*]", title: "@['Event Name']", start: #"{"as":"yyyy-MM-dd HH:mm","at":"@['Date Time']"}"#,
      show: .coming, reads: "today 10:00 Call"),
  ]

  @Test("The guess is what a person would write", arguments: cases) func guesses(_ sample: GuessCase) throws {
    try sample.check()
  }
}
