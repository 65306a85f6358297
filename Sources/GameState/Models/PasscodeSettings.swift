public import SecureArchive
public import SessionRules

/// The settings of a passcode, as a keyed archive has them beside the app's version: if a passcode is required, how
/// often it was wrong, and when the next attempt is allowed.
public struct PasscodeSettings: StateModel {
    /// True if a passcode is required.
    public var isPassCodeEnabled = false
    /// The count of wrong passcodes since the last right one.
    public var attemptCount = 0
    /// The current waiting time, in seconds.
    public var checkInterval = 0.0
    /// The time of the next attempt.
    public var nextCheckDate: ArchiveDate?
    /// The version of the app that wrote the settings.
    public var appVersion: String?

    /// Settings without a passcode.
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

    /// Counts that no app can have reached.
    public var impossibilities: [StateError] {
        var found: [StateError] = []
        if attemptCount < 0 { found.append(StateError(.impossible, "\(attemptCount) attempts", at: "attemptCount")) }
        if checkInterval < 0 {
            found.append(StateError(.impossible, "a negative waiting time", at: "checkInterval"))
        }
        return found
    }
}

/// The app's version. Some programs write it into the settings, others beside them at the top of the archive.
extension PasscodeSettings {
    private static let versionKey: StatePath.Step = .key("appVersion")

    /// Reads the tree of an archive, with the version at either place.
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

/// The conversion to and from a lockout, the rule for wrong pairing codes, so that one can be stored as the other.
extension PasscodeSettings {
    /// Settings with the counts of a lockout.
    public init(_ lockOut: LockOut, appVersion: String? = nil) {
        self.init()
        isPassCodeEnabled = true
        attemptCount = Int(clamping: lockOut.count)
        // At time 0, the whole wait is left.
        checkInterval = Double(lockOut.secondsLeft(at: 0))
        nextCheckDate = lockOut.until > 0 ? ArchiveDate(secondsSince1970: Double(lockOut.until)) : nil
        self.appVersion = appVersion
    }

    /// The counts as a lockout by a rule.
    public func lockOut(_ rule: LockOut.Rule = .perKey) -> LockOut {
        let until = nextCheckDate.flatMap { Int64(exactly: $0.secondsSince1970.rounded(.up)) } ?? 0
        return LockOut(rule, count: Int64(clamping: attemptCount), until: until)
    }

    /// The seconds to wait; 0 if a passcode may be tried. After a clock was set back the wait is never longer than the
    /// original one.
    public func secondsLeft(at now: ArchiveDate) -> Double {
        guard isPassCodeEnabled, let nextCheckDate else { return 0 }
        return min(checkInterval, max(0, nextCheckDate.secondsSince1970 - now.secondsSince1970))
    }

    /// Counts a wrong passcode.
    public mutating func countWrongCode(at now: ArchiveDate, _ rule: LockOut.Rule = .perKey) {
        var lockOut = lockOut(rule)
        lockOut.count(at: Int64(now.secondsSince1970.rounded(.down)))
        let (isEnabled, version) = (isPassCodeEnabled, appVersion)
        self = PasscodeSettings(lockOut, appVersion: version)
        isPassCodeEnabled = isEnabled
    }

    /// Forgets all wrong passcodes after a right one.
    public mutating func countRightCode() {
        (attemptCount, checkInterval, nextCheckDate) = (0, 0, nil)
    }
}
