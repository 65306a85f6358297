import LinuxPlatform

/// The tokens and the code that each open the page once, and the browsers that have used one.
struct PageAccess: Sendable {
    /// The requests that the daemon accepts from a browser.
    enum Right: String, Sendable {
        /// All requests, from a browser of this machine.
        case all
        /// Requests that change nothing, from a browser of another machine.
        case read
        /// Requests that change something, too, from a browser of another machine that the user has allowed to do so.
        case change

        /// The listener that the browser uses.
        var reach: PageReach { self == .all ? .loopback : .network }
    }

    /// A browser that may use the page.
    struct Browser: Hashable, Sendable {
        /// The number by which the user can sign the browser out.
        let number: Int
        /// The browser's `User-Agent`, cut to 200 characters.
        let agent: String
        let since: ContinuousClock.Instant
        fileprivate(set) var right: Right
    }

    /// The code with which a browser of another machine signs in.
    private struct Code {
        let digits: String
        let since: ContinuousClock.Instant
        var wrongCount = 0
    }

    /// The lifetime of a token: a browser starts within a minute.
    static let tokenLife = Duration.seconds(60)
    /// The time after which a browser is signed out.
    static let browserLife = Duration.seconds(12 * 3_600)
    /// The lifetime of a code. The user must first type the address, and read the browser's warning.
    static let codeLife = Duration.seconds(300)
    /// The number of wrong codes that end a code. So an attacker has three chances in a million to guess it.
    private static let mostWrongCodes = 3
    private static let mostTokens = 8
    private static let mostBrowsers = 16
    private static let agentLimit = 200

    private var tokens: [(secret: PageSecret, since: ContinuousClock.Instant)] = []
    private var code: Code?
    private var browsers: [PageSecret: Browser] = [:]
    private var lastNumber = 0

    /// The signed-in browsers in the order in which they signed in.
    var signedIn: [Browser] { browsers.values.sorted { $0.number < $1.number } }

    /// The time at which the last browser of a listener is signed out, and its last token or code has expired; nil if
    /// there are none.
    func end(of reach: PageReach, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        var ends = browsers.values.filter { $0.right.reach == reach }.map { $0.since + Self.browserLife }
        switch reach {
        case .loopback: ends += tokens.map { $0.since + Self.tokenLife }
        case .network: ends += code.map { [$0.since + Self.codeLife] } ?? []
        }
        return ends.filter { $0 > now }.max()
    }

    /// Makes a token. If eight tokens are unused already, it discards the oldest one.
    mutating func token(at now: ContinuousClock.Instant) -> PageSecret {
        forgetOld(at: now)
        if tokens.count >= Self.mostTokens { tokens.removeFirst() }
        let secret = PageSecret.random()
        tokens.append((secret, now))
        return secret
    }

    /// Signs a browser in, and discards the token. If 16 browsers are signed in already, it signs the first one out.
    ///
    /// - Returns: the browser's key; nil if the token is unknown, used or expired
    mutating func signIn(with token: PageSecret, as agent: String, at now: ContinuousClock.Instant) -> PageSecret? {
        forgetOld(at: now)
        guard let index = tokens.firstIndex(where: { $0.secret == token }) else { return nil }
        tokens.remove(at: index)
        return add(agent, .all, at: now)
    }

    /// Makes a code of six digits for a browser of another machine. It replaces an older code.
    mutating func code(at now: ContinuousClock.Instant) -> String {
        let number = String(UInt32.random(in: 0..<1_000_000))
        let digits = String(repeating: "0", count: 6 - number.count) + number
        code = Code(digits: digits, since: now)
        return digits
    }

    /// Signs a browser of another machine in, and discards the code. The third wrong code also discards it.
    ///
    /// - Returns: the browser's key; nil if the code is wrong, used or expired
    mutating func signIn(
        withCode digits: String,
        as agent: String,
        at now: ContinuousClock.Instant
    ) -> PageSecret? {
        forgetOld(at: now)
        guard let code else { return nil }
        guard digits == code.digits else {
            self.code?.wrongCount += 1
            if code.wrongCount + 1 >= Self.mostWrongCodes { self.code = nil }
            return nil
        }
        self.code = nil
        return add(agent, .read, at: now)
    }

    private mutating func add(_ agent: String, _ right: Right, at now: ContinuousClock.Instant) -> PageSecret {
        if browsers.count >= Self.mostBrowsers, let oldest = browsers.min(by: { $0.value.number < $1.value.number }) {
            browsers[oldest.key] = nil
        }
        lastNumber += 1
        let secret = PageSecret.random()
        let agent = String(agent.prefix(Self.agentLimit))
        browsers[secret] = Browser(number: lastNumber, agent: agent, since: now, right: right)
        return secret
    }

    /// The browser with this key; nil if it is signed out.
    func browser(_ secret: PageSecret, at now: ContinuousClock.Instant) -> Browser? {
        guard let browser = browsers[secret], now < browser.since + Self.browserLife else { return nil }
        return browser
    }

    /// Signs a browser out.
    ///
    /// - Returns: false if no browser has that number
    mutating func signOut(_ number: Int) -> Bool {
        guard let secret = browsers.first(where: { $0.value.number == number })?.key else { return false }
        browsers[secret] = nil
        return true
    }

    /// Lets a browser of another machine change things.
    ///
    /// - Returns: false if no browser of another machine has that number
    mutating func allowChanges(by number: Int) -> Bool {
        guard let place = browsers.first(where: { $0.value.number == number && $0.value.right != .all })?.key else {
            return false
        }
        browsers[place]?.right = .change
        return true
    }

    /// Signs all browsers of a listener out, and discards the tokens or the code with which one could sign in.
    mutating func close(_ reach: PageReach) {
        browsers = browsers.filter { $0.value.right.reach != reach }
        switch reach {
        case .loopback: tokens = []
        case .network: code = nil
        }
    }

    private mutating func forgetOld(at now: ContinuousClock.Instant) {
        if let since = code?.since, now >= since + Self.codeLife { code = nil }
        tokens.removeAll { now >= $0.since + Self.tokenLife }
        browsers = browsers.filter { now < $0.value.since + Self.browserLife }
    }
}
