package import Vocabulary

/// A place on this machine that nothing from other machines may reach, and why.
///
/// A folder that takes what others send, or is shared with them, may not be such a place, nor have it in it.
package struct ReservedPlace: Sendable {
    /// What is there.
    package enum Content: Sendable, Hashable, CaseIterable {
        /// The key and the ledger of this machine, the socket of its daemon, its settings.
        case own
        /// The folder that takes what others send.
        case inbox
        /// All that a user has.
        case home
        /// What programs are to be like.
        case settings
        /// What is started by itself, such as at login or by a shell.
        case startup
        /// What is started by a click.
        case desktop
        /// Keys and passwords.
        case keys
        /// Programs that are started by their name.
        case programs
        /// The system itself.
        case system
    }

    /// How far it reaches down.
    package enum Reach: Sendable, Hashable {
        /// A folder may be inside it.
        case itself
        /// A folder may be inside it, but in nothing hidden.
        case hidden
        /// No folder may be inside it.
        case whole
    }

    /// How a folder and a reserved place meet.
    package enum Relation: Sendable, Hashable {
        case isThere
        case holds
        case isInside
    }

    /// Why a folder can't be used.
    package struct Conflict: Sendable, Hashable {
        package let relation: Relation
        package let content: Content
        /// The reserved place, without any link.
        package let place: String
    }

    package let path: String
    package let content: Content
    package let reach: Reach
    /// Those of one ground are asked for together, for their disk answers all of them or none.
    package let ground: String
    /// Where it was when a disk was asked last. It may have been made again since, and its number have been given to another.
    private var found: ResolvedPath?

    /// - Parameters:
    ///   - path: a folder or a file, which need not be there
    ///   - content: what it is
    ///   - reach: what lies in it may be used as far as this says
    ///   - ground: a folder that it shares its disk with
    package init(_ path: String, _ content: Content, _ reach: Reach, on ground: String? = nil) {
        (self.path, self.content, self.reach, self.ground) = (path, content, reach, ground ?? path)
    }

    /// Why a folder can't be used; nil where nothing speaks against it. Waits for the disk.
    ///
    /// - Parameter chosen: what alone of the folder is used; nil for all
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
            guard let relation = other.relation(of: place, choosing: chosen, to: there) else { continue }
            let conflict = Conflict(relation: relation, content: other.content, place: there.text)
            // That a folder is a home says more than that it holds one of the many things in it.
            if relation == .isThere { return conflict }
            first = first ?? conflict
        }
        return first
    }

    /// The same, so that its disk is asked again only for a folder that may be there. Waits for the disk.
    package var resolved: ReservedPlace {
        var place = self
        place.found = ResolvedPath(path)
        return place
    }

    /// The same by its names alone, where its disk gives no answer.
    package var unresolved: ReservedPlace {
        var place = self
        place.found = ResolvedPath(unresolved: path)
        return place
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

    /// Some games save right into a home. What is hidden there belongs to shells and other programs.
    private func isTaken(by chosen: [FileName]?) -> Bool {
        guard content == .home, let chosen else { return true }
        return chosen.contains { $0.text.hasPrefix(".") }
    }
}

extension ReservedPlace.Conflict {
    /// What speaks against the folder, as the end of a sentence.
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
        case .desktop: "the desktop, where a click runs what lies on it"
        case .keys: "a place of keys or passwords"
        case .programs: "a folder of programs"
        case .system: "a folder of the system"
        }
    }
}
