/// A text that the program writes and a person reads. Here are its purpose and its English; the other languages are files
/// in `Sources/CLanguages/Texts`, and what a file does not have is in English.
///
/// A text has places for values in braces. One with `{count}` may have two forms for it, separated by `|`: for one, and
/// for other numbers.
public enum Phrase: String, CaseIterable, Sendable {
  // MARK: All kinds
  /// The badge of data that are too old; a word of at most 8 characters.
  case stale
  /// In brackets behind the name of a kind, in a terminal: there are no data.
  case emptyState = "empty"
  /// The same: today's data have not arrived.
  case placeholderState = "placeholder"
  /// A share that is said to people who cannot see the ring or bar.
  case percentSaid = "{count} percent"
  /// The same: it is more than there should be.
  case overSaid = "over"
  /// The last line of a list in a terminal, for the rows that are hidden.
  case andMore = "and {count} more"
  /// The title and the message of an empty kind on one line.
  case titleAndMessage = "{title}: {message}"
  /// The current day in place of a date.
  case today
  /// A kind of an own feed has nothing to show and no text for that.
  case nothingToShow = "Nothing to show"
  /// In a picture, for the rows that do not fit; at most 12 characters.
  case moreRows = "+{count} more"
  /// The value `true` of a field that this version does not know.
  case yes
  /// The value `false`.
  case no
  /// A day in place of a date, in the texts of an own feed.
  case tomorrow, yesterday
  /// A later day, two days or more away, in the texts of an own feed.
  case inDays = "in {count} days"
  /// An earlier day, two days or more away, in the texts of an own feed.
  case daysAgo = "{count} days ago"

  // MARK: Tasks
  /// How many tasks are due today.
  case tasks = "{count} task|{count} tasks"
  /// The same on one line of a lock screen.
  case tasksToday = "{count} task today|{count} tasks today"
  /// The same, and how many tasks were due on earlier days.
  case tasksTodayAndOverdue = "{count} task today, {overdue} overdue|{count} tasks today, {overdue} overdue"
  /// How many tasks were due on earlier days.
  case overdueTasks = "{count} overdue"
  /// Below the number of overdue tasks; at most 10 characters.
  case overdueUnit = "overdue|overdue"
  /// Below the number of due tasks, which decides the form; at most 10 characters.
  case taskUnit = "task|tasks"
  /// All of today's tasks are completed.
  case allDone = "All done!"
  /// The same in a circle; at most 6 characters.
  case done = "Done"
  /// No task is due today.
  case noTasks = "No tasks"
  /// The heading of today's tasks, also in a list of widgets; at most 24 characters.
  case todaysTasks = "Today's Tasks"
  /// The same in a small widget.
  case todaysTasksShort = "Today"
  /// How many tasks were completed today.
  case completedToday = "{count} completed today"
  /// How many of today's tasks are completed.
  case completedOfTotal = "{count} of {total}"
  /// When an overdue task was due.
  case overdueSince = "Overdue, {date}"
  /// The day on which a task is due.
  case dueOn = "due {date}"
  /// The time at which a task is due, with the date if that is not today.
  case dueAt = "due {time}"

  // MARK: New tasks and events
  /// The heading of the links to new tasks and events, also in a list of widgets; at most 24 characters.
  case quickAdd = "Quick Add"
  /// The meaning of a tap on a small widget.
  case tapToCreate = "Tap to create"
  /// The link to a new task; a button.
  case addTask = "Add Task"
  /// The link to a new event; a button.
  case addEvent = "Add Event"
  /// The link to the chat; a button.
  case chat = "AI Chat"

  // MARK: Events
  /// No event begins within seven days.
  case noUpcomingEvents = "No upcoming events"
  /// An event of one whole day, in place of its times.
  case allDay = "all day"
  /// The same on another day than today.
  case allDayOn = "{date}, all day"
  /// The end of an event that is under way.
  case nowUntil = "now, until {time}"
  /// An event that is under way, and its end.
  case eventUntil = "{title}, until {time}"

  // MARK: Meals
  /// The title of a day without a plan.
  case noMealPlan = "No Meal Plan"
  /// What to do about it.
  case openAppToGenerate = "Open app to generate"
  /// A meal.
  case breakfast = "Breakfast", lunch = "Lunch", dinner = "Dinner"
  /// A meal that is for adults only, above its name.
  case adultBreakfast = "Adult breakfast", adultLunch = "Adult lunch", adultDinner = "Adult dinner"
  /// A meal that is for adults only, at the beginning of a row.
  case breakfastForAdults = "Breakfast (adults)", lunchForAdults = "Lunch (adults)", dinnerForAdults = "Dinner (adults)"

