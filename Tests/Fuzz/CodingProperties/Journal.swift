import Foundation

/// A type that asks a decoder for a value of every kind.
struct Journal: Codable, Equatable {
    var title: String?
    var isOver: Bool?
    var level: Int?
    var small: Int8?
    var large: UInt64?
    var huge: Int128?
    var speed: Double?
    var zoom: Float?
    var when: Date?
    var picture: Data?
    var site: URL?
    var gold: Decimal?
    var id: UUID?
    var places: IndexSet?
    var pages: [Journal]?
    var byName: [String: Journal]?
    var byLevel: [Int: String]?
    var weapon: Weapon?
    var rows: [[Int?]]?

    enum Weapon: Codable, Equatable {
        case none
        case bow(arrows: UInt16, isLong: Bool)
        indirect case other(Weapon)
    }
}
