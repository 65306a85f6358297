/// The integers so far, with the number of the object of each.
///
/// Archives have very many integers, so this is a table of its own. It probes free places one after the other, from a
/// start that a random multiplier of this process decides. A stranger does not know the multiplier and can't choose
/// integers that collide.
struct IntegerNumbers {
    /// The integer, and the number of its object plus one; 0 in a free place.
    private var places: [(integer: Int64, number: UInt32)] = Array(repeating: (0, 0), count: 64)
    private var count = 0
    private let multiplier = UInt64.random(in: .min ... .max) | 1

    /// The number at a place; nil if the place is free.
    subscript(place: Int) -> UInt32? { places[place].number > 0 ? places[place].number - 1 : nil }

    /// The place of an integer, or the free place for it.
    func place(for integer: Int64) -> Int {
        let mask = places.count - 1
        // All bits of the integer matter in the upper bits of the product.
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
