/// The sync state of a game that the user asks about.
package struct AskedGameFacts: Facts {
    /// This machine's relation to the game.
    package enum Standing: Sendable, Hashable {
        /// It is shared, and these machines are not known to have the newest version, or have paused it.
        case shared(missing: [Machine])
        /// Another machine shares it, and this one has not joined.
        case offered(by: String)
        /// It is installed here, and not shared.
        case found
        case unknown
    }

    /// Another machine that takes part.
    package struct Machine: Sendable, Hashable {
        /// The reason why it does not have the newest version.
        package enum Reach: Sendable, Hashable { case online, offline, paused }

        let words: String
        let reach: Reach

        package init(_ words: String, _ reach: Reach) { (self.words, self.reach) = (words, reach) }
    }

    private let name: String
    private let standing: Standing

    package init(_ name: String, _ standing: Standing) { (self.name, self.standing) = (name, standing) }

    package var findings: [Finding] {
        switch standing {
        case .shared(let missing): missing.map(finding)
        case .offered(let giver):
            [
                .fault(
                    .games,
                    "\(name) is not joined on this machine",
                    why: "\(giver) shares it; a machine joins only a game that it finds",
                    fix: ["huddle join \(name)"]
                )
            ]
        case .found:
            [
                .fault(
                    .games,
                    "\(name) is not shared",
                    why: "it is found on this machine, and no machine of the household shares it with this one",
                    fix: ["huddle share \(name)"]
                )
            ]
        case .unknown:
            [
                .fault(
                    .games,
                    "no game \(name) is shared, offered or found here",
                    why: "the machine that shares it is offline, or shares it under another name",
                    fix: ["huddle list", "huddle games"]
                )
            ]
        }
    }

    private func finding(_ machine: Machine) -> Finding {
        let isBehind = "\(machine.words) does not have the newest save of \(name)"
        return switch machine.reach {
        case .online:
            .warning(
                .games,
                isBehind,
                why: "it is online, so the save is on its way, unless another line here says what is in the way",
                fix: ["huddle doctor \(name)    # on that machine, too"]
            )
        case .offline:
            .warning(
                .games,
                isBehind,
                why: "it is offline, and gets the save as soon as it is online",
                fix: ["huddle wait \(name)"]
            )
        case .paused:
            .warning(
                .games,
                "\(machine.words) has paused \(name)",
                why: "its saves do not arrive here, and those of this machine do not go there",
                fix: ["huddle resume \(name)    # on that machine"]
            )
        }
    }
}
