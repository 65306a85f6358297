import Household
import LinuxPlatform

/// Running work that sends lines to one reader. It starts with the first read, waits while its lines are not read, and
/// is cancelled when this object is released.
@Engine
final class ResponseStream {
    /// The number of unread bytes at which the work waits.
    private static let limit = 256 << 10

    typealias Work = @Engine @Sendable (_ tell: @escaping RouteAnswer.Tell) async throws -> Void

    private let work: Work
    private let worked: @Engine @Sendable () -> Void
    private let lines = Lines()
    private var task: Task<Void, Never>?

    /// - Parameter worked: called while the work runs, and after its end
    init(_ work: @escaping Work, worked: @escaping @Engine @Sendable () -> Void) {
        (self.work, self.worked) = (work, worked)
    }

    deinit {
        task?.cancel()
    }

    /// Returns the lines since the last read; nil after the end.
    func next() async throws -> [UInt8]? {
        begin()
        return try await lines.next()
    }

    private func begin() {
        guard task == nil else { return }
        let (work, worked, lines) = (work, worked, lines)
        task = Task(executorPreference: EventLoop.shared.taskExecutor) { await Self.carryOut(work, worked, lines) }
    }

    private static func carryOut(_ work: Work, _ worked: @escaping @Engine @Sendable () -> Void, _ lines: Lines) async {
        defer { worked() }
        do {
            try await work { line in
                await worked()
                try await lines.add(line)
            }
        } catch {
            // After a cancellation, no reader waits for the error.
            if !Task.isCancelled { try? await lines.add(DaemonLine.failed(error)) }
        }
        lines.finish()
    }

    /// The lines that the reader has not read yet.
    @Engine
    private final class Lines {
        private var waiting: [UInt8] = []
        private var isFinished = false
        private var taker: Resumption<Void>?
        private var tellers: [Resumption<Void>] = []

        func add(_ shape: any JSONShape) async throws {
            while waiting.count >= ResponseStream.limit {
                // Other tasks may send lines, too, but no reader is left.
                if isFinished { throw CancellationError() }
                let turn = Resumption<Void>()
                tellers.append(turn)
                try await turn.valueUnlessCancelled()
            }
            waiting += Array("\(shape.fields.line)\n".utf8)
            taker?.resume(with: .success(()))
        }

        func finish() {
            isFinished = true
            taker?.resume(with: .success(()))
            letTellersThrough()
        }

        func next() async throws -> [UInt8]? {
            while waiting.isEmpty {
                if isFinished { return nil }
                let taker = Resumption<Void>()
                self.taker = taker
                try await taker.valueUnlessCancelled()
                self.taker = nil
            }
            defer { waiting = [] }
            letTellersThrough()
            return waiting
        }

        private func letTellersThrough() {
            for teller in tellers { teller.resume(with: .success(())) }
            tellers = []
        }
    }
}
