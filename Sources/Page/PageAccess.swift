import LinuxPlatform

/// The tokens that open the page once, and the browsers that have used one.
struct PageAccess: Sendable {
    /// A browser that may use the page.
    struct Browser: Hashable, Sendable {
        /// The number by which the user can sign the browser out.
        let number: Int
        /// The browser's `User-Agent`, cut to 200 characters.
        let agent: String
        let since: ContinuousClock.Instant
    }

    /// The lifetime of a token: a browser starts within a minute.
    static let tokenLife = Duration.seconds(60)
    /// The time after which a browser is signed out.
    static let browserLife = Duration.seconds(12 * 3_600)
    private static let mostTokens = 8
    private static let mostBrowsers = 16
    private static let agentLimit = 200

    private var tokens: [(secret: PageSecret, since: ContinuousClock.Instant)] = []
    private var browsers: [PageSecret: Browser] = [:]
    private var lastNumber = 0

    /// The signed-in browsers in the order in which they signed in.
    var signedIn: [Browser] { browsers.values.sorted { $0.number < $1.number } }

    /// The time at which the last browser is signed out and the last token expires; nil if there are none.
    func end(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let ends = browsers.values.map { $0.since + Self.browserLife } + tokens.map { $0.since + Self.tokenLife }
        return ends.filter { $0 > now }.max()
    }

    /// Makes a token. Of more than eight unused tokens, it discards the oldest one.
    mutating func token(at now: ContinuousClock.Instant) -> PageSecret {
        forgetOld(at: now)
        if tokens.count >= Self.mostTokens { tokens.removeFirst() }
        let secret = PageSecret.random()
        tokens.append((secret, now))
        return secret
    }

    /// Signs a browser in, and discards the token. Of more than 16 browsers, it signs the first one out.
    ///
    /// - Returns: the browser's key; nil if the token is unknown, used or expired
    mutating func signIn(with token: PageSecret, as agent: String, at now: ContinuousClock.Instant) -> PageSecret? {
        forgetOld(at: now)
        guard let index = tokens.firstIndex(where: { $0.secret == token }) else { return nil }
        tokens.remove(at: index)
        if browsers.count >= Self.mostBrowsers, let oldest = browsers.min(by: { $0.value.number < $1.value.number }) {
            browsers[oldest.key] = nil
        }
        lastNumber += 1
        let secret = PageSecret.random()
        browsers[secret] = Browser(number: lastNumber, agent: String(agent.prefix(Self.agentLimit)), since: now)
        return secret
    }

    /// The browser with this key; nil if it is signed out.
    func browser(_ secret: PageSecret, at now: ContinuousClock.Instant) -> Browser? {
        guard let browser = browsers[secret], now < browser.since + Self.browserLife else { return nil }
        return browser
    }

    /// Signs a browser out.
    ///
    /// - Returns: false if none has that number
    mutating func signOut(_ number: Int) -> Bool {
        guard let secret = browsers.first(where: { $0.value.number == number })?.key else { return false }
        browsers[secret] = nil
        return true
    }

    private mutating func forgetOld(at now: ContinuousClock.Instant) {
        tokens.removeAll { now >= $0.since + Self.tokenLife }
        browsers = browsers.filter { now < $0.value.since + Self.browserLife }
    }
}