  // MARK: Nutrition
  /// The app has not written the day's data; at most 20 characters.
  case openAppToSync = "Open app to sync"
  /// The same on one line of a lock screen.
  case syncRequired = "Sync required"
  /// In place of numbers, for a person who wants to see none.
  case mindfulMode = "Mindful mode"
  /// There is no food to log.
  case addFavorites = "Add favorites to quick log"
  /// The heading of the foods to log, also in a list of widgets; at most 24 characters.
  case quickLog = "Quick Log"
  /// The button that logs a food, for people who cannot see it.
  case logFood = "Log {name}"
  /// The beginning of the row of calories.
  case calories
  /// How many calories may still be eaten; short.
  case caloriesLeft = "{count} cal left"
  /// The same in full.
  case caloriesRemaining = "{count} calories remaining"
  /// The calories of a food.
  case caloriesUnit = "{count} cal"
  /// Below the number of calories that may still be eaten; at most 10 characters.
  case caloriesLeftUnit = "cal left"
  /// When the app last wrote the data; the end of a list.
  case updated = "updated {time}"
  /// The same in a widget.
  case asOf = "as of {time}"
  /// The heading of protein, carbs and fat, also in a list of widgets; at most 24 characters.
  case macros = "Macros"
  /// A nutrient as a heading.
  case protein = "Protein", carbs = "Carbs", fat = "Fat"
  /// A nutrient in a ring or a small widget; at most 8 characters.
  case proteinShort, carbsShort, fatShort
  /// A nutrient at the beginning of a row.
  case proteinInRow = "protein", carbsInRow = "carbs", fatInRow = "fat"

  // MARK: Amounts
  /// How much of an amount is left.
  case left = "{amount} left"
  /// How much more there is than there should be.
  case over = "{amount} over"
  /// Beside or below a number: it is left; at most 8 characters.
  case leftUnit = "left"
  /// Beside or below a number: it is too much; at most 8 characters.
  case overUnit
  /// Beside a number of grams: they are left.
  case gramsLeftUnit = "g left"
  /// Beside a number of grams: they are too many.
  case gramsOverUnit = "g over"

  // MARK: Health
  /// There is no sample.
  case noHealthData = "No health data"
  /// The app may not read samples.
  case noHealthAccess = "No access to health data"
  /// The heading of the day's energy budget.
  case budget = "Budget"
  /// Before the energy that the last days left over.
  case credit = "Credit"
  /// That energy, and the days over which it is spread.
  case creditOverDays = "{credit}, {count} day left|{credit}, {count} days left"
  /// How the budget comes about.
  case budgetParts =
    "base {base}, today {today}: credit {credit} over {count} day|base {base}, today {today}: credit {credit} over {count} days"
  /// The energy that keeps the weight.
  case maintenance = "maintenance {amount} kcal a day, confidence {percent}"
  /// There are too few days with data; in a widget.
  case calibrating = "Calibrating"
  /// The same in a list.
  case tooFewDays = "too few days to be sure"
  /// A remark on the budget in a list: the weight changes faster than is plausible.
  case slopeClamped = "slope clamped"
  /// The body fat is unknown.
  case densityEstimated = "density estimated"
  /// The maintenance is too low to be right.
  case maintenanceSuspect = "maintenance suspect"
  /// The budget was limited.
  case budgetClamped = "budget clamped"
  /// The credit's effect was limited.
  case adjustmentClamped = "adjustment clamped"
  /// The same remarks on a line of their own in a widget.
  case slopeClampedLine = "Slope clamped", densityEstimatedLine = "Density estimated",
    maintenanceSuspectLine = "Maintenance suspect", budgetClampedLine = "Budget clamped",
    adjustmentClampedLine = "Adjustment clamped"
  /// The heading of the nutrients, also in a list of widgets; at most 24 characters.
  case nutrients = "Nutrients"
  /// A nutrient in a list of a picture; at most 20 characters.
  case fiber = "Fiber", sugar = "Sugar", saturatedFat = "Saturated fat", monounsaturatedFat = "Monounsaturated fat",
    polyunsaturatedFat = "Polyunsaturated fat", cholesterol = "Cholesterol", sodium = "Sodium", potassium = "Potassium",
    calcium = "Calcium", iron = "Iron", magnesium = "Magnesium", zinc = "Zinc", vitaminC = "Vitamin C",
    caffeine = "Caffeine", vitaminA = "Vitamin A", vitaminD = "Vitamin D", vitaminB12 = "Vitamin B12",
    folate = "Folate", water = "Water"
  /// The heading of the body's weight.
  case weight = "Weight"
  /// The weight in a list, with an arrow and the change a week.
  case weightTrend = "weight {weight}  {sign} {amount} kg a week"
  /// How fast the weight changes.
  case kilogramsAWeek = "{amount} kg a week"
  /// The heading of the last seven days.
  case pastWeek = "Past week"

