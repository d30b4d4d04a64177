/// A place in one of the apps, as a snapshot's `deepLink` names it: parse what a reader was tapped with, or print a link.
///
///     switch DeepLink(url.absoluteString) {
///     case .task(let id): open(taskNamed: id)
///     case nil: break  // somebody else's link
///     …
///     }
///
/// Printing what was parsed gives the same link, in its canonical spelling, and every value can be printed and parsed again.
///
/// What is accepted: the links of the cases below, and nothing near them. Scheme and host may be spelled in either case
/// (RFC 3986, sections 3.1 and 3.2.2) and are printed as there; paths, ids and the names of parameters are taken as they are.
/// Text may be percent-encoded anywhere in a path or a query, and must then be UTF-8; a plus is a plus, not a blank. A
/// parameter that nobody knows is ignored, because newer links may have more of them; one that is given twice, a fragment,
/// a port or a user makes it no link of ours, and so does any character that a URL must not hold.
public enum DeepLink: Hashable, Sendable {
  // brados

  /// `brados://mealplan`: the week's meals.
  case mealPlan

  // dietapp

  /// `dietapp://dashboard/today`: what was eaten today.
  case nutritionToday
  /// `dietapp://meal/<id>`: one meal.
  case meal(id: String)
  /// `dietapp://add-food?meal=…`: choosing a food, for a meal if one is named.
  case addFood(meal: String? = nil)

  // healthvaults

  /// `healthvaults://dashboard`: the budget.
  case healthDashboard

  // cafe

  /// `cafe://dashboard`: today's tasks.
  case tasksDashboard
  /// `cafe://task/<id>`: one task.
  case task(id: String)
  /// `cafe://event/<id>`: one event.
  case event(id: String)
  /// `cafe://calendar?date=…`: the month, at a day or a moment if one is named.
  case calendar(date: DayReference? = nil)
  /// `cafe://search?q=…`: what is found for a text.
  case search(query: String)
  /// `cafe://settings/<section>`: a page of the settings.
  case settings(section: String)
  /// `cafe://new-task?title=…&due=…`: a task to be written, perhaps begun.
  case newTask(title: String? = nil, due: DayReference? = nil)
  /// `cafe://new-event`: an event to be written.
  case newEvent
  /// `cafe://chat`: the conversation.
  case chat

  // shoeprint

  /// `shoeprint://dashboard`: today's steps.
  case shoesDashboard
  /// `shoeprint://quickSelect`: choosing the shoes to put on.
  case quickSelect
  /// `shoeprint://suggestions`: what to put on next.
  case suggestions
  /// `shoeprint://selectShoe/<id>`: putting a shoe on.
  case selectShoe(id: String)
  /// `shoeprint://startSession`: beginning to walk.
  case startSession
  /// `shoeprint://endSession`: taking the shoes off.
  case endSession
}
