/// A text that the program writes and a person reads. Here are its purpose and its English; the other languages are files
/// in `Sources/CLanguages/Texts`, and what a file does not have is in English.
///
/// A text has places for values in braces. One with `{count}` may have two forms for it, separated by `|`: for one, and
/// for other numbers.
public enum Phrase: Int, CaseIterable, Sendable {
  // MARK: All kinds
  /// The badge of data that are too old; a word of at most 8 characters.
  case stale
  /// In brackets behind the name of a kind, in a terminal: there are no data.
  case emptyState
  /// The same: today's data have not arrived.
  case placeholderState
  /// A share that is said to people who cannot see the ring or bar.
  case percentSaid
  /// The same: it is more than there should be.
  case overSaid
  /// The last line of a list in a terminal, for the rows that are hidden.
  case andMore
  /// The title and the message of an empty kind on one line.
  case titleAndMessage
  /// The current day in place of a date.
  case today
  /// A kind of an own feed has nothing to show and no text for that.
  case nothingToShow
  /// In a picture, for the rows that do not fit; at most 12 characters.
  case moreRows
  /// The value `true` of a field that this version does not know.
  case yes
  /// The value `false`.
  case no
  /// A day in place of a date, in the texts of an own feed.
  case tomorrow
  /// The same.
  case yesterday
  /// A later day, two days or more away, in the texts of an own feed.
  case inDays
  /// An earlier day, two days or more away, in the texts of an own feed.
  case daysAgo

  // MARK: Tasks
  /// How many tasks are due today.
  case tasks
  /// The same on one line of a lock screen.
  case tasksToday
  /// The same, and how many tasks were due on earlier days.
  case tasksTodayAndOverdue
  /// How many tasks were due on earlier days.
  case overdueTasks
  /// Below the number of overdue tasks; at most 10 characters.
  case overdueUnit
  /// Below the number of due tasks, which decides the form; at most 10 characters.
  case taskUnit
  /// All of today's tasks are completed.
  case allDone
  /// The same in a circle; at most 6 characters.
  case done
  /// No task is due today.
  case noTasks
  /// The heading of today's tasks, also in a list of widgets; at most 24 characters.
  case todaysTasks
  /// The same in a small widget.
  case todaysTasksShort
  /// How many tasks were completed today.
  case completedToday
  /// How many of today's tasks are completed.
  case completedOfTotal
  /// When an overdue task was due.
  case overdueSince
  /// The day on which a task is due.
  case dueOn
  /// The time at which a task is due, with the date if that is not today.
  case dueAt

  // MARK: New tasks and events
  /// The heading of the links to new tasks and events, also in a list of widgets; at most 24 characters.
  case quickAdd
  /// The meaning of a tap on a small widget.
  case tapToCreate
  /// The link to a new task; a button.
  case addTask
  /// The link to a new event; a button.
  case addEvent
  /// The link to the chat; a button.
  case chat

  // MARK: Events
  /// No event begins within seven days.
  case noUpcomingEvents
  /// An event of one whole day, in place of its times.
  case allDay
  /// The same on another day than today.
  case allDayOn
  /// The end of an event that is under way.
  case nowUntil
  /// An event that is under way, and its end.
  case eventUntil

  // MARK: Meals
  /// The title of a day without a plan.
  case noMealPlan
  /// What to do about it.
  case openAppToGenerate
  /// A meal.
  case breakfast
  /// A meal.
  case lunch
  /// A meal.
  case dinner
  /// A meal that is for adults only, above its name.
  case adultBreakfast
  /// The same.
  case adultLunch
  /// The same.
  case adultDinner
  /// A meal that is for adults only, at the beginning of a row.
  case breakfastForAdults
  /// The same.
  case lunchForAdults
  /// The same.
  case dinnerForAdults

