/// State of a game, as the daemon says it.
package struct GameStateFacts: Facts {
    private let name: String
    private let state: String
    private let fault: String?
    private let command: String?

    /// - Parameters:
    ///   - state: its state in words
    ///   - fault: what is wrong; nil if nothing is
    ///   - command: what a person types
    package init(_ name: String, state: String, fault: String? = nil, command: String? = nil) {
        (self.name, self.state, self.fault, self.command) = (name, state, fault, command)
    }

    package var findings: [Finding] {
        guard let fault else { return [.well(.games, "\(name): \(state)")] }
        return [
            .fault(
                .games,
                "\(name): \(state): \(fault)",
                why: "what is saved here does not reach the other machines, or what they save does not come",
                mend: command.map { [$0] } ?? []
            )
        ]
    }
}
