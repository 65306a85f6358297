import LinuxPlatform

/// Where a name is seen that somebody else has, as a browser tells of it.
struct NameHolders {
    private var sightings: [UInt32: (count: Int, isLoopback: Bool)] = [:]

    mutating func appeared(on link: UInt32, isLoopback: Bool) {
        sightings[link, default: (0, isLoopback)].count += 1
    }

    /// Answers whether the name is free now and was not before. After a clash Avahi leaves the name behind on the loopback of the machine that lost it, so that
    /// this does not count where the name was seen elsewhere.
    mutating func vanished(from link: UInt32) -> Bool {
        guard let (count, isLoopback) = sightings[link] else { return false }
        sightings[link] = count > 1 ? (count - 1, isLoopback) : nil
        return sightings.values.allSatisfy { $0.isLoopback && !isLoopback }
    }
}
