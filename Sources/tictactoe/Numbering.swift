/// Numbers by which somebody is chosen. Whoever has one keeps it, also while gone, so that it never comes to mean somebody else before the eyes of who types it.
struct Numbering<Member: Hashable> {
    /// Who is there, by number.
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

    /// Whether somebody had that number who is gone.
    func hasGone(_ number: Int) -> Bool { present[number] == nil && given.values.contains(number) }

    /// Begins at 1 again with who is there, where nobody has seen the numbers before.
    mutating func renumber() {
        let members = present.sorted { $0.key < $1.key }.map(\.value)
        self = Numbering()
        for member in members { add(member) }
    }
}
