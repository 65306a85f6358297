import CLinux
import Glibc
import LabKit
import LinuxPlatform
import Synchronization

/// A parent of a program in the same terminal. It passes on signals, and ends like the program.
final class Attendance: Sendable {
    /// The signals to pass on. The signals that stop and continue a program reach both processes as one job.
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    private enum State {
        /// The signals that arrived before the program started.
        case starting([CInt])
        case running(ChildProcess)
    }

    private let state = Mutex(State.starting([]))

    /// Starts a program and never returns. The exit code is the program's, or 128 plus the signal that ended it.
    ///
    /// - Parameters:
    ///   - start: starts the program
    ///   - cleanUp: the work after its end
    static func attend(
        start: @escaping @Sendable () async throws -> ChildProcess,
        cleanUp: @escaping @Sendable () async -> Void = {}
    ) -> Never {
        // The signals are blocked before any other thread exists, so that every thread blocks them.
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in signals { sigaddset(&mask, signal) }
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        let attendance = Attendance()
        Task(executorPreference: EventLoop.shared.taskExecutor) {
            let code = await attendance.run(start)
            await cleanUp()
            exit(code)
        }
        while true { attendance.handOn(&mask) }
    }

    private func run(_ start: @Sendable () async throws -> ChildProcess) async -> CInt {
        do {
            let child = try await start()
            handOver(to: child)
            return try await child.wait().shellCode
        } catch {
            complain(error)
            return 127
        }
    }

    /// Waits for a signal, on the main thread.
    private func handOn(_ mask: inout sigset_t) {
        var info = siginfo_t()
        let signal = sigwaitinfo(&mask, &info)
        guard signal > 0 else { return }
        state.withLock { state in
            switch state {
            case .starting(let signals):
                // After a second signal the user does not want to wait for the start.
                guard signals.isEmpty else { exit(128 + signal) }
                state = .starting([signal])
            case .running(let child):
                // The terminal sends its signals to the program, too, since both are one job.
                if info.si_code != SI_KERNEL { child.send(signal) }
            }
        }
    }

    private func handOver(to child: ChildProcess) {
        state.withLock { state in
            if case .starting(let signals) = state {
                for signal in signals { child.send(signal) }
            }
            state = .running(child)
        }
    }
}
