import Testing

import CacheSync

/// Samples in the shapes of public services, home servers and hand-made files, with the definition that a person would
/// write.
@Suite struct GuessedSamplesTests {
  static let cases = [
    GuessCase(
      "calendar times or days",
      #"[{"start":{"dateTime":"2026-11-24T18:00:00+01:00"},"end":{"dateTime":"2026-11-24T19:30:00+01:00"},"summary":"Choir","description":null,"location":"Hall"},{"start":{"date":"2026-11-25"},"end":{"date":"2026-11-26"},"summary":"Grandmother's birthday"}]"#,
      each: "$[*]", title: "@.summary", start: #"{"allDay":"@.start.date","at":["@.start.dateTime","@.start.date"]}"#,
      show: .coming, reads: "today 18:00 Choir"),
    GuessCase(
      "collections spelled out",
      #"{"uprn":"10012345","collections":[{"bin":"Blue bin","next":"Tuesday 24th November 2026"},{"bin":"Green bin","next":"Tuesday 1st December 2026"},{"bin":"Food","next":"Thursday 26th November 2026"}]}"#,
      each: "$.collections[*]", title: "@.bin", start: #"{"as":"EEEE do MMMM yyyy","day":"@.next"}"#, show: .nextDay,
      reads: "today: Blue bin"),
    GuessCase(
      "collections with flags",
      #"{"zones":{},"events":[{"id":1,"day":"2026-11-25","zone_id":1,"flags":[{"id":2,"name":"garbage","subject":"Garbage","event_type":"pickup"},{"id":3,"name":"Recycling","subject":"Recycling","event_type":"pickup"}]},{"id":2,"day":"2026-12-02","flags":[{"id":4,"name":"yardwaste","subject":"Yard Waste","event_type":"pickup"}]}]}"#,
      each: "$.events[*].flags[*]", title: "@.subject", start: #""^.day""#, id: "@.id", show: .nextDay,
      reads: "tomorrow: Garbage, Recycling"),
    GuessCase(
      "countdowns",
      #"[{"name":"Summer holidays","date":"2027-07-10"},{"name":"Exam","date":"2026-12-03"},{"name":"Concert","date":"2026-11-24"}]"#,
      each: "$[*]", title: "@.name", start: #""@.date""#, show: .nextDay, reads: "today: Concert"),
    GuessCase(
      "days and times mixed",
      #"{"title":"Hebcal Berlin November 2026","date":"2026-11-24T08:00:00.000Z","location":{"tzid":"Europe/Berlin"},"items":[{"title":"Candle lighting: 15:41","date":"2026-11-27T15:41:00+01:00","category":"candles","title_orig":"Candle lighting","memo":"Parashat Vayishlach"},{"title":"Parashat Vayishlach","date":"2026-11-28","hdate":"18 Kislev 5787","category":"parashat","hebrew":"פרשת וישלח"},{"title":"Havdalah: 16:58","date":"2026-11-28T16:58:00+01:00","category":"havdalah"},{"title":"Chanukah: 1 Candle: 15:55","date":"2026-12-04T15:55:00+01:00","category":"holiday","subcat":"major"}]}"#,
      each: "$.items[*]", title: "@.title", start: #""@.date""#, show: .coming,
      reads: "Friday 15:41 Candle lighting: 15:41"),
    GuessCase(
      "days since",
      #"[{"name":"Last haircut","since":"2026-10-12"},{"name":"No smoking","since":"2024-03-02"},{"name":"Filter changed","since":"2026-11-24"}]"#,
      each: "$[*]", title: "@.name", start: #""@.since""#, show: .due, reads: "Filter changed"),
    GuessCase(
      "departures deep in a feed",
      #"{"header":{"gtfsRealtimeVersion":"2.0","timestamp":"1795507200"},"entity":[{"id":"0","tripUpdate":{"trip":{"tripId":"T0","routeId":"14","directionId":0},"stopTimeUpdate":[{"stopSequence":1,"stopId":"S1","arrival":{"time":"1795507320","delay":60},"departure":{"time":"1795507350"}},{"stopSequence":2,"stopId":"S2","arrival":{"time":"1795507440","delay":60},"departure":{"time":"1795507470"}},{"stopSequence":3,"stopId":"S3","arrival":{"time":"1795507560","delay":60},"departure":{"time":"1795507590"}}]}},{"id":"1","tripUpdate":{"trip":{"tripId":"T1","routeId":"22","directionId":0},"stopTimeUpdate":[{"stopSequence":1,"stopId":"S1","arrival":{"time":"1795507920","delay":60},"departure":{"time":"1795507950"}},{"stopSequence":2,"stopId":"S2","arrival":{"time":"1795508040","delay":60},"departure":{"time":"1795508070"}},{"stopSequence":3,"stopId":"S3","arrival":{"time":"1795508160","delay":60},"departure":{"time":"1795508190"}}]}},{"id":"2","tripUpdate":{"trip":{"tripId":"T2","routeId":"14","directionId":0},"stopTimeUpdate":[{"stopSequence":1,"stopId":"S1","arrival":{"time":"1795508520","delay":60},"departure":{"time":"1795508550"}},{"stopSequence":2,"stopId":"S2","arrival":{"time":"1795508640","delay":60},"departure":{"time":"1795508670"}},{"stopSequence":3,"stopId":"S3","arrival":{"time":"1795508760","delay":60},"departure":{"time":"1795508790"}}]}}]}"#,
      each: "$.entity[*].tripUpdate.stopTimeUpdate[*]", title: "@.stopId", value: "@.stopSequence",
      start: #"{"as":"unix","at":"@.departure.time"}"#, show: .coming, reads: "today 09:12 S1"),
    GuessCase(
      "dishes by day",
      #"{"menu":{"2026-11-23":["Soup","Bread"],"2026-11-24":["Pasta"],"2026-11-25":["Fish","Rice"]}}"#,
      each: "$.menu[*][*]", title: "@", start: #""^key""#, show: .nextDay, reads: "today: Pasta"),
    GuessCase(
      "disk use",
      #"{"name":"store","used":3100000000000,"total":4000000000000,"updated":1795507200}"#,
      each: "$", title: "@.name", value: "@.total", show: .all, reads: "store"),
    GuessCase(
      "exchange rates",
      #"{"amount":1.0,"base":"EUR","date":"2026-11-23","rates":{"CHF":0.9321,"GBP":0.8712,"USD":1.0831}}"#,
      each: "$.rates[*]", title: "#key", value: "@", show: .all, reads: "3 items"),
    GuessCase(
      "headlines with entities",
      #"{"status":"ok","feed":{"title":"News"},"items":[{"title":"Headline 0 &amp; more","pubDate":"2026-11-24 07:00:00","link":"https://e","guid":"0","description":"<p>Long <b>text</b></p>","categories":["a"]},{"title":"Headline 1 &amp; more","pubDate":"2026-11-24 06:00:00","link":"https://e","guid":"1","description":"<p>Long <b>text</b></p>","categories":["a"]},{"title":"Headline 2 &amp; more","pubDate":"2026-11-24 05:00:00","link":"https://e","guid":"2","description":"<p>Long <b>text</b></p>","categories":["a"]},{"title":"Headline 3 &amp; more","pubDate":"2026-11-24 04:00:00","link":"https://e","guid":"3","description":"<p>Long <b>text</b></p>","categories":["a"]},{"title":"Headline 4 &amp; more","pubDate":"2026-11-24 03:00:00","link":"https://e","guid":"4","description":"<p>Long <b>text</b></p>","categories":["a"]}]}"#,
      each: "$.items[*]", title: "@.title", start: #"{"as":"yyyy-MM-dd HH:mm:ss","at":"@.pubDate"}"#, id: "@.guid",
      show: .due, reads: "Headline 0 & more"),
    GuessCase(
      "load of machines",
      #"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"instance":"nas:9100"},"value":[1795507200,"0.8312"]},{"metric":{"instance":"pi:9100"},"value":[1795507200,"0.4100"]}]}}"#,
      each: "$.data.result[*]", title: "@.metric.instance", show: .all, reads: "2 items"),
    GuessCase(
      "lunches four levels down",
      #"{"physicalLocation":{"name":"Hill School"},"menuSchedules":[{"dateInformation":{"dateFull":"2026-11-23T00:00:00","dayName":"Monday"},"menuBlocks":[{"blockName":"Lunch","scheduledDate":"2026-11-23T00:00:00","cafeteriaLineList":{"data":[{"name":"Line 1","foodItemList":{"data":[{"item_Name":"Burger","item_Type":"Entree"},{"item_Name":"Milk","item_Type":"Beverage"}]}}]}}]},{"dateInformation":{"dateFull":"2026-11-24T00:00:00","dayName":"Tuesday"},"menuBlocks":[{"blockName":"Lunch","scheduledDate":"2026-11-24T00:00:00","cafeteriaLineList":{"data":[{"name":"Line 1","foodItemList":{"data":[{"item_Name":"Soup","item_Type":"Entree"},{"item_Name":"Milk","item_Type":"Beverage"}]}}]}}]},{"dateInformation":{"dateFull":"2026-11-25T00:00:00","dayName":"Wednesday"},"menuBlocks":[{"blockName":"Lunch","scheduledDate":"2026-11-25T00:00:00","cafeteriaLineList":{"data":[{"name":"Line 1","foodItemList":{"data":[{"item_Name":"Curry","item_Type":"Entree"},{"item_Name":"Milk","item_Type":"Beverage"}]}}]}}]}]}"#,
      each: "$.menuSchedules[*].menuBlocks[*].cafeteriaLineList.data[*].foodItemList.data[*]", title: "@.item_Name",
      start: #"{"day":"^^^^.scheduledDate"}"#, show: .nextDay, reads: "today: Soup, Milk"),
    GuessCase(
      "notifications unread",
      #"[{"id":"0","unread":true,"reason":"mention","updated_at":"2026-11-21T12:00:00Z","last_read_at":null,"subject":{"title":"Crash on empty file","type":"Issue"},"repository":{"full_name":"team/app"}},{"id":"1","unread":false,"reason":"review_requested","updated_at":"2026-11-22T12:00:00Z","last_read_at":null,"subject":{"title":"Add dark mode","type":"PullRequest"},"repository":{"full_name":"team/app"}},{"id":"2","unread":true,"reason":"subscribed","updated_at":"2026-11-23T12:00:00Z","last_read_at":null,"subject":{"title":"v2.1 is out","type":"Release"},"repository":{"full_name":"team/app"}},{"id":"3","unread":true,"reason":"mention","updated_at":"2026-11-24T12:00:00Z","last_read_at":null,"subject":{"title":"Crash on empty file","type":"Issue"},"repository":{"full_name":"team/app"}}]"#,
      each: "$[*]", title: "@.subject.title", start: #""@.updated_at""#, id: "@.id", show: .due,
      reads: "Crash on empty file"),
    GuessCase(
      "people and chores",
      #"{"people":["Ida","Bo","Carl"],"chores":["Bathroom","Kitchen","Rubbish"]}"#,
      each: "$", title: "@.people", show: .all, reads: "3 items"),
    GuessCase(
      "pollen of a region",
      #"{"name":"Pollen","content":[{"region_name":"Bayern","partregion_id":121,"partregion_name":"Allgäu","Pollen":{"Hasel":{"today":"1-2","tomorrow":"2","dayafter_to":"-1"},"Erle":{"today":"0","tomorrow":"0-1","dayafter_to":"-1"}}}],"last_update":"2026-11-24 11:00 Uhr"}"#,
      each: "$.content[*].Pollen[*]", title: "#key", value: "@.today", show: .all, reads: "2 items"),
    GuessCase(
      "price pairs",
      #"{"prices":[[1795489200000,60000.0],[1795492800000,60037.123],[1795496400000,60074.246],[1795500000000,60111.369],[1795503600000,60148.492],[1795507200000,60185.615]],"market_caps":[]}"#,
      each: "$.prices[*]", value: "@[1]", start: #"{"as":"unix-ms","at":"@[0]"}"#, show: .now, reads: "60185.615"),
    GuessCase(
      "prices of quarter hours",
      #"{"deliveryDateCET":"2026-11-24","deliveryAreas":["SE3","SE4"],"market":"DayAhead","currency":"EUR","multiAreaEntries":[{"deliveryStart":"2026-11-24T07:30:00Z","deliveryEnd":"2026-11-24T07:45:00Z","entryPerArea":{"SE3":40,"SE4":50.0}},{"deliveryStart":"2026-11-24T07:45:00Z","deliveryEnd":"2026-11-24T08:00:00Z","entryPerArea":{"SE3":41,"SE4":50.0}},{"deliveryStart":"2026-11-24T08:00:00Z","deliveryEnd":"2026-11-24T08:15:00Z","entryPerArea":{"SE3":42,"SE4":50.0}},{"deliveryStart":"2026-11-24T08:15:00Z","deliveryEnd":"2026-11-24T08:30:00Z","entryPerArea":{"SE3":43,"SE4":50.0}},{"deliveryStart":"2026-11-24T08:30:00Z","deliveryEnd":"2026-11-24T08:45:00Z","entryPerArea":{"SE3":44,"SE4":50.0}},{"deliveryStart":"2026-11-24T08:45:00Z","deliveryEnd":"2026-11-24T09:00:00Z","entryPerArea":{"SE3":45,"SE4":50.0}},{"deliveryStart":"2026-11-24T09:00:00Z","deliveryEnd":"2026-11-24T09:15:00Z","entryPerArea":{"SE3":46,"SE4":50.0}},{"deliveryStart":"2026-11-24T09:15:00Z","deliveryEnd":"2026-11-24T09:30:00Z","entryPerArea":{"SE3":47,"SE4":50.0}}],"areaStates":[{"state":"Final","areas":["SE3"]}],"areaAverages":[{"areaCode":"SE3","price":40.1}]}"#,
      each: "$.multiAreaEntries[*]", value: "@.entryPerArea.SE3", start: #""@.deliveryStart""#, show: .now,
      reads: "42 EUR"),
    GuessCase(
      "school lunches",
      #"{"start_date":"2026-11-22","menu_type_id":9,"days":[{"date":"2026-11-23","has_unpublished_menus":false,"menu_items":[{"id":10,"position":0,"is_section_title":true,"text":"Entrees","food":null},{"id":11,"position":1,"is_section_title":false,"text":"","food":{"id":1,"name":"Chicken Nuggets","food_category":"entree","image_url":null,"rounded_nutrition_info":{"calories":310.0}}},{"id":12,"position":2,"is_section_title":false,"text":"","food":{"id":2,"name":"Apple Slices","food_category":"fruit"}}]},{"date":"2026-11-24","has_unpublished_menus":false,"menu_items":[{"id":20,"position":0,"is_section_title":true,"text":"Entrees","food":null},{"id":21,"position":1,"is_section_title":false,"text":"","food":{"id":1,"name":"Tacos","food_category":"entree","image_url":null,"rounded_nutrition_info":{"calories":310.0}}},{"id":22,"position":2,"is_section_title":false,"text":"","food":{"id":2,"name":"Apple Slices","food_category":"fruit"}}]},{"date":"2026-11-25","has_unpublished_menus":false,"menu_items":[{"id":30,"position":0,"is_section_title":true,"text":"Entrees","food":null},{"id":31,"position":1,"is_section_title":false,"text":"","food":{"id":1,"name":"Pasta","food_category":"entree","image_url":null,"rounded_nutrition_info":{"calories":310.0}}},{"id":32,"position":2,"is_section_title":false,"text":"","food":{"id":2,"name":"Apple Slices","food_category":"fruit"}}]}]}"#,
      each: "$.days[*].menu_items[*]", title: "@.food.name", value: "@.position", start: #""^.date""#, id: "@.id",
      show: .nextDay, reads: "today: Tacos, Apple Slices"),
    GuessCase(
      "states of a house",
      #"[{"entity_id":"sensor.living_temperature","state":"21.4","attributes":{"unit_of_measurement":"°C","friendly_name":"Living room"},"last_changed":"2026-11-24T07:55:00.123456+00:00","last_updated":"2026-11-24T07:58:00.123456+00:00"},{"entity_id":"binary_sensor.front_door","state":"on","attributes":{"device_class":"door","friendly_name":"Front door"},"last_changed":"2026-11-24T07:10:00+00:00"},{"entity_id":"sensor.washer_remaining","state":"unavailable","attributes":{"friendly_name":"Washer"},"last_changed":"2026-11-24T01:00:00+00:00"},{"entity_id":"sensor.battery_phone","state":"17","attributes":{"unit_of_measurement":"%","friendly_name":"Phone battery"},"last_changed":"2026-11-24T07:00:00+00:00"}]"#,
      each: "$[*]", title: "@.attributes.friendly_name", start: #""@.last_changed""#, id: "@.entity_id", show: .due,
      reads: "Living room"),
    GuessCase(
      "tasks with a zone each",
      #"{"@odata.context":"https://example","value":[{"id":"A","title":"Send invoice","status":"notStarted","importance":"high","dueDateTime":{"dateTime":"2026-11-24T00:00:00.0000000","timeZone":"UTC"}},{"id":"B","title":"Book flight","status":"completed","importance":"normal","dueDateTime":{"dateTime":"2026-11-22T23:00:00.0000000","timeZone":"UTC"},"completedDateTime":{"dateTime":"2026-11-23T10:00:00.0000000","timeZone":"UTC"}},{"id":"C","title":"Someday","status":"notStarted","importance":"low"}]}"#,
      each: "$.value[*]", title: "@.title",
      start: #"{"at":"@.dueDateTime.dateTime","timeZone":"@.dueDateTime.timeZone"}"#, id: "@.id", show: .due,
      reads: "1 due, first Send invoice"),
    GuessCase(
      "tasks with days as midnights",
      #"{"kind":"tasks#tasks","items":[{"id":"a","title":"Library books","status":"needsAction","due":"2026-11-24T00:00:00.000Z","updated":"2026-11-20T08:00:00.000Z","position":"0001"},{"id":"b","title":"Renew passport","status":"needsAction","due":"2026-11-30T00:00:00.000Z"},{"id":"c","title":"No date","status":"needsAction"},{"id":"d","title":"Done","status":"completed","due":"2026-11-23T00:00:00.000Z","completed":"2026-11-23T09:00:00.000Z"}]}"#,
      each: "$.items[*]", title: "@.title", start: #"{"allDay":true,"at":"@.due"}"#, id: "@.id", show: .due,
      reads: "1 due, first Library books"),
    GuessCase(
      "to dos due",
      #"[{"id":"1","content":"Pay rent","description":"","is_completed":false,"priority":4,"labels":["home"],"due":{"date":"2026-11-23","is_recurring":true,"string":"every 23rd"}},{"id":"2","content":"Call dentist","priority":2,"is_completed":false,"labels":[],"due":{"date":"2026-11-24","datetime":"2026-11-24T14:00:00Z","string":"today 15:00","timezone":"Europe/Berlin"}},{"id":"3","content":"Buy paint","priority":1,"is_completed":false,"labels":["shop"],"due":null},{"id":"4","content":"Water plants","priority":3,"is_completed":false,"labels":[],"due":{"date":"2026-11-26","string":"thu"}}]"#,
      each: "$[*]", title: "@.content", value: "@.priority", start: #"["@.due.datetime","@.due.date"]"#, id: "@.id",
      show: .due, reads: "2 due, first Pay rent"),
    GuessCase(
      "trains with delays",
      #"{"departures":[{"tripId":"1|0","stop":{"id":"8000001","name":"Mill Street"},"when":"2026-11-24T09:07:00+01:00","plannedWhen":"2026-11-24T09:05:00+01:00","delay":120,"platform":"2","plannedPlatform":"1","direction":"Lake","line":{"name":"S7","product":"suburban"},"remarks":[{"type":"warning","text":"Lift out of order"}]},{"tripId":"1|1","stop":{"id":"8000001","name":"Mill Street"},"when":"2026-11-24T09:12:00+01:00","plannedWhen":"2026-11-24T09:12:00+01:00","delay":null,"platform":"2","plannedPlatform":"1","direction":"University","line":{"name":"U6","product":"suburban"},"remarks":[{"type":"warning","text":"Lift out of order"}]},{"tripId":"1|2","stop":{"id":"8000001","name":"Mill Street"},"when":"2026-11-24T09:19:00+01:00","plannedWhen":"2026-11-24T09:19:00+01:00","delay":0,"platform":"2","plannedPlatform":"1","direction":"Forest","line":{"name":"S7","product":"suburban"},"remarks":[{"type":"warning","text":"Lift out of order"}]},{"tripId":"1|3","stop":{"id":"8000001","name":"Mill Street"},"when":"2026-11-24T09:25:00+01:00","plannedWhen":"2026-11-24T09:26:00+01:00","delay":-60,"platform":"2","plannedPlatform":"1","direction":"Market","line":{"name":"Bus 54","product":"suburban"},"remarks":[{"type":"warning","text":"Lift out of order"}]},{"tripId":"1|4","stop":{"id":"8000001","name":"Mill Street"},"when":null,"plannedWhen":"2026-11-24T09:33:00+01:00","delay":null,"platform":null,"plannedPlatform":"1","direction":"Hospital","line":{"name":"U6","product":"suburban"},"remarks":[{"type":"warning","text":"Lift out of order"}],"cancelled":true},{"tripId":"1|5","stop":{"id":"8000001","name":"Mill Street"},"when":"2026-11-24T09:55:00+01:00","plannedWhen":"2026-11-24T09:40:00+01:00","delay":900,"platform":"2","plannedPlatform":"1","direction":"Lake","line":{"name":"S7","product":"suburban"},"remarks":[{"type":"warning","text":"Lift out of order"}]}],"realtimeDataUpdatedAt":1795507200}"#,
      each: "$.departures[*]", title: "@.line.name", value: "@.delay", start: #"["@.when","@.plannedWhen"]"#,
      id: "@.tripId", show: .coming, reads: "today 09:12 U6"),
    GuessCase(
      "trams expected and planned",
      #"{"data":{"stopPlace":{"id":"StopPlace:1","name":"Harbour","estimatedCalls":[{"realtime":true,"aimedDepartureTime":"2026-11-24T09:10:00+01:00","expectedDepartureTime":"2026-11-24T09:11:00+01:00","cancellation":false,"destinationDisplay":{"frontText":"North End"},"quay":{"publicCode":"A"},"serviceJourney":{"journeyPattern":{"line":{"publicCode":"19","transportMode":"tram"}}}},{"realtime":true,"aimedDepartureTime":"2026-11-24T09:16:00+01:00","expectedDepartureTime":"2026-11-24T09:17:00+01:00","cancellation":false,"destinationDisplay":{"frontText":"Old Town"},"quay":{"publicCode":"A"},"serviceJourney":{"journeyPattern":{"line":{"publicCode":"12","transportMode":"tram"}}}},{"realtime":true,"aimedDepartureTime":"2026-11-24T09:22:00+01:00","expectedDepartureTime":"2026-11-24T09:23:00+01:00","cancellation":false,"destinationDisplay":{"frontText":"North End"},"quay":{"publicCode":"A"},"serviceJourney":{"journeyPattern":{"line":{"publicCode":"19","transportMode":"tram"}}}},{"realtime":true,"aimedDepartureTime":"2026-11-24T09:28:00+01:00","expectedDepartureTime":"2026-11-24T09:29:00+01:00","cancellation":false,"destinationDisplay":{"frontText":"Old Town"},"quay":{"publicCode":"A"},"serviceJourney":{"journeyPattern":{"line":{"publicCode":"12","transportMode":"tram"}}}},{"realtime":true,"aimedDepartureTime":"2026-11-24T09:34:00+01:00","expectedDepartureTime":"2026-11-24T09:35:00+01:00","cancellation":false,"destinationDisplay":{"frontText":"North End"},"quay":{"publicCode":"A"},"serviceJourney":{"journeyPattern":{"line":{"publicCode":"19","transportMode":"tram"}}}}]}}}"#,
      each: "$.data.stopPlace.estimatedCalls[*]", title: "@.destinationDisplay.frontText",
      value: "@.serviceJourney.journeyPattern.line.publicCode",
      start: #"["@.expectedDepartureTime","@.aimedDepartureTime"]"#, show: .coming, reads: "today 09:11 North End"),
    GuessCase(
      "variables of a panel",
      #"{"merge_variables":{"title":"Shed","temp":"7.5","door":"closed","updated":"2026-11-24T07:00:00Z","log":["opened 06:12","closed 06:15"]}}"#,
      each: "$", title: "@.merge_variables.title", value: "@.merge_variables.temp", show: .all, reads: "Shed"),
    GuessCase(
      "weather in columns",
      #"{"latitude":48.1,"longitude":11.6,"utc_offset_seconds":3600,"timezone":"Europe/Berlin","timezone_abbreviation":"CET","elevation":524.0,"hourly_units":{"time":"iso8601","temperature_2m":"°C","precipitation":"mm","wind_speed_10m":"km/h"},"hourly":{"time":["2026-11-24T07:00","2026-11-24T08:00","2026-11-24T09:00","2026-11-24T10:00","2026-11-24T11:00","2026-11-24T12:00"],"temperature_2m":[2.5,2.7,2.8,3.0,3.2,3.3],"precipitation":[0.0,0.0,0.0,0.0,0.0,0.0],"wind_speed_10m":[13.5,14.0,14.5,15.0,15.5,16.0],"weather_code":[3,3,3,3,3,3],"relative_humidity_2m":[80,80,80,80,80,80]},"daily_units":{"time":"iso8601","temperature_2m_max":"°C"},"daily":{"time":["2026-11-24","2026-11-25"],"weather_code":[61,3],"temperature_2m_max":[6.1,5.2],"temperature_2m_min":[1.9,0.4],"sunrise":["2026-11-24T07:00","2026-11-25T07:00"],"precipitation_sum":[4.2,0.0],"precipitation_probability_max":[90,10]}}"#,
      each: "$.hourly", value: "@.temperature_2m", start: #""@.time""#, show: .now, reads: "2.8 °C"),
    GuessCase(
      "weather in kelvin",
      #"{"lat":48.1,"lon":11.6,"timezone":"Europe/Berlin","timezone_offset":3600,"current":{"dt":1795507200,"sunrise":1795503600,"sunset":1795532200,"temp":276.95,"feels_like":273.2,"humidity":81,"wind_speed":3.6,"weather":[{"id":803,"main":"Clouds","description":"broken clouds","icon":"04d"}]},"hourly":[{"dt":1795507200,"temp":276.95,"pop":0.0},{"dt":1795510800,"temp":277.15,"pop":0.1},{"dt":1795514400,"temp":277.35,"pop":0.2},{"dt":1795518000,"temp":277.55,"pop":0.30000000000000004},{"dt":1795521600,"temp":277.75,"pop":0.4},{"dt":1795525200,"temp":277.95,"pop":0.5}],"daily":[{"dt":1795518000,"temp":{"day":276.0,"min":272.1,"max":279.4},"pop":0.9},{"dt":1795604400,"temp":{"day":277.0,"min":273.1,"max":280.4},"pop":0.9}],"alerts":[{"sender_name":"Weather Office","event":"Gale warning","start":1795514400,"end":1795543200,"description":"Gusts up to 70 km/h","tags":["Wind"]}]}"#,
      each: "$.hourly[*]", value: "@.temp", start: #"{"as":"unix","at":"@.dt"}"#, show: .now, reads: "276.95"),
  ]

  @Test("The guess is what a person would write", arguments: cases) func guesses(_ sample: GuessCase) throws {
    try sample.check()
  }
}
