import LinuxPlatform

/// The tokens that open the page once, and the browsers that have used one.
struct PageAccess: Sendable {
    /// A browser that may use the page.
    struct Browser: Hashable, Sendable {
        /// Its number, by which the user can sign it out.
        let number: Int
        /// What it calls itself.
        let agent: String
        let since: ContinuousClock.Instant
    }

    /// How long a token opens the page: a browser starts within a minute.
    static let tokenLife = Duration.seconds(60)
    /// How long a browser stays signed in.
    static let browserLife = Duration.seconds(12 * 3_600)
    private static let mostTokens = 8
    private static let mostBrowsers = 16
    private static let agentLimit = 200

    private var tokens: [(secret: PageSecret, since: ContinuousClock.Instant)] = []
    private var browsers: [PageSecret: Browser] = [:]
    private var lastNumber = 0

    /// Those that are signed in, the first one first.
    var signedIn: [Browser] { browsers.values.sorted { $0.number < $1.number } }

    /// The time when the last browser is signed out and the last token is old; nil if there is none of both.
    func end(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let ends = browsers.values.map { $0.since + Self.browserLife } + tokens.map { $0.since + Self.tokenLife }
        return ends.filter { $0 > now }.max()
    }

    /// A new token. Of many that no browser has used, the oldest one goes.
    mutating func token(at now: ContinuousClock.Instant) -> PageSecret {
        forgetOld(at: now)
        if tokens.count >= Self.mostTokens { tokens.removeFirst() }
        let secret = PageSecret.random()
        tokens.append((secret, now))
        return secret
    }

    /// Signs a browser in. The token opens nothing after that.
    ///
    /// - Returns: the browser's key; nil if the token is unknown, used or old
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

    /// The browser that has this key.
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