  // MARK: Nutrition
  /// The app has not written the day's data; at most 20 characters.
  case openAppToSync
  /// The same on one line of a lock screen.
  case syncRequired
  /// In place of numbers, for a person who wants to see none.
  case mindfulMode
  /// There is no food to log.
  case addFavorites
  /// The heading of the foods to log, also in a list of widgets; at most 24 characters.
  case quickLog
  /// The button that logs a food, for people who cannot see it.
  case logFood
  /// The beginning of the row of calories.
  case calories
  /// How many calories may still be eaten; short.
  case caloriesLeft
  /// The same in full.
  case caloriesRemaining
  /// The calories of a food.
  case caloriesUnit
  /// Below the number of calories that may still be eaten; at most 10 characters.
  case caloriesLeftUnit
  /// When the app last wrote the data; the end of a list.
  case updated
  /// The same in a widget.
  case asOf
  /// The heading of protein, carbs and fat, also in a list of widgets; at most 24 characters.
  case macros
  /// A nutrient as a heading.
  case protein
  /// The same.
  case carbs
  /// The same.
  case fat
  /// A nutrient in a ring or a small widget; at most 8 characters.
  case proteinShort
  /// The same.
  case carbsShort
  /// The same.
  case fatShort
  /// A nutrient at the beginning of a row.
  case proteinInRow
  /// The same.
  case carbsInRow
  /// The same.
  case fatInRow

  // MARK: Amounts
  /// How much of an amount is left.
  case left
  /// How much more there is than there should be.
  case over
  /// Beside or below a number: it is left; at most 8 characters.
  case leftUnit
  /// Beside or below a number: it is too much; at most 8 characters.
  case overUnit
  /// Beside a number of grams: they are left.
  case gramsLeftUnit
  /// Beside a number of grams: they are too many.
  case gramsOverUnit

  // MARK: Health
  /// There is no sample.
  case noHealthData
  /// The app may not read samples.
  case noHealthAccess
  /// The heading of the day's energy budget.
  case budget
  /// Before the energy that the last days left over.
  case credit
  /// That energy, and the days over which it is spread.
  case creditOverDays
  /// How the budget comes about.
  case budgetParts
  /// The energy that keeps the weight.
  case maintenance
  /// There are too few days with data; in a widget.
  case calibrating
  /// The same in a list.
  case tooFewDays
  /// A remark on the budget in a list: the weight changes faster than is plausible.
  case slopeClamped
  /// The body fat is unknown.
  case densityEstimated
  /// The maintenance is too low to be right.
  case maintenanceSuspect
  /// The budget was limited.
  case budgetClamped
  /// The credit's effect was limited.
  case adjustmentClamped
  /// The same remarks on a line of their own in a widget.
  case slopeClampedLine
  /// The same.
  case densityEstimatedLine
  /// The same.
  case maintenanceSuspectLine
  /// The same.
  case budgetClampedLine
  /// The same.
  case adjustmentClampedLine
  /// The heading of the nutrients, also in a list of widgets; at most 24 characters.
  case nutrients
  /// A nutrient in a list of a picture; at most 20 characters.
  case fiber
  /// The same.
  case sugar
  /// The same.
  case saturatedFat
  /// The same.
  case monounsaturatedFat
  /// The same.
  case polyunsaturatedFat
  /// The same.
  case cholesterol
  /// The same.
  case sodium
  /// The same.
  case potassium
  /// The same.
  case calcium
  /// The same.
  case iron
  /// The same.
  case magnesium
  /// The same.
  case zinc
  /// The same.
  case vitaminC
  /// The same.
  case caffeine
  /// The same.
  case vitaminA
  /// The same.
  case vitaminD
  /// The same.
  case vitaminB12
  /// The same.
  case folate
  /// The same.
  case water
  /// The heading of the body's weight.
  case weight
  /// The weight in a list, with an arrow and the change a week.
  case weightTrend
  /// How fast the weight changes.
  case kilogramsAWeek
  /// The heading of the last seven days.
  case pastWeek

