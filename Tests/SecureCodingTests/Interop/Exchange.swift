import Foundation

/// Values that every program encodes by `Codable` in the same way.
struct Exchange: Codable, Equatable, Sendable {
    var title = "“Castle” – 城"
    var level = -3
    var most = UInt64.max
    var speed = 0.1
    var zoom: Float = 0.1
    var isOver = true
    var when = Date(timeIntervalSinceReferenceDate: 700_000_000)
    var picture = Data([0, 255, 7])
    var id = UUID()
    var party = [Hero(name: "Ada", mount: Hero(name: "Horse", mount: nil)), Hero(name: "", mount: nil)]
    var byLevel = [1: "one", -2: "two"]
    var weapon = Weapon.bow(arrows: 12, isLong: false)
    var note: String?
}
