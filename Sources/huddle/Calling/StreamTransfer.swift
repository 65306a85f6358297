import CommandTable
import Control
import Household
import LinuxPlatform

/// A stream through the daemon. One response reports its events, and a second request carries its bytes.
@Engine
final class StreamTransfer {
    /// Carries the bytes to or from the stream with this number.
    typealias Work = @Engine @Sendable (_ stream: String) async throws -> Void

    private let daemon: ControlConnection
    private let report: SessionReport
    private let beginning: StreamEvent.Kind
    private let work: Work
    private var carrying: Task<Void, any Error>?

    /// - Parameter beginning: the event after which the stream can carry bytes
    init(
        with daemon: ControlConnection,
        _ report: SessionReport,
        from beginning: StreamEvent.Kind,
        _ work: @escaping Work
    ) {
        self.daemon = daemon
        self.report = report
        self.beginning = beginning
        self.work = work
    }

    /// Follows the stream until it has carried all of its bytes.
    func follow(_ request: APIRequest) async throws -> ExitCode {
        defer { carrying?.cancel() }
        do {
            let lines = try await daemon.events(request)
            while let line = try await lines.next() {
                begin(line)
                try await report.tell(line)
            }
            try await rest()
            return lines.failure.map { ExitCode(of: $0) } ?? .success
        } catch let fault as PassedOnError {
            // If this side can't read or write, the other side ends the stream without knowing the reason. So the fault
            // of this side counts, unless it is only the cancellation above.
            carrying?.cancel()
            if case .failure(let error as Fault)? = await carrying?.result, !(error.cause is CancellationError) {
                throw error.cause
            }
            throw fault
        } catch let error as Fault {
            throw error.cause
        }
    }

    /// An error of standard input or output on this machine.
    struct Fault: Error {
        let cause: any Error

        /// Wraps the errors of `work` in a ``Fault``.
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

    private func begin(_ line: DaemonLine) {
        guard case .stream(let event) = line.event, event.kind == beginning, let number = event.transfer,
            carrying == nil
        else { return }
        let work = work
        carrying = Task(executorPreference: EventLoop.shared.taskExecutor) {
            try await work("\(number)")
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
