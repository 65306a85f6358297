import CLinux
import Glibc
import LabKit
import LinuxPlatform
import Synchronization

/// Stands in for a program that shares our terminal: hands on to it what we are sent, and ends as it ends.
final class Attendance: Sendable {
    /// What is worth handing on. Those that stop and continue act on both of us alike, as one job.
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    private enum State {
        /// What came before there was anybody to hand it on to.
        case starting([CInt])
        case running(ChildProcess)
    }

    private let state = Mutex(State.starting([]))

    /// Starts a program and never returns: our exit code is its own, or 128 and the signal that ended it.
    ///
    /// - Parameters:
    ///   - start: starts it
    ///   - cleanUp: what remains to be done after its end
    static func attend(
        start: @escaping @Sendable () async throws -> ChildProcess,
        cleanUp: @escaping @Sendable () async -> Void = {}
    ) -> Never {
        // Blocked before any other thread is there: a signal must find none that does not block it.
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
                // Somebody who asks twice does not want to wait for the start.
                guard signals.isEmpty else { exit(128 + signal) }
                state = .starting([signal])
            case .running(let child):
                // What the terminal sends, it sends to the program too: we are one job.
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
