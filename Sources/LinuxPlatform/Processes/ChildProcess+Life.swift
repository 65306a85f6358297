import CLinux
import Glibc
import Synchronization

extension ChildProcess {
    /// The part of a child that lives on after all owners are gone, until the kernel's record of it is reaped.
    final class Life: Sendable {
        private struct State {
            var status: ProgramEnding?
            var waiting: [UInt64: Resumption<ProgramEnding>] = [:]
            var lastWaiter: UInt64 = 0
            var watch: DescriptorWatch?
        }

        private let identifier: CInt
        private let takesOthersAlong: Bool
        private let descriptor: OwnedDescriptor
        private let state = Mutex(State())

        init(of identifier: CInt, takingOthersAlong: Bool, on loop: EventLoop) throws(SystemError) {
            self.identifier = identifier
            takesOthersAlong = takingOthersAlong
            do {
                descriptor = OwnedDescriptor(
                    takingOwnershipOf: try retrying("pidfd_open") { huddle_pidfd_open(identifier) }
                )
            } catch {
                Self.clearAway(identifier)
                throw error
            }
            let watch: DescriptorWatch
            do throws(SystemError) {
                // The loop keeps the watch's handler, and the handler keeps this object, until the child has ended.
                watch = try loop.watch(descriptor.number, for: .readable) { @Sendable _ in self.reap() }
            } catch {
                Self.clearAway(identifier)
                throw error
            }
            let hasEnded = state.withLock { state in
                state.watch = watch
                return state.status != nil
            }
            if hasEnded { endWatch() }
        }

        /// Kills a child that can't be watched. The wait is short, and the only way to leave no zombie behind.
        private static func clearAway(_ identifier: CInt) {
            kill(identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }

        var status: ProgramEnding? { state.withLock { $0.status } }

        /// The lock guarantees that the number is still the child's: it is only reaped under the same lock.
        func send(_ signal: CInt) -> Bool {
            state.withLock { $0.status == nil && kill(identifier, signal) == 0 }
        }

        func ended() async throws -> ProgramEnding {
            let resumption = Resumption<ProgramEnding>()
            let ticket = enlist(resumption)
            return try await withTaskCancellationHandler {
                try await resumption.value()
            } onCancel: {
                state.withLock { _ = $0.waiting.removeValue(forKey: ticket) }
                resumption.resume(with: .failure(CancellationError()))
            }
        }

        /// Waits for the end even if the caller is cancelled.
        func endedForCertain() async -> ProgramEnding {
            let resumption = Resumption<ProgramEnding>()
            _ = enlist(resumption)
            guard let status = try? await resumption.value() else {
                preconditionFailure("only the reaper ends this wait")
            }
            return status
        }

        private func enlist(_ resumption: Resumption<ProgramEnding>) -> UInt64 {
            let (ticket, status) = state.withLock { state in
                state.lastWaiter += 1
                if state.status == nil { state.waiting[state.lastWaiter] = resumption }
                return (state.lastWaiter, state.status)
            }
            if let status { resumption.resume(with: .success(status)) }
            return ticket
        }

        private func reap() {
            let (status, waiting): (ProgramEnding?, [Resumption<ProgramEnding>]) = state.withLock { state in
                guard state.status == nil else { return (nil, []) }
                // Until it is reaped, its number, which is also that of its group, belongs to no other process.
                if takesOthersAlong { kill(-identifier, SIGKILL) }
                var raw: CInt = 0
                guard waitpid(identifier, &raw, WNOHANG) == identifier else { return (nil, []) }
                state.status = ProgramEnding(waitStatus: raw)
                defer { state.waiting = [:] }
                return (state.status, Array(state.waiting.values))
            }
            guard let status else { return }
            endWatch()
            for resumption in waiting { resumption.resume(with: .success(status)) }
        }

        private func endWatch() {
            state.withLock { $0.watch.take() }?.cancel()
        }
    }
}
