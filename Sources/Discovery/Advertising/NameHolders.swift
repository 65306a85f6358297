import LinuxPlatform

/// The sightings of a name that belongs to another service.
struct NameHolders {
    private var sightings: [UInt32: (count: Int, isLoopback: Bool)] = [:]

    mutating func appeared(on link: UInt32, isLoopback: Bool) {
        sightings[link, default: (0, isLoopback)].count += 1
    }

    /// Removes a sighting and returns true if the name became free. After a clash, Avahi leaves the name on the
    /// loopback of the machine that lost it; a loopback sighting doesn't count if the name was seen elsewhere.
    mutating func vanished(from link: UInt32) -> Bool {
        guard let (count, isLoopback) = sightings[link] else { return false }
        sightings[link] = count > 1 ? (count - 1, isLoopback) : nil
        return sightings.values.allSatisfy { $0.isLoopback && !isLoopback }
    }
}
