/// The rule of names that a text broke.
public struct InvalidName: ExplainedError, Equatable {
    /// Stable code of the rule.
    public let code: ErrorCode

    /// The text and the rule that it broke.
    public let message: String

    /// The rule alone, such as “it is empty”.
    public let rule: String

    /// The recommended change.
    public let nextStep: String

    /// - Parameters:
    ///   - code: stable code of the rule
    ///   - offered: the original text, which is made printable here
    ///   - rule: the rule, as the end of the sentence "… is not a service type: "
    ///   - kind: the kind of the name, with its article
    ///   - nextStep: the recommended change
    package init(_ code: ErrorCode, _ offered: String, isNot kind: String, because rule: String, nextStep: String) {
        self.code = code
        self.rule = rule
        self.message = "“\(PrintableText(offered, limit: 80))” is not \(kind): \(rule)"
        self.nextStep = nextStep
    }
}
