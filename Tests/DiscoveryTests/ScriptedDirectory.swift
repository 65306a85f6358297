import LinuxPlatform
import Synchronization
import Vocabulary

@testable import Discovery

/// A responder that follows the test's script and records its calls.
final class ScriptedDirectory: ServiceDirectory {
    enum Question: Hashable {
        case browse
        case lookup(Lookup)
        case register(InstanceName, UInt32?)
    }

    final class Operation: Registration {
        let question: Question
        private let directory: ScriptedDirectory

        init(_ question: Question, _ directory: ScriptedDirectory) {
            self.question = question
            self.directory = directory
        }

        func cancel() { directory.change { [question] in $0.open[question] = nil } }

        func update(_ txt: TXTRecord) throws(DirectoryFailure) {
            let failure = directory.state.withLock { state in
                state.updates.append(txt)
                return state.updateFailure
            }
            if let failure { throw failure }
        }
    }

    struct State {
        var open: [Question: @Sendable (any Sendable) -> Void] = [:]
        var asked: [Question] = []
        var updates: [TXTRecord] = []
        var takenNames: Set<InstanceName> = []
        var updateFailure: DirectoryFailure?
        var isAway = false
        var watchers: [(condition: @Sendable (State) -> Bool, met: Resumption<Void>)] = []
    }

    let loop = EventLoop(named: "scripted")
    let startupPaths: [String] = []
    let state = Mutex(State())

    func absence() -> AvahiAbsence { .noDaemon }

    func browse(_ type: ServiceType, _ handler: @escaping @Sendable (BrowseAnswer) -> Void) throws(DirectoryFailure)
        -> any DirectoryOperation
    { try open(.browse, handler) }

    func resolve(
        _ name: InstanceName,
        _ type: ServiceType,
        on interface: UInt32,
        _ handler: @escaping @Sendable (ResolveAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation {
        try open(
            .lookup(.service(name, Link(index: interface, name: NetworkInterface.name(of: interface) ?? ""))),
            handler
        )
    }

    func texts(
        of name: InstanceName,
        _ type: ServiceType,
        _ handler: @escaping @Sendable (TextAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation { try open(.lookup(.texts(name)), handler) }

    func addresses(
        of host: String,
        _ family: AddressFamily,
        _ handler: @escaping @Sendable (AddressAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation { try open(.lookup(.address(host: host, family)), handler) }

    func register(
        _ advertisement: Advertisement,
        as name: InstanceName,
        on interface: UInt32?,
        _ handler: @escaping @Sendable (RegisterAnswer) -> Void
    ) throws(DirectoryFailure) -> any Registration {
        if state.withLock({ $0.takenNames.contains(name) }) {
            throw DirectoryFailure(number: -65548, isNameConflict: true)
        }
        return try open(.register(name, interface), handler)
    }

    private func open<Answer: Sendable>(
        _ question: Question,
        _ handler: @escaping @Sendable (Answer) -> Void
    ) throws(DirectoryFailure) -> Operation {
        let isAway = state.withLock { state in
            state.asked.append(question)
            if !state.isAway {
                state.open[question] = { answer in
                    guard let answer = answer as? Answer else { preconditionFailure("an answer to another query") }
                    handler(answer)
                }
            }
            return state.isAway
        }
        checkWatchers()
        if isAway { throw DirectoryFailure(number: -65537) }
        return Operation(question, self)
    }

    /// Answers an open query on the loop, as the responder would.
    func answer(_ question: Question, _ answer: some Sendable) async {
        await waitUntil { $0.open[question] != nil }
        await loop.performing { @Sendable in
            let handler = self.state.withLock { $0.open[question] }
            handler?(answer)
        }
    }

    /// Answers a query if it is open.
    func answer(ifAsked question: Question, _ answer: some Sendable) async {
        await loop.performing { @Sendable in
            let handler = self.state.withLock { $0.open[question] }
            handler?(answer)
        }
    }

    /// Answers several open queries in one turn of the loop.
    func answerAtOnce(_ answers: [(question: Question, answer: any Sendable)]) async {
        let handlers = state.withLock { state in answers.map { state.open[$0.question] } }
        await loop.performing { @Sendable in
            for (handler, answer) in zip(handlers, answers) { handler?(answer.answer) }
        }
    }

    /// Waits until the open queries satisfy the condition.
    func waitUntil(_ condition: @escaping @Sendable (borrowing State) -> Bool) async {
        let met = Resumption<Void>()
        let isMet = state.withLock { state in
            if condition(state) { return true }
            state.watchers.append((condition: { condition($0) }, met: met))
            return false
        }
        if !isMet { _ = try? await met.valueUnlessCancelled() }
    }

    func change(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
        checkWatchers()
    }

    private func checkWatchers() {
        let met = state.withLock { state in
            let met = state.watchers.filter { $0.condition(state) }
            state.watchers.removeAll { watcher in met.contains { $0.met === watcher.met } }
            return met
        }
        for watcher in met { watcher.met.resume(with: .success(())) }
    }
}
