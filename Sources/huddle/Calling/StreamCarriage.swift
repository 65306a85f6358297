import CommandTable
import Control
import Household
import LinuxPlatform

/// A stream by way of the daemon: one answer tells about it, and its bytes are carried beside that.
@Engine
final class StreamCarriage {
    /// Carries the bytes to or from this place.
    typealias Work = @Engine @Sendable (_ path: [String]) async throws -> Void

    private let daemon: ControlConnection
    private let report: SessionReport
    private let beginning: String
    private let work: Work
    private var carrying: Task<Void, any Error>?

    /// - Parameter beginning: the event from which on there is something to carry
    init(with daemon: ControlConnection, _ report: SessionReport, from beginning: String, _ work: @escaping Work) {
        self.daemon = daemon
        self.report = report
        self.beginning = beginning
        self.work = work
    }

    /// Until all of it was carried.
    func follow(_ question: ControlQuestion) async throws -> ExitCode {
        defer { carrying?.cancel() }
        do {
            let lines = try await daemon.news(question)
            while let news = try await lines.next() {
                begin(news)
                try await report.tell(news)
            }
            try await rest()
            return lines.failure.map { ExitCode(of: $0) } ?? .success
        } catch let fault as PassedOnError {
            // What can't be read or written here ends it over there, which says less about why. That it was cancelled just now says nothing.
            carrying?.cancel()
            if case .failure(let error as Fault)? = await carrying?.result, !(error.cause is CancellationError) {
                throw error.cause
            }
            throw fault
        } catch let error as Fault {
            throw error.cause
        }
    }

    /// What went wrong with standard input or output here.
    struct Fault: Error {
        let cause: any Error

        /// Marks what is thrown as such.
        static func marking<Value>(
            isolation: isolated (any Actor)? = #isolation,
            _ work: () async throws -> Value
        ) async throws -> Value {
            do {
                return try await work()
            } catch {
                throw Fault(cause: error)
            }
        }
    }

    private func begin(_ news: SessionNews) {
        guard news.event == beginning, let number = news.transfer, carrying == nil else { return }
        let work = work
        carrying = Task(executorPreference: EventLoop.shared.taskExecutor) {
            try await work(["v1", "streams", "\(number)"])
        }
    }

    private func rest() async throws {
        guard let carrying else { return }
        try await withTaskCancellationHandler {
            try await carrying.value
        } onCancel: {
            carrying.cancel()
        }
    }
}