  // MARK: Shoes
  /// No shoe is worn.
  case selectShoes = "Select Shoes"
  /// The heading of the shoe that is worn, also in a list of widgets; at most 24 characters.
  case currentShoe = "Current Shoe"
  /// The heading of steps, distance and time.
  case todaysActivity = "Today's Activity"
  /// How many steps.
  case steps = "{count} step|{count} steps"
  /// Since when a shoe has been worn; in a row.
  case since = "since {time}"
  /// The same on a line of its own.
  case onSince = "on since {time}"
  /// The same below a shoe's name.
  case activeSince = "Active since {time}"
  /// How long shoes were worn today.
  case active = "active {duration}"
  /// The same, and since when one has been worn.
  case activeAndOnSince = "active {duration}, on since {time}"
  /// A duration below an hour.
  case minutes = "{minutes} min"
  /// A longer one.
  case hoursAndMinutes = "{hours} h {minutes} min"
  /// The heading of the suggested shoes, also in a list of widgets; at most 24 characters.
  case smartSuggestions = "Smart Suggestions"
  /// Below that heading.
  case basedOnActivity = "Based on your activity patterns"
  /// There is nothing to suggest.
  case noSuggestions = "No suggestions yet"
  /// A part of the day.
  case morning, midday, evening
  /// How well a shoe suits.
  case match = "{percent} match"
  /// An event that a shoe suits, as the reason.
  case eventAt = "{title} at {time}"
  /// How often a shoe was worn at such times, as the reason. The second number decides the form.
  case wornOnWeekdayMornings =
    "Worn on {worn} of your last {count} weekday morning|Worn on {worn} of your last {count} weekday mornings",
    wornOnWeekdayMiddays =
    "Worn on {worn} of your last {count} weekday midday|Worn on {worn} of your last {count} weekday middays",
    wornOnWeekdayEvenings =
    "Worn on {worn} of your last {count} weekday evening|Worn on {worn} of your last {count} weekday evenings",
    wornOnWeekendMornings =
    "Worn on {worn} of your last {count} weekend morning|Worn on {worn} of your last {count} weekend mornings",
    wornOnWeekendMiddays =
    "Worn on {worn} of your last {count} weekend midday|Worn on {worn} of your last {count} weekend middays",
    wornOnWeekendEvenings =
    "Worn on {worn} of your last {count} weekend evening|Worn on {worn} of your last {count} weekend evenings"
  /// Before the comparison of this week with the last.
  case week
  /// That comparison.
  case sameAsLastWeek = "{distance} km this week, the same as last",
    moreThanLastWeek = "{distance} km this week, {percent} more than last",
    lessThanLastWeek = "{distance} km this week, {percent} less than last"

  // MARK: The headings of feeds
  /// The heading of a feed, in `show` and on the page.
  case eventsFeed = "Events", healthFeed = "Health", mealPlanFeed = "Meal plan", nutritionFeed = "Nutrition",
    shoesFeed = "Shoes", tasksFeed = "Tasks", otherFeed = "Other"

