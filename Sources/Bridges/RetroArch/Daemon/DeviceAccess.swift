import ControlServer
import LinuxPlatform
import Synchronization

/// Decides by the head of a request whether it comes from a device that may sync, before any of its body is stored.
final class DeviceAccess: Sendable {
    private struct State {
        var secrets: [DeviceName: String] = [:]
        var login: LoginGuard
    }

    private let state: Mutex<State>
    /// Called for some of the wrong passwords, with their number.
    private let tellWrong: @Sendable (Int) -> Void

    init(tellingWrong tell: @escaping @Sendable (Int) -> Void) {
        let key = (0..<4).flatMap { _ in withUnsafeBytes(of: SystemRandomNumberGenerator.word) { Array($0) } }
        state = Mutex(State(login: LoginGuard(key: key, at: .now)))
        tellWrong = tell
    }

    /// The devices that may log in.
    func allow(_ settings: RetroArchSettings) {
        let secrets = settings.devices.filter { !$0.value.isBlocked }.mapValues(\.secret)
        state.withLock { $0.secrets = secrets }
    }

    /// The wrong logins since the start.
    var wrongCount: Int { state.withLock { $0.login.wrongCount } }

    /// The response to a request without a right login; nil for one with it.
    func refusal(of head: RequestHead) -> ControlResponse? {
        let login = DeviceLogin(head.headers["authorization"])
        let now = ContinuousClock.Instant.now
        let (isRight, isCounted, wrongCount) = state.withLock { state in
            guard let login else { return (false, true, 0) }
            // A blocked or unknown name takes as long as a known one.
            let secret = DeviceName(login.user).flatMap { state.secrets[$0] }
            let isProven = login.proves(secret ?? Self.noSecret, method: head.method) && secret != nil
            if isProven {
                guard case .digest(let digest) = login else { return (true, true, 0) }
                // A stale nonce is no guess.
                return (digest.isFor(head.path) && state.login.takes(digest, at: now), true, 0)
            }
            return (false, state.login.noteWrong(at: now), state.login.wrongCount)
        }
        if isRight { return nil }
        if [1, 10, 100, 1_000, 10_000, 100_000].contains(wrongCount) { tellWrong(wrongCount) }
        guard isCounted else {
            var response = ControlResponse.refusal(429, "too many wrong passwords: wait a minute")
            response.retryAfter = 60
            return response
        }
        var response = ControlResponse.refusal(
            401,
            "log in with a device's name and password: `huddle retroarch add NAME`"
        )
        let nonce = state.withLock { $0.login.nonce(at: now) }
        // RetroArch reads `algorithm` wrongly if something follows it, and takes MD5 without it.
        response.headers["WWW-Authenticate"] = "Digest realm=\"\(DeviceLogin.realm)\", qop=\"auth\", nonce=\"\(nonce)\""
        return response
    }

    private static let noSecret = String(repeating: "0", count: 32)
}

extension SystemRandomNumberGenerator {
    fileprivate static var word: UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
