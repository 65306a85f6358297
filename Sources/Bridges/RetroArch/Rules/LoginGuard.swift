import Digests

/// The nonces of Digest authentication, and the number of wrong passwords.
///
/// A right password is always taken, so that a guesser can't lock a device out. After some wrong ones, further wrong
/// ones get a short answer that costs nothing.
package struct LoginGuard: Sendable {
    /// The number of wrong logins a minute that get an ordinary answer.
    package static let wrongPerMinute = 10
    /// RetroArch sends damaged files if a nonce ends between two requests, so it lives for a day.
    private static let nonceLife = Duration.seconds(86_400)
    /// Only a login with the right password takes room here.
    private static let mostNonces = 64

    private let key: [UInt8]
    private let start: ContinuousClock.Instant
    private var lastCounts: [(nonce: String, count: UInt64)] = []
    private var wrong: [ContinuousClock.Instant] = []
    /// All wrong logins since the start.
    package private(set) var wrongCount = 0

    /// - Parameter key: random bytes, with which nonces are made
    package init(key: [UInt8], at now: ContinuousClock.Instant) { (self.key, start) = (key, now) }

    /// A nonce, which the guard recognizes without storing it: otherwise strangers could push out those of devices.
    package func nonce(at now: ContinuousClock.Instant) -> String { nonce(of: (now - start).components.seconds) }

    private func nonce(of second: Int64) -> String {
        let proof = Digests.Digest.authentication(of: Array("\(second)".utf8), key: key).prefix(16)
        return "\(second)-\(MD5Stream.text(of: Array(proof)))"
    }

    /// True if the nonce is one of this server, and the request is not one that was sent before. Call it after the
    /// password was proven.
    package mutating func takes(_ digest: DeviceLogin.Digest, at now: ContinuousClock.Instant) -> Bool {
        guard let second = digest.nonce.split(separator: "-").first.flatMap({ Int64($0) }), second >= 0,
            digest.nonce == nonce(of: second), now - start < .seconds(second) + Self.nonceLife,
            let count = UInt64(digest.count, radix: 16)
        else { return false }
        let place = lastCounts.firstIndex { $0.nonce == digest.nonce }
        guard count > (place.map { lastCounts[$0].count } ?? 0) else { return false }
        if let place { lastCounts.remove(at: place) }
        if lastCounts.count >= Self.mostNonces { lastCounts.removeFirst() }
        lastCounts.append((digest.nonce, count))
        return true
    }

    /// Notes a wrong login.
    /// - Returns: false if there were too many in the last minute
    package mutating func noteWrong(at now: ContinuousClock.Instant) -> Bool {
        wrongCount += 1
        wrong.removeAll { now >= $0 + .seconds(60) }
        guard wrong.count < Self.wrongPerMinute else { return false }
        wrong.append(now)
        return true
    }
}