  // MARK: The page
  /// What a button of the page does.
  case addTaskIntent = "Add task"
  /// The same, before the title of the task.
  case completeTaskIntent = "Complete task"
  /// The same, before the name of the food.
  case logFoodIntent = "Log food"
  /// The same, before the name of the shoe.
  case selectShoeIntent = "Select shoe"
  /// The same: a walk in these shoes begins.
  case startSessionIntent = "Start session"
  /// The same: the walk ends.
  case endSessionIntent = "End session"
  /// What a button does, and on what.
  case intentOnRecord = "{name}: {title}"
  /// The field for the title of a new task.
  case titleField = "Title"
  /// The link to the first section, for people who use a keyboard.
  case skipToApps = "Skip to the apps"
  /// The row of days, for people who cannot see it.
  case days = "Days"
  /// No feed has content on a day.
  case noFeeds = "nothing"
  /// A day, and the feeds that have content.
  case dayAndFeeds = "{date}: {name}"
  /// The same for the current day.
  case todayAndFeeds = "{date}, today: {name}"
  /// The first step of the slider: the present.
  case now
  /// The label of the slider.
  case time = "Time"
  /// The button beside the slider: shows the page at that time.
  case showMoment = "Show"
  /// A time of the current day.
  case todayAt = "today {time}"
  /// The page shows another moment.
  case computedFor = "This is {date}, computed from the files as they are now. Its buttons do nothing."
  /// The link to the present.
  case backToNow = "Back to now"
  /// There is no snapshot. `cachesyncd run` stays as it is.
  case nothingPublished = "Nothing is published here yet: start cachesyncd run for this cache, and drop a session file."
  /// The page gets no news since a time, or since a day and a time.
  case notConnected = "Not connected since {time}"
  /// The key of a display no longer counts. `cachesyncd serve` stays as it is.
  case newLinkNeeded = "This display needs a new link: open the address that cachesyncd serve prints."
  /// The heading of the list of screens on the page.
  case screens = "Screens"
  /// There is no screen yet. An example of a file follows.
  case noScreens =
    "A screen shows the cards that you choose, on a display of its own. Put a file {name} into the cache, such as"
  /// The page of a screen whose file is gone.
  case noSuchScreen = "There is no screen {name}"
  /// On a screen, below the name of a widget that the cache does not know.
  case noSuchWidget = "There is no such widget"
  /// On a screen, for the cards that do not fit.
  case moreDoNotFit = "{count} more does not fit|{count} more do not fit"
  /// The heading of the problems of session files.
  case problems = "Problems"
  /// There is no problem.
  case noProblems = "None."
  /// A problem after which the file is still used.
  case warning = "warning: {message}"
  /// The heading of the cache's status.
  case status = "Status"
  /// The label of the agent's status.
  case agent = "Agent"
  /// The agent's status.
  case agentRunning = "running, and receives file events (process {process})",
    agentWithoutEvents = "receives no file events (process {process}): see its messages for the reason, and restart it"
  /// The same. `cachesyncd run` stays as it is.
  case agentNotRunning = "not running: cards change by time alone; start cachesyncd run for this cache"
  /// The same, with the reason in English.
  case agentUnknown = "unknown: {message}"
  /// The label of the number of the newest publication.
  case generation = "Generation"
  /// The label of the times up to which the cards are computed.
  case timelinesReach = "Timelines reach"
  /// The first and the last of these times.
  case fromTo = "{start} to {end}"
  /// The choice of the page's colours, for people who cannot see it.
  case colours = "Colours"
  /// The colours that the device has.
  case systemColours = "System"
  /// Bright colours.
  case lightColours = "Light"
  /// Dark colours.
  case darkColours = "Dark"

  // MARK: The kinds of snapshot
  /// The name of a kind in a list of widgets; at most 24 characters.
  case calendarKindName = "Calendar", nextEventKindName = "Next Event", taskCountKindName = "Task Count",
    taskProgressKindName = "Task Progress", completedTodayKindName = "Completed Today", budgetKindName,
    overviewKindName = "Overview", mealPlanKindName = "Meal Plan", dailyProgressKindName = "Daily Progress",
    macroBreakdownKindName = "Macro Breakdown", caloriesKindName = "Calories",
    quickSelectionKindName = "Quick Shoe Selection", dailyStatsKindName = "Daily Activity Stats",
    shoeStatusKindName = "Shoe Status"
  /// What a kind shows: a sentence.
  case calendarKindSummary = "View this month's events",
    nextEventKindSummary = "See what comes next.",
    quickAddKindSummary = "Add a task or an event, or open the chat.",
    todaysTasksKindSummary = "View your tasks for today",
    taskCountKindSummary = "See how many tasks are due today.",
    taskProgressKindSummary = "See how far you are with today's tasks.",
    completedTodayKindSummary = "See how many tasks you completed today.",
    budgetKindSummary = "See today's calorie budget, and what is left of it.",
    macrosKindSummary = "See today's protein, carbs and fat.",
    overviewKindSummary = "See calories, macros, weight and the week at once.",
    nutrientsKindSummary = "See today's vitamins, minerals and more, and your goals for them.",
    mealPlanKindSummary = "Today's breakfast, lunch, and dinner.",
    dailyProgressKindSummary = "Track your daily nutrition progress.",
    macroBreakdownKindSummary = "See protein, carbs and fat, and what is left of each.",
    quickLogKindSummary = "Quickly log your favorite foods.",
    caloriesKindSummary = "See calories remaining at a glance.",
    quickSelectionKindSummary = "Quickly select and switch between your shoes",
    dailyStatsKindSummary = "View your daily walking statistics and shoe usage",
    shoeStatusKindSummary = "See the shoe that you wear, and how far it went today.",
    currentShoeKindSummary = "Shows your currently selected shoe on the lock screen",
    smartSuggestionsKindSummary = "Shoes that suit the time of day, your habits and your plans."
  /// What a kind shows that the cache itself defines, with the name of its feed.
  case definedKindSummary = "What is in the files of the feed {name}."

  /// The English text. What several phrases say is here for all but one of them, because raw values differ.
  package var english: String {
    switch self {
    case .proteinShort: "Protein"
    case .carbsShort: "Carbs"
    case .fatShort: "Fat"
    case .overUnit: "over"
    case .budgetKindName: "Budget"
    default: rawValue
    }
  }
}
