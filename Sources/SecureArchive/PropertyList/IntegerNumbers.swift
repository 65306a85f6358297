/// Which integers have come already, and the number of the object of each.
///
/// An archive has as many integers as anything, so this is a table of its own: free places are looked for one after the other, from where the
/// integer times a number of this process's own says. Nobody outside knows that number, so nobody can choose integers that collide.
struct IntegerNumbers {
    /// The integer, and the number of its object plus one; 0 in a free place.
    private var places: [(integer: Int64, number: UInt32)] = Array(repeating: (0, 0), count: 64)
    private var count = 0
    private let multiplier = UInt64.random(in: .min ... .max) | 1

    /// The number that stands at a place; nil where it is free.
    subscript(place: Int) -> UInt32? { places[place].number > 0 ? places[place].number - 1 : nil }

    /// Where an integer stands, or the free place where it belongs.
    func place(for integer: Int64) -> Int {
        let mask = places.count - 1
        // In the upper bits of the product all of the integer's count.
        var place = Int((UInt64(bitPattern: integer) &* multiplier) >> 32) & mask
        while places[place].number > 0, places[place].integer != integer { place = (place + 1) & mask }
        return place
    }

    /// Puts a new integer into its free place.
    mutating func take(_ place: Int, for integer: Int64, number: UInt32) {
        places[place] = (integer, number + 1)
        count += 1
        if count * 2 > places.count { grow() }
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: (0, 0), count: old.count * 2)
        for entry in old where entry.number > 0 { places[place(for: entry.integer)] = entry }
    }
}
