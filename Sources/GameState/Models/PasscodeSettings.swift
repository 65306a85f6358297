public import SecureArchive
public import SessionRules

/// Whether a passcode is asked for, how often it was wrong, and when it may be tried again, as it is kept in a keyed archive with the app's
/// version beside it.
public struct PasscodeSettings: StateModel {
    /// Whether a passcode is asked for at all.
    public var isPassCodeEnabled = false
    /// How often it was wrong since it was last right.
    public var attemptCount = 0
    /// How long one has to wait now, in seconds.
    public var checkInterval = 0.0
    /// When it may be tried again.
    public var nextCheckDate: ArchiveDate?
    /// Of the app that wrote it.
    public var appVersion: String?

    /// Nothing is asked for.
    public init() {}

    /// The app's keys; the date is seconds since 1970.
    public static let table = FieldTable<PasscodeSettings>(
        "PasscodeSettings",
        alsoCalled: ["PassCodeSettings"],
        [
            .required("isPassCodeEnabled", \.isPassCodeEnabled, .bool),
            .required("attemptCount", \.attemptCount, .integer),
            .required("checkInterval", \.checkInterval, .real),
            .optional("nextCheckDate", \.nextCheckDate, .date(.secondsSince1970, .date)),
            .optional("appVersion", \.appVersion, .text, alsoCalled: ["CFBundleShortVersionString"]),
        ]
    )

    /// What no app can have counted.
    public var impossibilities: [StateError] {
        var found: [StateError] = []
        if attemptCount < 0 { found.append(StateError(.impossible, "\(attemptCount) attempts", at: "attemptCount")) }
        if checkInterval < 0 {
            found.append(StateError(.impossible, "a wait of less than nothing", at: "checkInterval"))
        }
        return found
    }
}

/// Some writers keep the app's version among the settings, others beside them, as a second thing that the archive begins with.
extension PasscodeSettings {
    private static let versionKey: StatePath.Step = .key("appVersion")

    /// Reads the tree of an archive, wherever in it the version stands.
    public init(readingArchive tree: ArchiveValue, _ strictness: Strictness = .exact) throws(ModelFaults) {
        guard case .tagged("$top", .dictionary(let top)) = tree, let settings = top["root"] else {
            try self.init(reading: tree, strictness)
            return
        }
        try self.init(reading: settings, strictness)
        guard appVersion == nil, let version = top["appVersion"] else { return }
        var reading = ModelReading(strictness)
        appVersion = reading.within(Self.versionKey) { FieldForm.text.read(version, &$0) }
        if let faults = ModelFaults(reading.faults) { throw faults }
    }

    /// The tree of an archive with the app's version beside the settings.
    public func archive() -> ArchiveValue {
        guard let appVersion else { return tree(.objects) }
        var settings = self
        settings.appVersion = nil
        return .tagged("$top", .dictionary(["root": settings.tree(.objects), "appVersion": .string(appVersion)]))
    }
}

/// The same rule as for wrong pairing codes, so that one can be kept as the other.
extension PasscodeSettings {
    /// What was counted of wrong codes, as such settings.
    public init(_ lockOut: LockOut, appVersion: String? = nil) {
        self.init()
        isPassCodeEnabled = true
        attemptCount = Int(clamping: lockOut.count)
        // From the beginning of time on, the whole wait is left.
        checkInterval = Double(lockOut.secondsLeft(at: 0))
        nextCheckDate = lockOut.until > 0 ? ArchiveDate(secondsSince1970: Double(lockOut.until)) : nil
        self.appVersion = appVersion
    }

    /// What was counted, as a lockout by a rule.
    public func lockOut(_ rule: LockOut.Rule = .perKey) -> LockOut {
        let until = nextCheckDate.flatMap { Int64(exactly: $0.secondsSince1970.rounded(.up)) } ?? 0
        return LockOut(rule, count: Int64(clamping: attemptCount), until: until)
    }

    /// How many seconds there are to wait; 0 where a passcode may be tried. A clock that was set back makes nobody wait longer than the wait
    /// was.
    public func secondsLeft(at now: ArchiveDate) -> Double {
        guard isPassCodeEnabled, let nextCheckDate else { return 0 }
        return min(checkInterval, max(0, nextCheckDate.secondsSince1970 - now.secondsSince1970))
    }

    /// A wrong passcode was typed.
    public mutating func countWrongCode(at now: ArchiveDate, _ rule: LockOut.Rule = .perKey) {
        var lockOut = lockOut(rule)
        lockOut.count(at: Int64(now.secondsSince1970.rounded(.down)))
        let (isEnabled, version) = (isPassCodeEnabled, appVersion)
        self = PasscodeSettings(lockOut, appVersion: version)
        isPassCodeEnabled = isEnabled
    }

    /// The right passcode was typed: all is forgotten.
    public mutating func countRightCode() {
        (attemptCount, checkInterval, nextCheckDate) = (0, 0, nil)
    }
}
