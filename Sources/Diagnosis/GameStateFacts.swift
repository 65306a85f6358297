/// The state of a game, from the daemon.
package struct GameStateFacts: Facts {
    private let name: String
    private let state: String
    private let fault: String?
    private let command: String?

    /// - Parameters:
    ///   - state: its state in words
    ///   - fault: problem of the game; nil if there is none
    ///   - command: command that helps
    package init(_ name: String, state: String, fault: String? = nil, command: String? = nil) {
        (self.name, self.state, self.fault, self.command) = (name, state, fault, command)
    }

    package var findings: [Finding] {
        guard let fault else { return [.well(.games, "\(name): \(state)")] }
        return [
            .fault(
                .games,
                "\(name): \(state): \(fault)",
                why: "saves of this machine do not reach the others, or theirs do not arrive here",
                fix: command.map { [$0] } ?? []
            )
        ]
    }
}