  // MARK: Shoes
  /// No shoe is worn.
  case selectShoes
  /// The heading of the shoe that is worn, also in a list of widgets; at most 24 characters.
  case currentShoe
  /// The heading of steps, distance and time.
  case todaysActivity
  /// How many steps.
  case steps
  /// Since when a shoe has been worn; in a row.
  case since
  /// The same on a line of its own.
  case onSince
  /// The same below a shoe's name.
  case activeSince
  /// How long shoes were worn today.
  case active
  /// The same, and since when one has been worn.
  case activeAndOnSince
  /// A duration below an hour.
  case minutes
  /// A longer one.
  case hoursAndMinutes
  /// The heading of the suggested shoes, also in a list of widgets; at most 24 characters.
  case smartSuggestions
  /// Below that heading.
  case basedOnActivity
  /// There is nothing to suggest.
  case noSuggestions
  /// A part of the day.
  case morning
  /// The same.
  case midday
  /// The same.
  case evening
  /// How well a shoe suits.
  case match
  /// An event that a shoe suits, as the reason.
  case eventAt
  /// How often a shoe was worn at such times, as the reason. The second number decides the form.
  case wornOnWeekdayMornings
  /// The same.
  case wornOnWeekdayMiddays
  /// The same.
  case wornOnWeekdayEvenings
  /// The same.
  case wornOnWeekendMornings
  /// The same.
  case wornOnWeekendMiddays
  /// The same.
  case wornOnWeekendEvenings
  /// Before the comparison of this week with the last.
  case week
  /// That comparison.
  case sameAsLastWeek
  /// The same.
  case moreThanLastWeek
  /// The same.
  case lessThanLastWeek

  // MARK: The headings of feeds
  /// The heading of a feed, in `show` and on the page.
  case eventsFeed
  /// The same.
  case healthFeed
  /// The same.
  case mealPlanFeed
  /// The same.
  case nutritionFeed
  /// The same.
  case shoesFeed
  /// The same.
  case tasksFeed
  /// The same.
  case otherFeed

  // MARK: The page
  /// What a button of the page does.
  case addTaskIntent
  /// The same, before the title of the task.
  case completeTaskIntent
  /// The same, before the name of the food.
  case logFoodIntent
  /// The same, before the name of the shoe.
  case selectShoeIntent
  /// The same: a walk in these shoes begins.
  case startSessionIntent
  /// The same: the walk ends.
  case endSessionIntent
  /// What a button does, and on what.
  case intentOnRecord
  /// The field for the title of a new task.
  case titleField
  /// The link to the first section, for people who use a keyboard.
  case skipToApps
  /// The row of days, for people who cannot see it.
  case days
  /// No feed has content on a day.
  case noFeeds
  /// A day, and the feeds that have content.
  case dayAndFeeds
  /// The same for the current day.
  case todayAndFeeds
  /// The first step of the slider: the present.
  case now
  /// The label of the slider.
  case time
  /// The button beside the slider: shows the page at that time.
  case showMoment
  /// A time of the current day.
  case todayAt
  /// The page shows another moment.
  case computedFor
  /// The link to the present.
  case backToNow
  /// There is no snapshot. `cachesyncd run` stays as it is.
  case nothingPublished
  /// The page gets no news since a time, or since a day and a time.
  case notConnected
  /// The key of a display no longer counts. `cachesyncd serve` stays as it is.
  case newLinkNeeded
  /// The heading of the list of screens on the page.
  case screens
  /// There is no screen yet. An example of a file follows.
  case noScreens
  /// The page of a screen whose file is gone.
  case noSuchScreen
  /// On a screen, below the name of a widget that the cache does not know.
  case noSuchWidget
  /// On a screen, for the cards that do not fit.
  case moreDoNotFit
  /// The heading of the problems of session files.
  case problems
  /// There is no problem.
  case noProblems
  /// A problem after which the file is still used.
  case warning
  /// The heading of the cache's status.
  case status
  /// The label of the agent's status.
  case agent
  /// The agent's status.
  case agentRunning
  /// The same.
  case agentWithoutEvents
  /// The same. `cachesyncd run` stays as it is.
  case agentNotRunning
  /// The same, with the reason in English.
  case agentUnknown
  /// The label of the number of the newest publication.
  case generation
  /// The label of the times up to which the cards are computed.
  case timelinesReach
  /// The first and the last of these times.
  case fromTo
  /// The choice of the page's colours, for people who cannot see it.
  case colours
  /// The colours that the device has.
  case systemColours
  /// Bright colours.
  case lightColours
  /// Dark colours.
  case darkColours

