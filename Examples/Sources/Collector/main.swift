import CacheSync
import Foundation

// Collects what people did in readers, as an app of tasks would: Collector CACHE
//
// The order matters. The session that contains the effects is written first. Then the intents that it absorbed go. So a
// reader shows the effect at every moment.
let cache = CommandLine.arguments[1]
let file = URL(fileURLWithPath: cache).appendingPathComponent("tasks/from-producer.json")
var session = TasksSession(tasks: [], lastUpdate: .now)
if let bytes = try? Data(contentsOf: file) { session = try JSONDecoder().decode(TasksSession.self, from: bytes) }

let reader = IntentReader(cache: .init(cache))
let pending = try reader.pending(types: ["add-task", "complete-task"])
for found in pending {
  let fields = found.intent.action.fields
  switch (found.intent.action.type, fields["title"], fields["taskId"]) {
  case ("add-task", .text(let title), _):
    session.tasks.append(.init(id: .text(found.intent.id), title: title, createdAt: found.intent.at))
  case ("complete-task", _, .text(let id)):
    for index in session.tasks.indices where session.tasks[index].id == .text(id) {
      session.tasks[index].completed = true
      session.tasks[index].completedAt = found.intent.at
    }
  default: break
  }
  print("\(found.intent.at) \(found.intent.action.type)")
}
if !pending.isEmpty {
  session.lastUpdate = .now
  try SessionWriter(cache: .init(cache)).write(session, name: "from-producer")
  for found in pending { try reader.acknowledge(found) }
}
