/// Sessions of the meal plan, in the form in which its producer writes them.
package enum MealPlanFixture {
  package static func session(
    id: String = "sess-1", updated: String = "2026-11-16T09:30:00Z", finalized: Bool = true, week: String? = nil,
    plan: String = #"{"day_index":5,"meal_type":"dinner","meal_id":"m1","meal_name":"Soup"}"#
  ) -> String {
    let week = week.map { #","week_start":"\#($0)""# } ?? ""
    return #"{"id":"\#(id)","plan":[\#(plan)],"is_finalized":\#(finalized),"created_at":"2026-11-15T10:00:00.123Z","#
      + #""updated_at":"\#(updated)"\#(week)}"#
  }
}