  // MARK: The kinds of snapshot
  /// `calendar` in a list of widgets; at most 24 characters.
  case calendarKindName
  /// What it shows: a sentence.
  case calendarKindSummary
  /// `next-event` in a list of widgets; at most 24 characters.
  case nextEventKindName
  /// What it shows: a sentence.
  case nextEventKindSummary
  /// What it shows: a sentence.
  case quickAddKindSummary
  /// What it shows: a sentence.
  case todaysTasksKindSummary
  /// `task-count` in a list of widgets; at most 24 characters.
  case taskCountKindName
  /// What it shows: a sentence.
  case taskCountKindSummary
  /// `task-progress` in a list of widgets; at most 24 characters.
  case taskProgressKindName
  /// What it shows: a sentence.
  case taskProgressKindSummary
  /// `completed-today` in a list of widgets; at most 24 characters.
  case completedTodayKindName
  /// What it shows: a sentence.
  case completedTodayKindSummary
  /// `budget` in a list of widgets; at most 24 characters.
  case budgetKindName
  /// What it shows: a sentence.
  case budgetKindSummary
  /// What it shows: a sentence.
  case macrosKindSummary
  /// `overview` in a list of widgets; at most 24 characters.
  case overviewKindName
  /// What it shows: a sentence.
  case overviewKindSummary
  /// What it shows: a sentence.
  case nutrientsKindSummary
  /// `meal-plan` in a list of widgets; at most 24 characters.
  case mealPlanKindName
  /// What it shows: a sentence.
  case mealPlanKindSummary
  /// `daily-progress` in a list of widgets; at most 24 characters.
  case dailyProgressKindName
  /// What it shows: a sentence.
  case dailyProgressKindSummary
  /// `macro-breakdown` in a list of widgets; at most 24 characters.
  case macroBreakdownKindName
  /// What it shows: a sentence.
  case macroBreakdownKindSummary
  /// What it shows: a sentence.
  case quickLogKindSummary
  /// `calories` in a list of widgets; at most 24 characters.
  case caloriesKindName
  /// What it shows: a sentence.
  case caloriesKindSummary
  /// `quick-selection` in a list of widgets; at most 24 characters.
  case quickSelectionKindName
  /// What it shows: a sentence.
  case quickSelectionKindSummary
  /// `daily-stats` in a list of widgets; at most 24 characters.
  case dailyStatsKindName
  /// What it shows: a sentence.
  case dailyStatsKindSummary
  /// `shoe-status` in a list of widgets; at most 24 characters.
  case shoeStatusKindName
  /// What it shows: a sentence.
  case shoeStatusKindSummary
  /// What it shows: a sentence.
  case currentShoeKindSummary
  /// What it shows: a sentence.
  case smartSuggestionsKindSummary
  /// What a kind shows that the cache itself defines, with the name of its feed.
  case definedKindSummary
}

