import Session
import LinuxPlatform
import SaveRules
import Vocabulary

/// Disks that give no answer.
extension KeptSet {
    /// Whether its disk gives no answer now.
    var isDiskSilent: Bool {
        (machine.problems.misplaced ?? machine.problems[.disk]?.error)?.code == SaveSyncError.silentDiskCode
    }

    /// A call waits for its disk and gets no answer so far.
    func diskIsSilent(_ error: SaveSyncError) {
        tell(trouble: error, in: .disk)
        for tell in silenceWaits.values { tell(error) }
    }

    /// Does something that may wait for the disk. Once the disk is known to give no answer, the caller continues with an error. The work that has
    /// begun ends when the disk answers.
    /// - Throws: the error of the body, or of the disk
    func whileDiskAnswers<Value: Sendable>(
        _ body: @escaping @Engine @Sendable () async throws -> Value
    ) async throws -> Value {
        let outcome = Resumption<Value>()
        let isBegun = keeper.crew.add {
            do { outcome.resume(with: .success(try await body())) } catch { outcome.resume(with: .failure(error)) }
        }
        guard isBegun else { throw CancellationError() }
        if let silent = machine.problems[.disk] { throw silent.error }
        let wait = ObjectIdentifier(outcome)
        silenceWaits[wait] = { outcome.resume(with: .failure($0)) }
        defer { silenceWaits[wait] = nil }
        return try await outcome.valueUnlessCancelled()
    }
}
