/// Numbers of players. A player keeps its number after leaving, so that a number never changes its meaning while the
/// user types it.
struct Numbering<Member: Hashable> {
    /// Visible players by number.
    private(set) var present: [Int: Member] = [:]
    private var given: [Member: Int] = [:]

    mutating func add(_ member: Member) {
        let number = given[member] ?? given.count + 1
        given[member] = number
        present[number] = member
    }

    mutating func remove(_ member: Member) {
        if let number = given[member] { present[number] = nil }
    }

    /// True if the number belongs to a player that left.
    func hasGone(_ number: Int) -> Bool { present[number] == nil && given.values.contains(number) }

    /// Numbers the visible players from 1, if the numbers were not shown before.
    mutating func renumber() {
        let members = present.sorted { $0.key < $1.key }.map(\.value)
        self = Numbering()
        for member in members { add(member) }
    }
}