extension Phrase {
  /// The English text.
  package var english: String {
    switch self {
    // All kinds.
    case .stale: "stale"
    case .emptyState: "empty"
    case .placeholderState: "placeholder"
    case .percentSaid: "{count} percent"
    case .overSaid: "over"
    case .andMore: "and {count} more"
    case .titleAndMessage: "{title}: {message}"
    case .today: "today"
    case .nothingToShow: "Nothing to show"
    case .moreRows: "+{count} more"
    case .yes: "yes"
    case .no: "no"
    case .tomorrow: "tomorrow"
    case .yesterday: "yesterday"
    case .inDays: "in {count} days"
    case .daysAgo: "{count} days ago"

    // Tasks.
    case .tasks: "{count} task|{count} tasks"
    case .tasksToday: "{count} task today|{count} tasks today"
    case .tasksTodayAndOverdue: "{count} task today, {overdue} overdue|{count} tasks today, {overdue} overdue"
    case .overdueTasks: "{count} overdue"
    case .overdueUnit: "overdue|overdue"
    case .taskUnit: "task|tasks"
    case .allDone: "All done!"
    case .done: "Done"
    case .noTasks: "No tasks"
    case .todaysTasks: "Today's Tasks"
    case .todaysTasksShort: "Today"
    case .completedToday: "{count} completed today"
    case .completedOfTotal: "{count} of {total}"
    case .overdueSince: "Overdue, {date}"
    case .dueOn: "due {date}"
    case .dueAt: "due {time}"

    // New tasks and events.
    case .quickAdd: "Quick Add"
    case .tapToCreate: "Tap to create"
    case .addTask: "Add Task"
    case .addEvent: "Add Event"
    case .chat: "AI Chat"

    // Events.
    case .noUpcomingEvents: "No upcoming events"
    case .allDay: "all day"
    case .allDayOn: "{date}, all day"
    case .nowUntil: "now, until {time}"
    case .eventUntil: "{title}, until {time}"

    // Meals.
    case .noMealPlan: "No Meal Plan"
    case .openAppToGenerate: "Open app to generate"
    case .breakfast: "Breakfast"
    case .lunch: "Lunch"
    case .dinner: "Dinner"
    case .adultBreakfast: "Adult breakfast"
    case .adultLunch: "Adult lunch"
    case .adultDinner: "Adult dinner"
    case .breakfastForAdults: "Breakfast (adults)"
    case .lunchForAdults: "Lunch (adults)"
    case .dinnerForAdults: "Dinner (adults)"

    // Nutrition.
    case .openAppToSync: "Open app to sync"
    case .syncRequired: "Sync required"
    case .mindfulMode: "Mindful mode"
    case .addFavorites: "Add favorites to quick log"
    case .quickLog: "Quick Log"
    case .logFood: "Log {name}"
    case .calories: "calories"
    case .caloriesLeft: "{count} cal left"
    case .caloriesRemaining: "{count} calories remaining"
    case .caloriesUnit: "{count} cal"
    case .caloriesLeftUnit: "cal left"
    case .updated: "updated {time}"
    case .asOf: "as of {time}"
    case .macros: "Macros"
    case .protein: "Protein"
    case .carbs: "Carbs"
    case .fat: "Fat"
    case .proteinShort: "Protein"
    case .carbsShort: "Carbs"
    case .fatShort: "Fat"
    case .proteinInRow: "protein"
    case .carbsInRow: "carbs"
    case .fatInRow: "fat"

    // Amounts.
    case .left: "{amount} left"
    case .over: "{amount} over"
    case .leftUnit: "left"
    case .overUnit: "over"
    case .gramsLeftUnit: "g left"
    case .gramsOverUnit: "g over"

    // Health.
    case .noHealthData: "No health data"
    case .noHealthAccess: "No access to health data"
    case .budget: "Budget"
    case .credit: "Credit"
    case .creditOverDays: "{credit}, {count} day left|{credit}, {count} days left"
    case .budgetParts:
      "base {base}, today {today}: credit {credit} over {count} day|base {base}, today {today}: credit {credit} over {count} days"
    case .maintenance: "maintenance {amount} kcal a day, confidence {percent}"
    case .calibrating: "Calibrating"
    case .tooFewDays: "too few days to be sure"
    case .slopeClamped: "slope clamped"
    case .densityEstimated: "density estimated"
    case .maintenanceSuspect: "maintenance suspect"
    case .budgetClamped: "budget clamped"
    case .adjustmentClamped: "adjustment clamped"
    case .slopeClampedLine: "Slope clamped"
    case .densityEstimatedLine: "Density estimated"
    case .maintenanceSuspectLine: "Maintenance suspect"
    case .budgetClampedLine: "Budget clamped"
    case .adjustmentClampedLine: "Adjustment clamped"
    case .nutrients: "Nutrients"
    case .fiber: "Fiber"
    case .sugar: "Sugar"
    case .saturatedFat: "Saturated fat"
    case .monounsaturatedFat: "Monounsaturated fat"
    case .polyunsaturatedFat: "Polyunsaturated fat"
    case .cholesterol: "Cholesterol"
    case .sodium: "Sodium"
    case .potassium: "Potassium"
    case .calcium: "Calcium"
    case .iron: "Iron"
    case .magnesium: "Magnesium"
    case .zinc: "Zinc"
    case .vitaminC: "Vitamin C"
    case .caffeine: "Caffeine"
    case .vitaminA: "Vitamin A"
    case .vitaminD: "Vitamin D"
    case .vitaminB12: "Vitamin B12"
    case .folate: "Folate"
    case .water: "Water"
    case .weight: "Weight"
    case .weightTrend: "weight {weight}  {sign} {amount} kg a week"
    case .kilogramsAWeek: "{amount} kg a week"
    case .pastWeek: "Past week"

    // Shoes.
    case .selectShoes: "Select Shoes"
    case .currentShoe: "Current Shoe"
    case .todaysActivity: "Today's Activity"
    case .steps: "{count} step|{count} steps"
    case .since: "since {time}"
    case .onSince: "on since {time}"
    case .activeSince: "Active since {time}"
    case .active: "active {duration}"
    case .activeAndOnSince: "active {duration}, on since {time}"
    case .minutes: "{minutes} min"
    case .hoursAndMinutes: "{hours} h {minutes} min"
    case .smartSuggestions: "Smart Suggestions"
    case .basedOnActivity: "Based on your activity patterns"
    case .noSuggestions: "No suggestions yet"
    case .morning: "morning"
    case .midday: "midday"
    case .evening: "evening"
    case .match: "{percent} match"
    case .eventAt: "{title} at {time}"
    case .wornOnWeekdayMornings:
      "Worn on {worn} of your last {count} weekday morning|Worn on {worn} of your last {count} weekday mornings"
    case .wornOnWeekdayMiddays:
      "Worn on {worn} of your last {count} weekday midday|Worn on {worn} of your last {count} weekday middays"
    case .wornOnWeekdayEvenings:
      "Worn on {worn} of your last {count} weekday evening|Worn on {worn} of your last {count} weekday evenings"
    case .wornOnWeekendMornings:
      "Worn on {worn} of your last {count} weekend morning|Worn on {worn} of your last {count} weekend mornings"
    case .wornOnWeekendMiddays:
      "Worn on {worn} of your last {count} weekend midday|Worn on {worn} of your last {count} weekend middays"
    case .wornOnWeekendEvenings:
      "Worn on {worn} of your last {count} weekend evening|Worn on {worn} of your last {count} weekend evenings"
    case .week: "week"
    case .sameAsLastWeek: "{distance} km this week, the same as last"
    case .moreThanLastWeek: "{distance} km this week, {percent} more than last"
    case .lessThanLastWeek: "{distance} km this week, {percent} less than last"

    // The headings of feeds.
    case .eventsFeed: "Events"
    case .healthFeed: "Health"
    case .mealPlanFeed: "Meal plan"
    case .nutritionFeed: "Nutrition"
    case .shoesFeed: "Shoes"
    case .tasksFeed: "Tasks"
    case .otherFeed: "Other"

    // The page.
    case .addTaskIntent: "Add task"
    case .completeTaskIntent: "Complete task"
    case .logFoodIntent: "Log food"
    case .selectShoeIntent: "Select shoe"
    case .startSessionIntent: "Start session"
    case .endSessionIntent: "End session"
    case .intentOnRecord: "{name}: {title}"
    case .titleField: "Title"
    case .skipToApps: "Skip to the apps"
    case .days: "Days"
    case .noFeeds: "nothing"
    case .dayAndFeeds: "{date}: {name}"
    case .todayAndFeeds: "{date}, today: {name}"
    case .now: "now"
    case .time: "Time"
    case .showMoment: "Show"
    case .todayAt: "today {time}"
    case .computedFor: "This is {date}, computed from the files as they are now. Its buttons do nothing."
    case .backToNow: "Back to now"
    case .nothingPublished:
      "Nothing is published here yet: start cachesyncd run for this cache, and drop a session file."
    case .notConnected: "Not connected since {time}"
    case .newLinkNeeded: "This display needs a new link: open the address that cachesyncd serve prints."
    case .screens: "Screens"
    case .noScreens:
      "A screen shows the cards that you choose, on a display of its own. Put a file {name} into the cache, such as"
    case .noSuchScreen: "There is no screen {name}"
    case .noSuchWidget: "There is no such widget"
    case .moreDoNotFit: "{count} more does not fit|{count} more do not fit"
    case .problems: "Problems"
    case .noProblems: "None."
    case .warning: "warning: {message}"
    case .status: "Status"
    case .agent: "Agent"
    case .agentRunning: "running, and receives file events (process {process})"
    case .agentWithoutEvents:
      "receives no file events (process {process}): see its messages for the reason, and restart it"
    case .agentNotRunning: "not running: cards change by time alone; start cachesyncd run for this cache"
    case .agentUnknown: "unknown: {message}"
    case .generation: "Generation"
    case .timelinesReach: "Timelines reach"
    case .fromTo: "{start} to {end}"
    case .colours: "Colours"
    case .systemColours: "System"
    case .lightColours: "Light"
    case .darkColours: "Dark"

    // The kinds of snapshot.
    case .calendarKindName: "Calendar"
    case .calendarKindSummary: "View this month's events"
    case .nextEventKindName: "Next Event"
    case .nextEventKindSummary: "See what comes next."
    case .quickAddKindSummary: "Add a task or an event, or open the chat."
    case .todaysTasksKindSummary: "View your tasks for today"
    case .taskCountKindName: "Task Count"
    case .taskCountKindSummary: "See how many tasks are due today."
    case .taskProgressKindName: "Task Progress"
    case .taskProgressKindSummary: "See how far you are with today's tasks."
    case .completedTodayKindName: "Completed Today"
    case .completedTodayKindSummary: "See how many tasks you completed today."
    case .budgetKindName: "Budget"
    case .budgetKindSummary: "See today's calorie budget, and what is left of it."
    case .macrosKindSummary: "See today's protein, carbs and fat."
    case .overviewKindName: "Overview"
    case .overviewKindSummary: "See calories, macros, weight and the week at once."
    case .nutrientsKindSummary: "See today's vitamins, minerals and more, and your goals for them."
    case .mealPlanKindName: "Meal Plan"
    case .mealPlanKindSummary: "Today's breakfast, lunch, and dinner."
    case .dailyProgressKindName: "Daily Progress"
    case .dailyProgressKindSummary: "Track your daily nutrition progress."
    case .macroBreakdownKindName: "Macro Breakdown"
    case .macroBreakdownKindSummary: "See protein, carbs and fat, and what is left of each."
    case .quickLogKindSummary: "Quickly log your favorite foods."
    case .caloriesKindName: "Calories"
    case .caloriesKindSummary: "See calories remaining at a glance."
    case .quickSelectionKindName: "Quick Shoe Selection"
    case .quickSelectionKindSummary: "Quickly select and switch between your shoes"
    case .dailyStatsKindName: "Daily Activity Stats"
    case .dailyStatsKindSummary: "View your daily walking statistics and shoe usage"
    case .shoeStatusKindName: "Shoe Status"
    case .shoeStatusKindSummary: "See the shoe that you wear, and how far it went today."
    case .currentShoeKindSummary: "Shows your currently selected shoe on the lock screen"
    case .smartSuggestionsKindSummary: "Shoes that suit the time of day, your habits and your plans."
    case .definedKindSummary: "What is in the files of the feed {name}."
    }
  }
}
