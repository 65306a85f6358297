import Vocabulary

extension LabHost {
    /// Makes the host's line lose, delay or throttle frames, in both directions alike, instead of whatever was wrong with it
    /// before. Traffic may flow meanwhile; some frames are lost when the line is changed.
    public func impair(_ impairment: Impairment) async throws {
        guard Lab.availability().canImpair else {
            throw LabError(
                "lab.impairment",
                "the line of \(name) can't be impaired: /dev/net/tun can't be opened",
                nextStep: "run as root, or allow it with “chmod 666 /dev/net/tun”, which is what most machines have"
            )
        }
        try await clearImpairment()
        let tool = try ToolPath.find()
        let words = [relay, "relay ready", tool, "relay", "near\(number)", "far\(number)"] + impairment.words
        try await network.perform("start the relay of \(name)", Scripts.startDaemon, words)
        try await network.perform("lay the line of \(name)", Scripts.insertRelay, ["\(number)"])
    }

    /// Makes the host's line lose, delay or throttle frames.
    ///
    /// - Parameters:
    ///   - loss: how many frames of a hundred are lost, each way
    ///   - delay: how long a frame takes, each way
    ///   - jitter: by how much the delay varies at most
    ///   - rate: bits a second, each way
    ///   - seed: where the dice start
    public func impair(
        loss: Double = 0,
        delay: Duration = .zero,
        jitter: Duration = .zero,
        rate: Int? = nil,
        seed: UInt64 = 1
    ) async throws {
        try await impair(
            Impairment(lossPercent: loss, delay: delay, jitter: jitter, bitsPerSecond: rate, seed: seed)
        )
    }

    /// Makes the host's line perfect again; one that is already stays so. What was on its way is lost.
    public func clearImpairment() async throws {
        try await network.perform("lay the line of \(name)", Scripts.bypassRelay, ["\(number)"])
        try await network.perform("end the relay of \(name)", Scripts.stopDaemon, [relay, "TERM"])
    }

    private var relay: String { "relay\(number)" }
}
