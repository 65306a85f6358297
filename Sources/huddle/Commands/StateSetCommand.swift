import CommandTable
import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// `huddle state set`: change, add or remove one value of a save.
enum StateSetCommand {
    static let newValue = Argument(optional: "VALUE", .text.named("VALUE"), help: "the new value")
    static let kind = Option(
        "as",
        .choice as ValueForm<TypedValue.Kind>,
        help:
            "the kind of the value (default: that of the old value, else as JSON reads it, else a string)"
    )
    static let remove = Flag("remove", help: "remove the key or element")
    static let parents = Flag("parents", help: "make missing dictionaries and arrays on the way")

    static let row = Command<CommandAction>(
        "set",
        summary: "change, add or remove one value of a save",
        discussion: """
            The file is replaced in one step, in its own format: after a crash it is the old or the new one. The order \
            of keys and the kinds of numbers stay. A new key goes to the end; [+] adds an element to an array.
            """,
        arguments: [StateOptions.file, StateOptions.place, newValue],
        options: [kind, remove, parents, StateOptions.output] + StateOptions.opening,
        examples: [
            Example("huddle state set castle.save people[0].height 182", "change a number"),
            Example("huddle state set castle.save \"items[+]\" lamp", "add to a list"),
            Example("huddle state set castle.save cheats --remove", "remove a key"),
        ],
        exitCodes: ExitCode.opening + [.inexpressible, .unreachable],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        var opened = try await OpenedState(given[StateOptions.file], given)
        let path = given[StateOptions.place]
        let before = try? opened.state.value(at: path)
        let after: ArchiveValue?
        switch (given[newValue], given[remove]) {
        case (let text?, false):
            let typed = try TypedValue.value(text, as: given[kind], inPlaceOf: before)
            do throws(StateError) {
                try opened.state.set(typed, at: path, makingParents: given[parents])
            } catch {
                throw explained(error, opened.state, typed, path)
            }
            after = typed
        case (nil, true):
            try opened.state.remove(at: path)
            after = nil
        case (_?, true), (nil, false):
            throw CommandError(
                ErrorCode(.invalid, "command.value-missing"),
                "the command needs either a new value or --remove",
                nextStep: "give a VALUE, or --remove without a VALUE"
            )
        }
        let target = given[StateOptions.output].map(StateFile.init) ?? opened.file
        try await target.write(try opened.bytes(as: opened.format, .none, given))
        try await tell(before, after, path, asJSON: given[StateOptions.json], console)
        return .success
    }

    /// Returns the error, with a hint at `--parents` if that option would help.
    private static func explained(
        _ error: StateError,
        _ state: GameState,
        _ value: ArchiveValue,
        _ path: StatePath
    ) -> any Error {
        var trial = state
        let isHelp = error.suggestion == nil && (try? trial.set(value, at: path, makingParents: true)) != nil
        guard isHelp else { return error }
        return CommandError(error.code, error.message, nextStep: "add --parents to make the missing parts of the path")
    }

    private static func tell(
        _ before: ArchiveValue?,
        _ after: ArchiveValue?,
        _ path: StatePath,
        asJSON: Bool,
        _ console: Console
    ) async throws {
        if asJSON {
            var fields = ArchiveFields()
            if let after { fields["after"] = ValueShape.shape(after) }
            if let before { fields["before"] = ValueShape.shape(before) }
            fields["path"] = .string(path.description)
            return try await console.print(try ValueShape.line(fields))
        }
        switch (before, after) {
        case (let before?, let after?): try await console.say("\(path): \(before.words()) → \(after.words())")
        case (nil, let after?): try await console.say("\(path): \(after.words()) (new)")
        case (let before?, nil): try await console.say("\(path): \(before.words()) (removed)")
        case (nil, nil): break
        }
    }
}
