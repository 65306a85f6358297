import Vocabulary

extension LabHost {
    /// Makes the host's cable lose, delay or throttle frames, equally in both directions. This replaces an earlier
    /// impairment. Traffic may flow meanwhile, and some frames are lost at the change.
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

    /// Makes the host's cable lose, delay or throttle frames.
    ///
    /// - Parameters:
    ///   - loss: the percentage of lost frames, each way
    ///   - delay: the delay of a frame, each way
    ///   - jitter: the maximum difference of the delay
    ///   - rate: bits a second, each way
    ///   - seed: the seed of the random numbers
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

    /// Removes all impairments of the host's cable. Frames on the way are lost.
    public func clearImpairment() async throws {
        try await network.perform("lay the line of \(name)", Scripts.bypassRelay, ["\(number)"])
        try await network.perform("end the relay of \(name)", Scripts.stopDaemon, [relay, "TERM"])
    }

    private var relay: String { "relay\(number)" }
}
