/// The difference between the household's index and a device's.
package struct IndexComparison: Hashable, Sendable {
    /// Files whose content the device must still fetch from the household.
    package private(set) var ahead: Set<String> = []
    /// Files whose content the household must still fetch from the device. A file that both changed is in both sets.
    package private(set) var behind: Set<String> = []
    /// Versions that the device adds to the same content.
    package private(set) var versions: [String: DeviceVector] = [:]

    package init(_ own: [String: FileEntry], _ theirs: [String: FileEntry]) {
        for (name, their) in theirs {
            guard let mine = own[name] else {
                // A trace of a file that the household never had changes nothing.
                if their.standing == .present { behind.insert(name) }
                continue
            }
            let order = mine.version.order(to: their.version)
            if mine.hasContent(of: their) {
                if order == .older || order == .concurrent { versions[name] = their.version }
                continue
            }
            if order != .newer { behind.insert(name) }
            if order != .older { ahead.insert(name) }
        }
        for (name, mine) in own where theirs[name] == nil && mine.standing == .present { ahead.insert(name) }
    }
}
