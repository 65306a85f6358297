package import Vocabulary

/// A place on this machine that no data from other machines may reach, and the reason.
///
/// A folder that takes files from others, or is shared with them, must not be such a place or contain one.
package struct ReservedPlace: Sendable {
    /// The content of a reserved place.
    package enum Content: Sendable, Hashable, CaseIterable {
        /// This machine's key and ledger, the socket of its daemon, its settings.
        case own
        /// The folder that takes files from others.
        case inbox
        /// A user's home.
        case home
        /// The settings of programs.
        case settings
        /// Files that run by themselves, for example at login or from a shell.
        case startup
        /// Files that a click starts.
        case desktop
        /// Keys and passwords.
        case keys
        /// Programs that are started by name.
        case programs
        case system
    }

    /// The depth of the reservation.
    package enum Reach: Sendable, Hashable {
        /// A folder may be inside it.
        case itself
        /// A folder may be inside it, but not in anything hidden.
        case hidden
        /// No folder may be inside it.
        case whole
    }

    /// The position of a folder relative to a reserved place.
    package enum Relation: Sendable, Hashable {
        case isThere
        case holds
        case isInside
    }

    /// A name that is not known before there is a folder of it.
    package enum NamePattern: Sendable, Hashable {
        case any
        case exactly(String)
        /// A name that begins with this and a digit, as versions of Proton do.
        case numbered(String)

        fileprivate func matches(_ name: [UInt8]) -> Bool {
            switch self {
            case .any: true
            case .exactly(let text): name.elementsEqual(text.utf8)
            case .numbered(let start):
                name.starts(with: start.utf8)
                    && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name.dropFirst(start.utf8.count).first ?? 0)
            }
        }
    }

    /// The reason why a folder can't be used.
    package struct Conflict: Sendable, Hashable {
        package let relation: Relation
        package let content: Content
        /// The reserved place, with links resolved.
        package let place: String
    }

    package let path: String
    package let content: Content
    package let reach: Reach
    /// The names that lead from the path to the place, where a program chooses them; none if the path is the place.
    private let pattern: [NamePattern]
    /// Places with the same ground are resolved together: their disk answers for all of them or for none.
    package let ground: String
    /// The place when a disk was last asked. The folder may have been created again since, and its number given to
    /// another.
    private var found: ResolvedPath?

    /// - Parameters:
    ///   - path: a folder or a file, which need not exist
    ///   - content: its content
    ///   - reach: how far the reservation extends into it
    ///   - ground: a folder on the same disk
    ///   - pattern: the names that lead on from the path, where a program chooses them
    package init(
        _ path: String,
        _ content: Content,
        _ reach: Reach,
        on ground: String? = nil,
        below pattern: [NamePattern] = []
    ) {
        (self.path, self.content, self.reach, self.ground) = (path, content, reach, ground ?? path)
        self.pattern = pattern
    }

    /// Returns the reason why a folder can't be used; nil if there is none. Waits for the disk.
    ///
    /// - Parameter chosen: the only entries of the folder that are used; nil for all
    package static func conflict(
        at path: String,
        choosing chosen: [FileName]? = nil,
        with reserved: [ReservedPlace]
    ) -> Conflict? {
        let place = ResolvedPath(path)
        var first: Conflict?
        for other in reserved {
            if let found = other.found, !place.mayMeet(found) { continue }
            let there = ResolvedPath(other.path)
            guard let conflict = other.conflict(of: place, choosing: chosen, with: there) else { continue }
            // A folder that is a home says more than a folder that holds one of the many things in it.
            if conflict.relation == .isThere { return conflict }
            first = first ?? conflict
        }
        return first
    }

    /// The same place, resolved, so that its disk is asked again only for a folder that may be in it. Waits for the
    /// disk.
    package var resolved: ReservedPlace {
        var place = self
        place.found = ResolvedPath(path)
        return place
    }

    /// The same place by its names alone, if its disk does not answer.
    package var unresolved: ReservedPlace {
        var place = self
        place.found = ResolvedPath(unresolved: path)
        return place
    }

    private func conflict(of place: ResolvedPath, choosing chosen: [FileName]?, with own: ResolvedPath) -> Conflict? {
        guard !pattern.isEmpty else {
            return relation(of: place, choosing: chosen, to: own).map {
                Conflict(relation: $0, content: content, place: own.text)
            }
        }
        guard let names = place.names(below: own), names.count >= pattern.count,
            zip(pattern, names).allSatisfy({ $0.matches($1) }), names.count == pattern.count || reach == .whole
        else { return nil }
        let text = names.prefix(pattern.count).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        let relation: Relation = names.count == pattern.count ? .isThere : .isInside
        return Conflict(relation: relation, content: content, place: "\(own.text)/\(text)")
    }

    private func relation(of place: ResolvedPath, choosing chosen: [FileName]?, to own: ResolvedPath) -> Relation? {
        if let names = own.names(below: place) {
            guard let name = names.first else { return isTaken(by: chosen) ? .isThere : nil }
            guard let chosen else { return .holds }
            return chosen.contains { $0.bytes.elementsEqual(name) } ? .holds : nil
        }
        guard let names = place.names(below: own) else { return nil }
        switch reach {
        case .itself: return nil
        case .hidden: return names.first?.first == UInt8(ascii: ".") ? .isInside : nil
        case .whole: return .isInside
        }
    }

    /// Some games save directly into a home. Hidden entries there belong to shells and other programs.
    private func isTaken(by chosen: [FileName]?) -> Bool {
        guard content == .home, let chosen else { return true }
        return chosen.contains { $0.text.hasPrefix(".") }
    }
}

extension ReservedPlace.Conflict {
    /// The reason as the end of a sentence.
    package var reason: String {
        let shown = "“\(PrintableText(place, limit: 4096))”"
        return switch relation {
        case .isThere: "it is \(what)"
        case .holds: "it holds \(what) (\(shown))"
        case .isInside: "it is inside \(what) (\(shown))"
        }
    }

    private var what: String {
        switch content {
        case .own: "Huddle's own folder, with things such as this machine's key"
        case .inbox: "the inbox, where files from other machines arrive"
        case .home: "a user's home"
        case .settings: "a folder of programs' settings"
        case .startup: "a place whose files run at login or when a program starts"
        case .desktop: "the desktop, where a click runs its files"
        case .keys: "a place of keys or passwords"
        case .programs: "a folder of programs"
        case .system: "a folder of the system"
        }
    }
}
